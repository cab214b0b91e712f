"""Keys and who has them, in little memory: sixteen bytes a key."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

_BITS: Final = 8
_SHELVES: Final = 1 << _BITS


class Crowds:
    """Facts by key. Keys are dealt to shelves by their first bits, and each shelf is looked through alone.

    Attributes:
        facts: every fact that was added, with keys or without.
    """

    def __init__(self) -> None:
        self.facts = array("q")
        self._shelves = [array("q") for _ in range(_SHELVES)]

    def add(self, fact: int, keys: Sequence[int]) -> None:
        """Let *fact* have *keys*."""
        self.facts.append(fact)
        for key in keys:
            shelf = self._shelves[key >> 64 - _BITS]  # the first bits of a negative key count from the end
            shelf.append(key)
            shelf.append(fact)

    def sorted(self, *, without: Collection[int] = ()) -> Iterator[tuple[int, int]]:
        """Every key with every fact that has it, in order, *without* those of some facts."""
        for shelf in self._shelves[_SHELVES // 2 :] + self._shelves[: _SHELVES // 2]:
            yield from (pair for pair in sorted(_pairs(shelf)) if pair[1] not in without)

    def shared(self, old: Callable[[int], list[int]] | None = None) -> Iterator[tuple[int, list[int]]]:
        """Each key that several facts have, with them.

        Args:
            old: gives the facts that had a key before; they count too.
        """
        for shelf in self._shelves:
            yield from _met(_pairs(shelf), old)


def _pairs(shelf: Sequence[int]) -> Iterator[tuple[int, int]]:
    every = iter(shelf)
    return zip(every, every, strict=True)


def _met(pairs: Iterable[tuple[int, int]], old: Callable[[int], list[int]] | None) -> Iterator[tuple[int, list[int]]]:
    first: dict[int, int] = {}
    several: dict[int, list[int]] = {}
    for key, fact in pairs:
        met = first.setdefault(key, fact)
        if met != fact:
            several.setdefault(key, [met]).append(fact)
    if old is None:
        yield from several.items()
        return
    for key, fact in first.items():
        everyone = [*dict.fromkeys([*several.get(key, (fact,)), *old(key)])]
        if len(everyone) > 1:
            yield key, everyone

"""Keys and who has them, in little memory: sixteen bytes a key."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

_BITS: Final = 8
_SHELVES: Final = 1 << _BITS


class Crowds:
    """Facts by key. Keys are dealt to shelves by their first bits, each of which is sorted alone.

    Attributes:
        facts: every fact that was added, with keys or without.
    """

    def __init__(self) -> None:
        self.facts = array("q")
        self._keys = [array("q") for _ in range(_SHELVES)]
        self._facts = [array("q") for _ in range(_SHELVES)]

    def add(self, fact: int, keys: Sequence[int]) -> None:
        """Let *fact* have *keys*."""
        self.facts.append(fact)
        for key in keys:
            shelf = (key >> 64 - _BITS) + _SHELVES // 2
            self._keys[shelf].append(key)
            self._facts[shelf].append(fact)

    def sorted(self, *, without: Collection[int] = ()) -> Iterator[tuple[int, int]]:
        """Every key with every fact that has it, in order, *without* those of some facts."""
        for keys, facts in zip(self._keys, self._facts, strict=True):
            yield from (pair for pair in sorted(zip(keys, facts, strict=True)) if pair[1] not in without)

    def shared(self, old: Callable[[int], list[int]] | None = None) -> Iterator[tuple[int, list[int]]]:
        """Each key that several facts have, with them.

        Args:
            old: gives the facts that had a key before; they count too.
        """
        for key, pairs in groupby(self.sorted(), itemgetter(0)):
            facts = [fact for _, fact in pairs]
            if old:
                facts = [*dict.fromkeys([*facts, *old(key)])]
            if len(facts) > 1:
                yield key, facts

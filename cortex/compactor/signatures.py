"""Keys of token sets: of two sets whose Jaccard is high enough at least one is the same, whatever their words.

The words that may differ are dealt into as many parts as there can be differences, and one: by the pigeonhole principle
one part is the same in both. How many differences two sets can have follows from their sizes, so a set is dealt twice,
for its own size class and for the class below; the two mostly agree. No order of words is needed, so what was
indexed years ago and what came today compare.

Source: Arasu, Ganti and Kaushik 2006, "Efficient exact set-similarity joins", PartEnum with n1 = k + 1, n2 = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import count
from typing import Final, NamedTuple

from cortex.compactor.sayings import Saying, turning
from cortex.substrate.identity import normalised

SIMILAR: Final = (17, 20)
"""The least Jaccard of near duplicates, as a fraction: whole numbers compare exactly."""

_MASK: Final = (1 << 64) - 1
_SPREAD: Final = 0x9E3779B97F4A7C15
_MOST_REMEMBERED: Final = 1 << 19

_known: dict[str, tuple[int, bool]] = {}


class Signature(NamedTuple):
    """A fact as near duplicates are looked for.

    Attributes:
        tokens: hash of each of its tokens, each once.
        keys: signed, of 64 bits.
    """

    tokens: tuple[int, ...]
    keys: list[int]


def signature(said: Saying, *apart: object) -> Signature:
    """The keys by which *said* meets its near duplicates: none of another frame, other turning words, or *apart*."""
    known = [_known.get(token) or _learn(token) for token in set(normalised(said.sentence).split())]
    block = _hash("\0".join(map(str, (*apart, said.frame))))
    loose = []
    for number, turns in known:
        if turns:
            block ^= number
        else:
            loose.append(number)
    return Signature(tuple(number for number, _ in known), list(_keys(block, loose, len(known))))


def similar(one: Sequence[int], other: set[int]) -> bool:
    """Whether the Jaccard of two sets is high enough, exactly."""
    least, of = SIMILAR
    common = len(other.intersection(one))
    return common * of >= least * (len(one) + len(other) - common)


def _keys(block: int, loose: list[int], size: int) -> list[int]:
    keys = []
    for parts in deals(size):
        dealt = [0] * parts
        for number in loose:
            dealt[number % parts] ^= number
        for place, part in enumerate(dealt, parts << 8):
            mixed = (block ^ part * _SPREAD ^ place * 0xD6E8FEB86659FD93) & _MASK
            keys.append(mixed - (1 << 63))
    return keys


@cache
def deals(size: int) -> tuple[int, ...]:
    """Into how many parts a set of *size* is dealt, each way.

    >>> [deals(size) for size in (3, 8, 12, 20, 40)]
    [(1,), (2,), (3, 2), (4,), (8, 7)]
    """
    least, of = SIMILAR
    low, below = 1, None
    for _ in count():
        high = low * of // least
        largest = high + high * of // least
        parts = (of - least) * largest // (of + least) + 1
        if size <= high:
            return (parts,) if below in (None, parts) else (parts, below)
        low, below = high + 1, parts
    raise AssertionError


def _learn(token: str) -> tuple[int, bool]:
    if len(_known) > _MOST_REMEMBERED:
        _known.clear()
    known = _known[token] = _hash(token), turning(token)
    return known


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")

"""Keys of token sets: of two sets whose Jaccard is high enough at least one is the same, whatever their words.

The words that may differ are dealt into as many parts as there can be differences, and one: by the pigeonhole principle
one part is the same in both. How many differences two sets can have follows from their sizes, so a set is dealt twice,
for its own size class and for the class below; the two mostly agree. No order of words is needed, so what was
indexed years ago and what came today compare.

Source: Arasu, Ganti and Kaushik 2006, "Efficient exact set-similarity joins", PartEnum with n1 = k + 1, n2 = 1.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import blake2b
from itertools import count
from typing import Final, NamedTuple

from cortex.compactor.sayings import Saying, telling_word, token_of, turning, words_of

SIMILAR: Final = (17, 20)
"""The least Jaccard of near duplicates, as a fraction: whole numbers compare exactly."""

_MASK: Final = (1 << 64) - 1
_HALF: Final = 1 << 63
_APART: Final = 0xD6E8FEB86659FD93
_MOST_REMEMBERED: Final = 1 << 19

_known: dict[str, tuple[int, int]] = {}


class Signature(NamedTuple):
    """A fact as near duplicates are looked for.

    Attributes:
        tokens: hash of each of its tokens, each once; odd where meaning turns on the token.
        keys: signed, of 64 bits; none for a sentence without a word.
        told: a number that two facts have in common, in this process, when they tell the same.
    """

    tokens: frozenset[int]
    keys: list[int]
    told: int


def signature(said: Saying, *apart: object) -> Signature:
    """The keys by which *said* meets its near duplicates: none of another frame, other turning words, or *apart*."""
    known = _known.get
    words = [known(raw) or _learn(raw) for raw in words_of(said.sentence)]
    tokens = frozenset([token for token, _ in words]) - _NO_TOKENS
    block = _block(said.frame, apart)
    loose = []
    for token in tokens:
        if token & 1:
            block ^= token
        else:
            loose.append(token)
    told = hash((said.frame, apart, tuple([word for _, word in words if word])))
    return Signature(tokens, keys_of(block, loose, len(tokens)) if tokens else [], told)


@lru_cache(maxsize=1 << 14)
def _block(frame: str, apart: tuple[object, ...]) -> int:
    return _hash("\0".join(map(str, (*apart, frame))))


def similar(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether the Jaccard of two sets is high enough, exactly.

    >>> similar(frozenset(range(17)), frozenset(range(20))), similar(frozenset(range(16)), frozenset(range(19)))
    (True, False)
    """
    least, of = SIMILAR
    ours, theirs = len(one), len(other)
    if ours * of < theirs * least or theirs * of < ours * least:
        return False
    common = len(one & other)
    return common * of >= least * (ours + theirs - common)


def keys_of(block: int, loose: list[int], size: int) -> list[int]:
    """The keys of a set of *size* tokens that may differ from a similar one in the *loose* ones alone.

    Args:
        block: what two sets must have in common to be compared.
        loose: even hashes.
    """
    keys = []
    for parts in deals(size):
        dealt, twice = _places(parts).copy(), 2 * parts
        for token in loose:
            dealt[token % twice >> 1] ^= token  # an even number: its half, dealt into so many parts
        keys += [(block ^ part) - _HALF for part in dealt]
    return keys


@cache
def _places(parts: int) -> list[int]:
    return [(parts << 8 | place) * _APART & _MASK for place in range(parts)]


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


_NO_TOKEN: Final = 1
_NO_TOKENS: Final = frozenset({_NO_TOKEN})


def _learn(raw: str) -> tuple[int, int]:
    """The hash of the token that *raw* is, and one of what it tells; punctuation alone is no token."""
    if len(_known) > _MOST_REMEMBERED:
        _known.clear()
    token = token_of(raw)
    word = telling_word(raw, token)
    hashed = (_hash(token) & ~1 | turning(token)) if token else _NO_TOKEN
    known = _known[raw] = (hashed, hash(word) if word else 0)
    return known


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")

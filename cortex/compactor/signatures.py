"""What a fact is near another by: the frame and the words that tell something, and how many words they share in all."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

from cortex.compactor.sayings import Saying, telling, token_of, words_of

SIMILAR: Final = (17, 20)  # the least Jaccard of near duplicates, as a fraction: whole numbers compare exactly


class Signature(NamedTuple):
    """A fact as near duplicates are looked for.

    Attributes:
        key: signed, of 64 bits: the same of all that tell the same in one frame; None of a sentence without a word.
        tokens: each word once, those that tell nothing included.
    """

    key: int | None
    tokens: frozenset[str]


def signature(said: Saying, *apart: object) -> Signature:
    """What *said* meets its near duplicates by: none of another frame, other telling words, or *apart*."""
    tokens = frozenset(filter(None, map(token_of, words_of(said.sentence))))
    text = "\0".join([*map(str, apart), said.frame, *telling(said.sentence)])
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return Signature(int.from_bytes(hashed, "little", signed=True) if tokens else None, tokens)


def similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the Jaccard of two sets is high enough, exactly.

    >>> similar(frozenset("abcdefghijklmnopq"), frozenset("abcdefghijklmnopqrst"))
    True
    """
    least, of = SIMILAR
    return len(one & other) * of >= least * len(one | other)

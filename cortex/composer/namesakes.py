"""Whether a row tells of another thing of the same kind: a `cookie_timeout` is no session timeout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cortex.composer.answer_types import gives
from cortex.composer.dates import LATEST
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.rows import Row
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS

ALL_BUT_KIND: Final = 2
"""How `is_of_namesake` calls what shares with the thing that is asked for but the word for its kind."""

_ASKED: Final = re.compile(
    r"^\W*(?:what(?:['’]s|\s+(?:is|are))|how\s+(?:long|large|big|high)\s+(?:is|are))\s+(?:the|our|its)\s+"
    r"(?P<named>[\w-]+(?:\s+[\w-]+){1,3}?)(?:\s+(?:of|for|in|on|at|when|per|by|set)\b[^?]*)?[?.!\s]*$",
    re.I,
)
_APART: Final = re.compile(r"[.!?;:,](?=\s|$)|[|\n()]")
_LIGHT: Final = frozenset(
    "default new old current maximum max minimum min total overall own same set raise lower change increase decrease "
    "reduce use make keep double halve bump extend shorten".split()
)
"""Words before the name of a thing that make no other of it."""


class _Name(NamedTuple):
    """The last two words of what is asked for, as stems, with what says the same as the first."""

    first: frozenset[str]
    last: str


def named_first(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> list[Ordered]:
    """*ordered* after what gives a number of the very thing that is asked for, where the first tells of a namesake."""
    name = _named(question, stemmer)
    if (
        name is None
        or not ordered
        or ordered[0].fused.relation
        or not _is_of_other(name, ordered[0].fused.row, stemmer)
    ):
        return list(ordered)
    near = (one for one in ordered[1:CITED] if one.read and gives("number", one.fused.row.text))
    first = next((one for one in near if any(_is_it(name, pair) for pair in _pairs(one.fused.row, stemmer))), None)
    return [first._replace(moved="named"), *(one for one in ordered if one is not first)] if first else list(ordered)


def is_of_namesake(question: Question, first: Ordered, stemmer: Stemmer) -> int:
    """Whether the *first* row tells of things of the kind that is asked for, each by another name, and of none by its.

    Returns:
        0 where it does not, `ALL_BUT_KIND` where it has not even the word by which the thing is told from others.
    """
    name = _named(question, stemmer)
    if name is None or not _is_of_other(name, first.fused.row, stemmer):
        return 0
    return ALL_BUT_KIND if name.first.isdisjoint(first.holds) else 1


def _named(question: Question, stemmer: Stemmer) -> _Name | None:
    asked = _ASKED.match(LATEST.sub(" ", question.text))
    words = [word for word in split(asked["named"]) if word not in STOP_WORDS and word not in _LIGHT] if asked else []
    if len(words) < 2:  # it takes two to name one of a kind
        return None
    stem_of = stemmer.stem(words[-2:])
    first, last = (stem_of.get(word, word) for word in words[-2:])
    return _Name(frozenset({first}) | question.related.get(first, frozenset()), last)


def _is_of_other(name: _Name, row: Row, stemmer: Stemmer) -> bool:
    pairs = [pair for pair in _pairs(row, stemmer) if pair[1] == name.last]
    return bool(pairs) and all(before and not _is_it(name, (before, last)) for before, last in pairs)


def _is_it(name: _Name, pair: tuple[str, str]) -> bool:
    return pair[0] in name.first and pair[1] == name.last


def _pairs(row: Row, stemmer: Stemmer) -> Iterator[tuple[str, str]]:
    """Each word of a row, as stems, after the one beside it; after '' where that names nothing."""
    for clause in _APART.split(f"{row.title}\n{row.text}"):
        words = split(clause)
        stem_of = stemmer.stem(words)
        for before, word in pairwise(["", *words]):
            names = before not in STOP_WORDS and before not in _LIGHT and not before.isdecimal()
            yield (stem_of.get(before, before) if names else "", stem_of.get(word, word))

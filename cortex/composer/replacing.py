"""Which way round a replacement is told: what replaced a thing, or what the thing replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve.merge_titles import marked, words_of
from cortex.composer.rows import STANDING, Row
from cortex.composer.saying import statements_in
from cortex.language.words import STOP_WORDS

MOST_WORDS: Final = 5
"""Of a thing's name."""

TURNED: Final = "told so round"
"""Why a row is first: it tells what replaced the thing, where others tell what that replaced, or the reverse."""

_T: Final = "\N{START OF HEADING}"
"""Stands for the thing, as `marked` puts it."""

_WHAT: Final = r"^\W*(?:what|which(?:\s+[\w-]+){1,3}?)\s+"
_SOMEBODY: Final = r"(?:we|you|they|the (?:project|team))"
_PUT: Final = r"(?:replac|supersed|substitut|swapp)"
_TOOK: Final = r"(?:succeed(?:s|ed)?|t(?:akes?|ook) (?:over from|the place of))"
_WAS: Final = r"(?:is|are|was|were|got|gets|ha[sd] been|have been)"
_ASKS_OLD: Final = re.compile(
    rf"{_WHAT}(?:did|does|do|has|have|had)\s+(?!{_SOMEBODY}\b)(?P<a>.+?)\s+"
    rf"(?:replaced?|superseded?|succeed(?:ed)?|taken? (?:over from|the place of))\W*$"
    rf"|{_WHAT}{_WAS}\s+(?:replaced|superseded|succeeded)\s+(?:by|with)\s+(?P<b>.+?)\W*$"
    rf"|{_WHAT}(?:did|have|had|do)\s+{_SOMEBODY}\s+replaced?\s+(?:by|with)\s+(?P<c>.+?)\W*$"
    rf"|{_WHAT}(?:did|had)\s+{_SOMEBODY}\s+(?:use|have|run)\s+before\s+(?P<d>[\w.-]+)\W*$",
    re.I,
)
"""What asks what a thing replaced."""

_ASKS_NEW: Final = re.compile(
    rf"{_WHAT}(?:has\s+|have\s+|had\s+)?(?:replace[sd]?|supersede[sd]?|{_TOOK})\s+(?P<a>.+?)\W*$"
    rf"|{_WHAT}(?:is|are|was|were|has|have|had)\s+(?P<b>.+?)\s+(?:been\s+)?(?:replaced|superseded|succeeded)\s+(?:by|with)\W*$"
    rf"|{_WHAT}(?:did|have|had|do)\s+{_SOMEBODY}\s+replaced?\s+(?P<c>.+?)\s+(?:by|with)\W*$",
    re.I,
)
"""What asks what replaced it."""

_ITS: Final = r"""(?:(?:the|an?|our|its|their|old|new|former|legacy)\s+)*["'`“”‘’*]*"""
_SOME: Final = r"(?:[^\s,;:]+\s+){1,6}?"
_BE: Final = r"(?:is|are|was|were|been|gets?|got|being|be)"
_FEW: Final = rf"(?:\s+(?!{_BE}\b)[\w-]+){{0,3}}?\s+"
_TURNS: Final = r"(?:switch|mov|migrat|chang|convert|port|went|go)\w*"
_IS_NEW: Final = re.compile(
    rf"{_T}\W{{0,2}}{_FEW}(?:{_PUT}(?:es|ed|ing)(?!\s+(?:by|with)\b)|{_TOOK})\s+\w"
    rf"|{_PUT}\w*\s+{_SOME}(?:with|by|for)\s+{_ITS}{_T}"
    rf"|(?:{_PUT}ed|succeeded)\s+(?:with|by)\s+{_ITS}{_T}"
    rf"|{_TURNS}\s+(?:\S+\s+){{0,4}}?from\s+{_SOME}(?:on|in)?to\s+{_ITS}{_T}"
    rf"|{_T}\W{{0,2}}\s*(?:instead|in place)\s+of\b|{_T}\s+rather\s+than\b|in\s+favou?r\s+of\s+{_ITS}{_T}",
    re.I,
)
_IS_OLD: Final = re.compile(
    rf"(?:{_PUT}(?:es?|ed|ing)?|{_TOOK})\s+{_ITS}{_T}"
    rf"|{_T}\W{{0,2}}{_FEW}{_BE}\s+(?:[\w-]+\s+)?(?:{_PUT}ed|succeeded)"
    rf"|{_TURNS}\s+(?:\S+\s+){{0,4}}?from\s+{_ITS}{_T}\W{{0,2}}\s+(?:\S+\s+){{0,3}}?(?:on|in)?to\s+\w"
    rf"|(?:instead\s+of|in\s+place\s+of|rather\s+than)\s+{_ITS}{_T}|{_T}\W{{0,2}}\s+(?:\S+\s+){{0,3}}?in\s+favou?r\s+of\b",
    re.I,
)


class _Asked(NamedTuple):
    """The words of the thing that a question names, and what finds that a text tells of it what is asked, or not."""

    words: Sequence[str]
    wanted: re.Pattern[str]
    turned: re.Pattern[str]


@lru_cache(64)
def _asked(text: str) -> _Asked | None:
    """What *text* asks of a replacement; None where it asks of none."""
    for pattern, wanted, turned in ((_ASKS_OLD, _IS_NEW, _IS_OLD), (_ASKS_NEW, _IS_OLD, _IS_NEW)):
        if match := pattern.match(text):
            words = [word for word in words_of(match[match.lastgroup or 0]) if word.lower() not in STOP_WORDS]
            return _Asked(words, wanted, turned) if 0 < len(words) <= MOST_WORDS else None
    return None


def _tells(pattern: re.Pattern[str], words: Sequence[str], row: Row) -> bool:
    """Whether a row tells it; the title of a thread is but a wish where nothing came of it."""
    titled = [row.title] if _is_done(row) else []
    return any(pattern.search(marked(said, words)) for said in (*titled, *statements_in(row.text)))


def _is_done(row: Row) -> bool:
    return row.type in (*STANDING, "commit") or (row.type, row.state) == ("pull", "merged")


def told_so_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered* after the first that tells the replacement which is asked for, as how things are or what was done."""
    asked = _asked(question.text)
    telling = (one for one in ordered if _is_done(one.fused.row) and not one.fused.row.unverified)
    first = asked and next((one for one in telling if _tells(asked.wanted, asked.words, one.fused.row)), None)
    if not asked or not first or _tells(asked.wanted, asked.words, ordered[0].fused.row):
        return list(ordered)
    return [first._replace(moved=TURNED), *(one for one in ordered if one is not first)]


def is_told_so(question: Question, ordered: Sequence[Ordered]) -> bool | None:
    """Whether the rows tell the replacement that is asked for; False where they tell but the other way round.

    None where they tell none, or none is asked for.
    """
    asked = _asked(question.text)
    if asked is None:
        return None
    rows = [one.fused.row for one in ordered[:CITED]]
    if any(_tells(asked.wanted, asked.words, row) for row in rows):
        return True
    return False if any(_tells(asked.turned, asked.words, row) for row in rows) else None

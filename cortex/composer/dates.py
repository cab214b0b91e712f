"""Dates as texts write them, and the words for now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.composer.times import MONTHS

_NAMED_DAY: Final = r"(?:(?P<{}>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?: of)?,? +)?"
DATE: Final = re.compile(
    rf"\b(?:{_NAMED_DAY.format('before')}(?P<name>{'|'.join(MONTHS)})(?: of)?,? +{_NAMED_DAY.format('after')})?"
    r"(?P<year>(?:19|20)\d\d)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?\b",
    re.I,
)
_PART: Final = re.compile(
    r"\b(early|late|mid|beginning|start|middle|end)\W{1,3}(?:(?:in|of) +)?((?:19|20)\d\d)\b(?!-\d)", re.I
)
_PARTS: Final = {"early": 1, "beginning": 1, "start": 1, "mid": 5, "middle": 5, "late": 9, "end": 9}
"""The first of the four months that each part of a year has: 'late 2021' goes on from September."""

LATEST: Final = re.compile(
    r"\b(still|now|nowadays|current|currently|today|these days|any ?more|any longer|at present|presently|latest"
    r"|at (?:the|this) moment|at this point|as of today|to date)\b",
    re.I,
)


def date_of(match: re.Match[str]) -> str:
    """What every time of the date begins with that `DATE` found: '2024', '2024-07', '2024-07-31'."""
    name, day = match["name"], match["before"] or match["after"] or match["day"]
    month = f"{MONTHS.index(name.lower()) + 1:02}" if name else match["month"]
    return "-".join(filter(None, (match["year"], month, day and f"{int(day):02}")))


def dates_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How *text* writes each of its dates, and what the times of that begin with: 'late 2021' has four months."""
    for match in _PART.finditer(text):
        first = _PARTS[match[1].lower()]
        yield match[0].lower(), tuple(f"{match[2]}-{month:02}" for month in range(first, first + 4))
    for match in DATE.finditer(_PART.sub(" ", text)):
        yield match[0].lower(), (date_of(match),)

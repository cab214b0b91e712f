"""Dates as texts write them, and the words for now."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.times import MONTHS

_NAMED_DAY: Final = r"(?:(?P<{}>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?: of)?,? +)?"
DATE: Final = re.compile(
    rf"\b(?:{_NAMED_DAY.format('before')}(?P<name>{'|'.join(MONTHS)})(?: of)?,? +{_NAMED_DAY.format('after')})?"
    r"(?P<year>(?:19|20)\d\d)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?\b",
    re.I,
)
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

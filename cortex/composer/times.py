"""Times that a question names by the day it is asked on: 'last year', 'this week', 'in March', '3 days ago'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

MONTHS: Final = "january february march april may june july august september october november december".split()
_DAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
FEW: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_UNIT: Final = "day|week|month|quarter|year"
_NUMBER: Final = rf"\d{{1,3}}|{'|'.join(FEW)}|an?"
_LEAD: Final = (
    r"\b(?:(?P<lead>since|from|after|before|until|till|through|by|in|on|at|during|within|over|for)\s+)?(?:the\s+)?"
)
_QUARTERS: Final[Mapping[str, int]] = MappingProxyType(
    {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
)
_RELATIVE: Final = re.compile(
    rf"""{_LEAD}(?:
      (?P<which>last|past|previous|this|current|next|coming)\s+(?P<unit>{_UNIT})\b(?!\s+of\s)
    | (?:last|past|previous)\s+(?P<many>{_NUMBER})\s+(?P<units>{_UNIT})s?\b
    | (?P<ago>{_NUMBER})\s+(?P<ago_of>{_UNIT})s?\s+ago\b
    | (?P<day>today|yesterday|tomorrow)\b
    | (?:(?P<of_day>last|past|this|next)\s+)?(?P<weekday>{"|".join(_DAYS)})\b
    | q(?P<quarter>[1-4])(?:\s+(?:of\s+)?(?P<of_year>(?:19|20)\d\d))?\b
    | (?P<nth>{"|".join(_QUARTERS)})\s+quarter\s+(?:of\s+)?(?P<nth_of>(?:19|20)\d\d)\b
    | (?:h(?P<half>[12])|(?P<nth_half>first|second|1st|2nd|last)\s+half)\s+(?:of\s+)?(?P<half_of>(?:19|20)\d\d)\b
    | (?P<of_month>(?<=in\s)|(?<=since\s)|(?<=before\s)|(?<=after\s)|(?<=until\s)|(?<=during\s)|last\s+|this\s+|next\s+)
      (?P<month>{"|".join(MONTHS)})\b(?!,?\s+(?:of\s+)?(?:\d|this|last))
    )""",
    re.X,
)
_VAGUE: Final = re.compile(
    rf"\b(?:last|past|previous|this|current|next|coming|few|couple\s+of|several|recent)\s+(?:{_UNIT})s?\b"
    rf"|\b(?:{_UNIT})s?\s+ago\b|\b(?:recently|lately|tomorrow|tonight|nowadays|q[1-4])\b"
    rf"|\b(?:in|since|before|after|until|during|last|next)\s+(?:{'|'.join(MONTHS)})\b(?!\s+\d)"
    r"|\b(?:early|late|mid|(?:end|beginning|start|middle)\s+of)[\s-]+(?:in\s+)?(?=(?:19|20)\d\d\b)"
)


class Dated(NamedTuple):
    """A text whose times are all dates.

    Attributes:
        unclear: words of a time that is not clear, or of none that has been.
    """

    text: str
    unclear: tuple[str, ...]


def with_dates(text: str, today: date | None) -> Dated:
    """*text*, in lower case, with a date in place of each time that counts from *today*.

    >>> with_dates("prs merged last year", date(2026, 11, 22))
    Dated(text='prs merged 2025', unclear=())
    >>> with_dates("prs merged this week", date(2026, 11, 22))
    Dated(text='prs merged between 2026-11-16 and 2026-11-22', unclear=())
    """
    unclear: list[str] = []
    text = _RELATIVE.sub(partial(_date, today, unclear), text)
    return Dated(text, (*unclear, *(match[0] for match in _VAGUE.finditer(text))))


def _date(today: date | None, unclear: list[str], match: re.Match[str]) -> str:
    span = _of_year(match) or (today and _span(match, today))
    if not span or (today and span[0] > today.isoformat()):
        unclear.append(match[0])
        return match[0]
    first, last = span
    lead = match["lead"] or ""
    if first == last or lead in ("since", "from", "before"):
        lead = "since" if lead == "from" else "" if lead in ("during", "within", "over", "for") else lead
        return f"{lead} {first}".strip()
    if lead in ("after", "until", "till", "through", "by"):
        return f"{lead} {last}"
    return f"between {first} and {last}"


def _of_year(match: re.Match[str]) -> tuple[str, str] | None:
    """The first and the last month of the quarter or the half of a year that is named, whatever the day is."""
    half = match["half"] or match["nth_half"]
    year = match["of_year"] or match["nth_of"] or match["half_of"]
    if not year:
        return None
    if half:
        return (f"{year}-01", f"{year}-06") if half in ("1", "first", "1st") else (f"{year}-07", f"{year}-12")
    quarter = int(match["quarter"] or _QUARTERS[match["nth"]])
    return f"{year}-{quarter * 3 - 2:02}", f"{year}-{quarter * 3:02}"


def _span(match: re.Match[str], today: date) -> tuple[str, str] | None:
    """The first and the last date of the time, as exact as it is; None where it is none that has been."""
    if match["unit"]:
        return _of_unit(match["which"], match["unit"], today)
    if match["many"]:
        return _back(today, count(match["many"]), match["units"]).isoformat(), today.isoformat()
    if match["ago"]:
        return _whole(_back(today, count(match["ago"]), match["ago_of"]), match["ago_of"])
    if match["day"] or match["weekday"]:
        return _of_day(match["day"], match["weekday"], match["of_day"], today)
    if match["month"]:
        return _of_month(match["month"], match["of_month"].strip(), today)
    return _whole(date(today.year, int(match["quarter"]) * 3, 1), "quarter")


def _of_unit(which: str, unit: str, today: date) -> tuple[str, str] | None:
    """'Last year' is the one before this; 'the past year' ends today."""
    if which == "past":
        return _back(today, 1, unit).isoformat(), today.isoformat()
    back = {"this": 0, "current": 0, "last": 1, "previous": 1}.get(which)
    return None if back is None else _whole(_back(today, back, unit), unit)


def _of_day(day: str | None, weekday: str | None, which: str | None, today: date) -> tuple[str, str] | None:
    if day == "tomorrow" or which == "next":
        return None
    if weekday is None:
        return _whole(today - timedelta(days=day == "yesterday"), "day")
    ago = (today.weekday() - _DAYS.index(weekday)) % 7
    return _whole(today - timedelta(days=ago or (7 if which in ("last", "past") else 0)), "day")


def _of_month(month: str, which: str, today: date) -> tuple[str, str] | None:
    """The latest of its name that has begun; 'last march' is over."""
    number = MONTHS.index(month) + 1
    year = today.year - (number > today.month or (which == "last" and number == today.month))
    return None if which == "next" else (f"{year:04}-{number:02}",) * 2


def count(text: str) -> int:
    """How many a number is, in digits or as one of `FEW`; one where it is an article."""
    return int(text) if text.isdecimal() else FEW.index(text) + 1 if text in FEW else 1


def _back(today: date, count: int, unit: str) -> date:
    """The day as many units before *today*, or the last of its month where that is shorter."""
    if unit in ("day", "week"):
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * {"month": 1, "quarter": 3, "year": 12}[unit]
    day = today.day
    while True:
        try:
            return date(max(1, months // 12), months % 12 + 1, day)
        except ValueError:  # the 31st of a month of 30 days
            day -= 1


def _whole(day: date, unit: str) -> tuple[str, str]:
    """The first and the last date of the day, the week, the month, the quarter or the year that *day* is in."""
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return monday.isoformat(), (monday + timedelta(days=6)).isoformat()
    if unit == "quarter":
        first = (day.month - 1) // 3 * 3 + 1
        return f"{day.year:04}-{first:02}", f"{day.year:04}-{first + 2:02}"
    digits = {"day": 10, "month": 7, "year": 4}[unit]
    return (day.isoformat()[:digits],) * 2

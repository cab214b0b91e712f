"""The one parser of dates: days, months, quarters, years and times that count from today, as half-open ranges.

A range is `after <= day < before`, both ISO days; '' leaves that end open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from cortex.language.words import NUMBER_WORDS
from cortex.regex import regex

MONTHS: Final = "january february march april may june july august september october november december".split()
_CRON: Final = re.compile(r"(\d+) +(\d+) +(?:\*|(\d+)) +\* +(?:\*|([0-7]))")
WEEKDAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()

MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|(?:Nov|Dec)(?:ember)?)\b"
)

_COUNT: Final = rf"\d{{1,3}}|{'|'.join(NUMBER_WORDS)}|an?|a\s+few|a\s+couple\s+of"
_UNIT: Final = "day|week|month|quarter|year"
_TURNS: Final = {"last": 1, "previous": 1, "yesterday": 1, "next": -1, "coming": -1, "tomorrow": -1}
_MONTHS_IN: Final = {"month": 1, "quarter": 3, "year": 12}
_NTH: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_PARTS: Final = {"early": 1, "beginning": 1, "start": 1, "mid": 5, "middle": 5, "late": 9, "end": 9}
"""The first of the four months of each part of a year: 'late 2021' begins in September."""

_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b(?!\.\d)"
_DATE: Final = regex(
    rf"""\b(?:
      (?P<iso>{_YEAR}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?![\w-])(?:T[\d:.]+Z?)?
    | (?P<ymd>{_YEAR}[/-]\d{{1,2}}[/-]\d{{1,2}})(?![\w/-]) | (?P<dmy>\d{{1,2}}\.\d{{1,2}}\.{_YEAR})(?![\w.-]*\w)
    | (?P<part>early|late|mid|beginning|start|middle|end)[\s-]+(?:(?:in|of)\s+)?(?P<part_of>{_YEAR})
    | q(?P<q>[1-4])(?:[\s,-]+(?:of\s+)?(?P<q_of>{_YEAR}))?
    | (?P<nth_q>{"|".join(_NTH)})\s+quarter\s+(?:of\s+)?(?P<nth_of>{_YEAR})
    | (?:h(?P<h>[12])|(?P<nth_h>first|second|1st|2nd|last)\s+half)[\s,-]+(?:of\s+)?(?P<h_of>{_YEAR})
    | (?:(?P<d1>{_DAY})(?:\s+of)?,?\s+)?(?P<month>{MONTH})\.?(?:\s+(?P<d2>{_DAY})(?![\d:]))?
      (?:,?\s+(?:of\s+)?(?P<y>{_YEAR}))
    | (?P<d3>{_DAY})\s+(?:of\s+)?(?P<m3>{MONTH})|(?P<m4>{MONTH})\s+(?P<d4>{_DAY})(?!:)
    | (?P<which>last|past|previous|this|current|next|coming)\s+(?P<unit>{_UNIT})(?!\s+of\s)
    | (?:last|past|previous)\s+(?P<many>{_COUNT})\s+(?P<units>{_UNIT})s?
    | (?P<ago>{_COUNT})\s+(?P<ago_of>{_UNIT})s?\s+ago
    | (?P<rel>today|yesterday|tomorrow|tonight|now)
    | (?:(?P<wd_of>last|past|this|next)\s+)?(?P<weekday>{"|".join(WEEKDAYS)})
    | (?:(?<=in\s)|(?<=since\s)|(?<=before\s)|(?<=after\s)|(?<=until\s)|(?<=during\s)
      |(?P<m_of>last|this|next)\s+)(?P<m>{MONTH})
    | (?P<year>{_YEAR})(?![\w.-]|,\d)
    )\b""",
    re.X | re.I,
    beside=(
        *"0123456789", *"jan feb mar apr may jun jul aug sep oct nov dec".split(), "ago",
        *(day[:3].lower() for day in WEEKDAYS), "last", "past", "previous", "this", "current", "next", "coming", "now",
        "today", "yesterday", "tomorrow", "tonight",
    ),
)  # fmt: skip
_LEAD: Final = regex(
    r"\b(since|from|starting(?:\s+(?:in|on))?|after|before|prior\s+to|until|till|up\s+to|through|by|as\s+of|between|and"
    r"|to|or\s+later|in|on|at|during|within|over|for|for\s+the)\s+(?:the\s+)?(?:(?:end|start|beginning)\s+of\s+)?$",
    re.I,
)
_VAGUE: Final = regex(
    r"\b(?:recently|lately|nowadays|some\s?time\s+ago|(?:a\s+)?(?:few|several)\s+\w+s\s+ago|soon)\b", re.I
)


class DateSpan(NamedTuple):
    """A date as *text* has it: characters `start` to `end`, and the days `after <= day < before`."""

    start: int
    end: int
    after: str
    before: str

    @property
    def is_day(self) -> bool:
        """Whether it is one day, and no longer time."""
        return date.fromisoformat(self.before) - date.fromisoformat(self.after) == timedelta(days=1)

    @property
    def is_month(self) -> bool:
        """Whether it is one month of the calendar."""
        return _months(int(self.after[:4]), int(self.after[5:7]), 1) == tuple(map(date.fromisoformat, self[2:]))


class Period(NamedTuple):
    """The time that a text bounds, `after <= day < before`.

    Attributes:
        alone: the text names that time, with the words that lead it in, and nothing else.
    """

    after: str
    before: str
    alone: bool = False


def spoken_cron(line: str) -> str:
    """When the five fields of a crontab's *line* fall, in UTC; '' where they are no plain day or time.

    >>> spoken_cron("41 3 * * 6"), spoken_cron("0 0 1 * *"), spoken_cron("*/5 * * * *")
    ('every Saturday at 03:41 UTC', 'every month on day 1 at 00:00 UTC', '')
    """
    found = _CRON.fullmatch(line.strip())
    if not found:
        return ""
    minute, hour, day, weekday = found.groups()
    monthly = f"every month on day {day}" if day else "every day"
    on = f"every {WEEKDAYS[int(weekday) - 1].title()}" if weekday else monthly
    return f"{on} at {hour:0>2}:{minute:0>2} UTC"


def dates(text: str, today: date | None = None) -> Iterator[DateSpan]:
    """Each date of *text* in order; what counts from *today* is left out where that is not given.

    >>> [(one.after, one.before) for one in dates("Merged 3 May 2024, released in Q1 2025")]
    [('2024-05-03', '2024-05-04'), ('2025-01-01', '2025-04-01')]
    """
    for found in _DATE.finditer(text):
        if days := _range(found, today):
            yield DateSpan(*found.span(), *(day.isoformat() for day in days))


def period(text: str, today: date | None = None) -> Period:
    """The time that the dates of *text* and the words before them bound; both ends '' where it names none.

    >>> period("what changed between March 2024 and June 2024?")[:2]
    ('2024-03-01', '2024-07-01')
    >>> period("merged since last week", date(2026, 11, 22))[:2], period("before 2024")[:2]
    (('2026-11-09', ''), ('', '2024-01-01'))
    """
    after = before = previous = ""
    spans, unclear = [], _VAGUE.search(text) is not None
    for one in dates(text, today):
        lead = _LEAD.search(text, max(0, one.start - 40), one.start)
        word = " ".join(lead[1].lower().split()) if lead else ""
        start, end = _bounded(word, one, previous)
        if today and start > today.isoformat():
            unclear = True
            continue
        after, before, previous = (start or after), (end or before), word
        spans += [lead.start() if lead else one.start, one.end]
    return Period(after, before, alone=not unclear and spans[:1] == [0] and spans[-1] == len(text))


def _bounded(lead: str, one: DateSpan, previous: str) -> tuple[str, str]:
    if lead in ("since", "from", "between") or lead.startswith("starting"):
        return one.after, ""
    if lead == "after":
        return one.before, ""
    if lead in ("before", "prior to"):
        return "", one.after
    closes = lead in ("until", "till", "up to", "through", "by", "as of")
    if closes or (lead in ("and", "to") and previous in ("between", "from")):
        return "", one.before
    return one.after, one.before


def _range(found: re.Match[str], today: date | None) -> tuple[date, date] | None:
    """The first day of a date and the first after it; None where it is none, or counts from an unknown day."""
    try:
        return _named(found) or (_counted(found, today) if today else None)
    except (ValueError, OverflowError):  # 31 June
        return None


def _named(found: re.Match[str]) -> tuple[date, date] | None:
    if written := found["iso"] or found["ymd"] or found["dmy"]:
        return _days(*(int(one) for one in re.split(r"[-/.]", written)[:: -1 if found["dmy"] else 1]))
    if found["part"]:
        return _months(int(found["part_of"]), _PARTS[found["part"].lower()], 4)
    if year := found["q_of"] or found["nth_of"]:
        quarter = int(found["q"]) if found["q"] else _NTH[found["nth_q"].lower()]
        return _months(int(year), quarter * 3 - 2, 3)
    if found["h_of"]:
        is_first = (found["h"] or found["nth_h"].lower()) in ("1", "first", "1st")
        return _months(int(found["h_of"]), 1 if is_first else 7, 6)
    if found["y"]:
        day = found["d1"] or found["d2"]
        return _days(int(found["y"]), _month(found["month"]), *([_number(day)] if day else []))
    return _months(int(found["year"]), 1, 12) if found["year"] else None


def _counted(found: re.Match[str], today: date) -> tuple[date, date]:
    if name := found["m3"] or found["m4"]:
        first, end = _days(today.year, _month(name), _number(found["d3"] or found["d4"]))
        return (first, end) if first <= today else _days(today.year - 1, first.month, first.day)
    if found["weekday"]:
        which = (found["wd_of"] or "").lower()
        ago = (today.weekday() - WEEKDAYS.index(found["weekday"].lower())) % 7 or 7 * (which in ("last", "past"))
        return _whole(today - timedelta(days=ago - 7 * (which == "next")), "day")
    if found["q"]:
        return _months(today.year, int(found["q"]) * 3 - 2, 3)
    if found["m"]:
        number, which = _month(found["m"]), (found["m_of"] or "").lower()
        past = which != "next" and (number > today.month or (which == "last" and number == today.month))
        return _months(today.year - past, number, 1)
    return _ago(found, today)


def _ago(found: re.Match[str], today: date) -> tuple[date, date]:
    """'Last year' is the one before this; 'the past year' ends today."""
    which = (found["which"] or found["rel"] or "").lower()
    unit = (found["unit"] or found["units"] or found["ago_of"] or "day").lower()
    if many := "1" if which == "past" else found["many"]:
        return _back(today, _number(many), unit), today + timedelta(days=1)
    return _whole(_back(today, _number(found["ago"]) if found["ago"] else _TURNS.get(which, 0), unit), unit)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def _number(text: str) -> int:
    digits = re.sub(r"\D", "", text)
    return (
        int(digits) if digits else NUMBER_WORDS.get(text.lower(), 2 if "couple" in text else 3 if "few" in text else 1)
    )


def _days(year: int, month: int, day: int = 0) -> tuple[date, date]:
    return _whole(date(year, month, day), "day") if day else _months(year, month, 1)


def _months(year: int, month: int, many: int) -> tuple[date, date]:
    end = year * 12 + month - 1 + many
    return date(year, month, 1), date(end // 12, end % 12 + 1, 1)


def _back(today: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * _MONTHS_IN[unit]
    end = _months(max(1, months // 12), months % 12 + 1, 1)[1]
    return end - timedelta(days=max(1, end.day + (end - timedelta(days=1)).day - today.day))


def _whole(day: date, unit: str) -> tuple[date, date]:
    if unit == "day":
        return day, day + timedelta(days=1)
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=7)
    many = _MONTHS_IN[unit]
    return _months(day.year, (day.month - 1) // many * many + 1, many)

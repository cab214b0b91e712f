"""Periods as questions name them, 'in March 2024', 'last week', 'since 2024-05-01': the first day and the day after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from cortex.regex import regex

_DAY: Final = regex(r"((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?")
_NUMBER: Final = regex(r"(\d{1,2})(?:st|nd|rd|th)?")
_QUARTER: Final = regex(r"([qh])([1-4])")
_LATEST: Final = date(9999, 1, 1)


class Period(NamedTuple):
    """Days from *since* up to the one before *until*, ISO 8601; '' where there is no bound."""

    since: str
    until: str


Days = tuple[date, date]


def period(words: Sequence[str], today: date | None, names: Mapping[str, Mapping[str, str]]) -> Period | None:
    """The period that *words* name, preposition included; None where they name none or none without knowing *today*.

    Args:
        names: of `months` the number, of `units`, of `bounds` which side a preposition leaves open, of `days` and of
            `relative` words ('last') how far back they are.

    >>> names = {"months": {"march": "3"}, "bounds": {"since": "since", "in": "within"}}
    >>> period(["in", "march", "2024"], None, names)
    Period(since='2024-03-01', until='2024-04-01')
    """
    bound = names["bounds"].get(words[0], "") if words else ""
    rest = [word for word in (words[1:] if bound else words) if word not in ("the", "of")]
    try:
        if bound == "between" and "and" in rest:
            place = rest.index("and")
            first, last = (_days(part, today, names) for part in (rest[:place], rest[place + 1 :]))
            return Period(_iso(first[0]), _iso(last[1])) if first and last else None
        days = _days(rest, today, names)
    except (ValueError, OverflowError):
        return None
    if days is None:
        return None
    sides = {"since": (days[0], None), "after": (days[1], None), "before": (None, days[0]), "until": (None, days[1])}
    since, until = sides.get(bound, days)
    return Period(_iso(since), _iso(until))


def _iso(day: date | None) -> str:
    return day.isoformat() if day and day < _LATEST else ""


def _days(words: Sequence[str], today: date | None, names: Mapping[str, Mapping[str, str]]) -> Days | None:
    text = " ".join(words)
    if not words:
        return None
    if match := _DAY.fullmatch(text):
        return _span(*(int(one) if one else 0 for one in match.groups()))
    months = names["months"]
    month = next((int(months[word]) for word in words if word in months), 0)
    if month:
        return _of_month(month, [word for word in words if word not in months], today)
    if match := _QUARTER.fullmatch(words[0]):
        return _of_part(match[1] == "h", int(match[2]), words[1:], today)
    return _relative(words, today, names) if today else None


def _of_month(month: int, rest: Sequence[str], today: date | None) -> Days | None:
    """*month*, of a year and a day where *rest* names them; without a year the last that has begun."""
    year = next((int(word) for word in rest if _DAY.fullmatch(word) and len(word) == len("2024")), 0)
    others = [word for word in rest if word != str(year)]
    match = _NUMBER.fullmatch(others[0]) if len(others) == 1 else None
    if (others and not match) or not (year or today):
        return None
    day = int(match[1]) if match else 0
    if not year and today:
        year = today.year - ((month, day) > (today.month, today.day))
    return _span(year, month, day)


def _of_part(half: bool, number: int, rest: Sequence[str], today: date | None) -> Days | None:  # noqa: FBT001
    length = 6 if half else 3
    first = (number - 1) * length + 1
    year = int(rest[0]) if len(rest) == 1 and _DAY.fullmatch(rest[0]) else today.year if today and not rest else 0
    return (date(year, first, 1), _month_after(date(year, first, 1), length)) if year and first <= 12 else None


def _relative(words: Sequence[str], today: date, names: Mapping[str, Mapping[str, str]]) -> Days | None:
    text = " ".join(words)
    if text in names["days"]:
        day = today - timedelta(days=int(names["days"][text]))
        return day, day + timedelta(days=1)
    back = names["relative"].get(words[0])
    unit = names["units"].get(words[-1])
    if back is None or unit is None:
        return None
    if len(words) == 3 and words[1].isdecimal():
        return _back(today, unit, int(words[1])), today + timedelta(days=1)
    return _unit(today, unit, int(back)) if len(words) == 2 else None


def _back(today: date, unit: str, count: int) -> date:
    days = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}[unit]
    return today - timedelta(days=days * count)


def _unit(today: date, unit: str, back: int) -> Days:
    if unit == "day":
        day = today - timedelta(days=back)
        return day, day + timedelta(days=1)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=7)
    length = {"month": 1, "quarter": 3, "year": 12}[unit]
    begun = date(today.year, (today.month - 1) // length * length + 1, 1)
    first = _month_after(begun, -length * back)
    return first, _month_after(first, length)


def _month_after(day: date, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _span(year: int, month: int = 0, day: int = 0) -> Days:
    if day:
        one = date(year, month, day)
        return one, one + timedelta(days=1)
    return (
        (date(year, month, 1), _month_after(date(year, month, 1), 1))
        if month
        else (date(year, 1, 1), date(year + 1, 1, 1))
    )

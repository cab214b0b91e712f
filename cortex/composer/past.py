"""Which day a question asks for the value of: 'What was the timeout in March 2023?' asks for what was valid then."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Final, NamedTuple

from cortex.composer.dates import DATE, date_of

_WHEN: Final = re.compile(
    rf"(?:,\s*|\b)(?:back\s+)?(?:(?P<lead>before|until)|(?P<begun>(?:at|in)\s+the\s+(?:start|beginning)\s+of)"
    rf"|(?:at|by)\s+the\s+end\s+of|as\s+of|in|on|at|during|by)\s+(?P<date>{DATE.pattern})\s*,?",
    re.I,
)
_HELD: Final = re.compile(
    r"^\W*(?:(?:what|which)\b[^?]*?\b(?:was|were)\b"
    r"(?=[^?]*\b(?:time-?outs?|limits?|sizes?|intervals?|defaults?|maximum|minimum|max|min|thresholds?|ports?|versions?"
    r"|values?|quotas?|ttl|retention|periods?|delays?|windows?|lengths?|widths?|heights?|capacity|price|fee|settings?)\b)"
    r"|how\s+(?:large|big|wide|high)\b[^?]*?\b(?:was|were)\b"
    r"|how\s+(?:long|often|many|much)\b[^?]*?\b(?:was|were|did)\b(?=[^?]*\b(?:keep|kept|stored?|retain(?:ed)?|cached?"
    r"|held|hold|valid|allow(?:ed)?|poll(?:ed)?|retry|retried|rotated?|refresh(?:ed)?)\b))",
    re.I,
)
"""What asks for that which holds until it is changed, not for what happened."""

_HAPPENED: Final = re.compile(
    r"\b(?:releas\w+|merg\w+|chang\w+|rais\w+|lower\w+|bump\w+|introduc\w+|add(?:ed|ing)|fix\w+|remov\w+|decid\w+"
    r"|report\w+|lost|affected|outages?|incidents?|down)\b",
    re.I,
)
_WAS: Final = re.compile(r"\b(?:was|were|did)\b", re.I)
_IS: Final = {"was": "is", "were": "are", "did": "does"}


class Past(NamedTuple):
    """A question for a value that was valid at a time, asked as if it were now.

    Attributes:
        as_of: the end of that time, ISO 8601.
        date: the beginning of all its days: '2023-03'.
    """

    text: str
    as_of: str
    date: str


def asked_of_past(text: str, *, now: str) -> Past | None:
    """What *text* asks for, where that is how a thing was at one time before *now*; None where it asks for no such.

    >>> asked_of_past("What was the idle timeout in March 2023?", now="")
    Past(text='What is the idle timeout?', as_of='2023-03-31T23:59:59Z', date='2023-03')
    >>> asked_of_past("How many people were affected in March 2023?", now="")
    """
    when = _WHEN.search(text)
    if when is None or len(DATE.findall(text)) > 1:
        return None
    rest = f"{text[: when.start()].rstrip()} {text[when.end() :].lstrip()}".replace(" ?", "?").strip()
    if not _HELD.search(rest) or _HAPPENED.search(rest):
        return None
    told = DATE.match(text, when.start("date"))
    day = date_of(told) if told else ""
    before = bool(when["lead"] or when["begun"])
    as_of = _end(day, before=before)
    if not as_of or (now and as_of > now):
        return None
    return Past(_WAS.sub(lambda match: _IS[match[0].lower()], rest, count=1), as_of, "" if before else day)


def _end(day: str, *, before: bool) -> str:
    """When the year, the month or the day that begins so ends, or what comes *before* it does; '' for no day."""
    year, month, number = (*map(int, day.split("-")), 0, 0)[:3]
    try:
        if before:
            last = date(year, month or 1, number or 1) - timedelta(days=1)
        else:
            last = date(year, month or 12, number or monthrange(year, month or 12)[1])
    except ValueError:
        return ""
    return f"{last.isoformat()}T23:59:59Z"

"""Numbers with their units, normalised: '1 minute' is '60 s', and '5 peers' are no '5 snapshots'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cortex.language.dates import MONTHS
from cortex.language.words import NUMBER_WORDS, STOP_WORDS
from cortex.regex import regex

LONGEST: Final = 4_000  # characters of a text in which they are looked for

_TIME: Final = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "millisecond": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0,
    "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0, "d": 86_400.0, "day": 86_400.0,
    "week": 604_800.0, "month": 2_592_000.0, "year": 31_536_000.0,
}  # fmt: skip
_DATA: Final = {
    "b": 1.0,
    "byte": 1.0,
    **{f"{first}{rest}": 1024.0**power for power, first in enumerate("kmgtp", 1) for rest in ("b", "ib")},
    **{f"{name}byte": 1024.0**power for power, name in enumerate(("kilo", "mega", "giga", "tera"), 1)},
}
_UNITS: Final[Mapping[str, tuple[str, float]]] = {
    unit: (kind, size) for kind, units in (("duration", _TIME), ("data", _DATA)) for unit, size in units.items()
} | {"percent": ("%", 1.0), "°c": ("°c", 1.0), "c": ("°c", 1.0)}
"""Of each unit what it measures, and how much of it that is."""

_QUANTITY: Final = regex(
    r"(?<![\w.,#])(?:(?P<number>\d{1,12}(?:[.,_]\d{1,12}){0,8})"
    rf"|(?P<word>half an?|{'|'.join(NUMBER_WORDS)})(?=[\s-]))"
    r"(?:[\s-]?(?P<unit>%|[A-Za-zµ°]{1,40}+))?(?![\w(]|[-/:]\d)",
    re.I,
)
_BARE: Final = regex(r"(?<![\w#./:-])v?(\d{1,9}(?:[.:_]\d{1,9}){0,4})(?![\w%/-])", re.I)
_THOUSANDS: Final = regex(r"[,_](?=\d{3}(?:\D|$))")


def quantity(text: str) -> str:
    """The first of *text*, its value and what it measures or counts; '' where there is none.

    The value is in seconds or bytes where it measures these; else as written: version 3.10 is not 3.1.

    >>> [quantity(text) for text in ("half an hour", "90 minutes", "5 peers", "4 GB", "v1.10", "many")]
    ['1800 duration', '5400 duration', '5 peer', '4294967296 data', '1.10 ', '']
    """
    text = text[:LONGEST]
    found = next(((place, told) for place in _QUANTITY.finditer(text) if (told := _measured(place))), None)
    bare = _BARE.search(text, 0, found[0].start() if found else len(text))
    return f"{_THOUSANDS.sub('', bare[1])} " if bare else found[1] if found else ""


def _measured(found: re.Match[str]) -> str:
    """What is found with what it counts; '' where nothing follows that could be counted."""
    unit = _singular((found["unit"] or "").casefold())
    if not unit or unit in STOP_WORDS or unit in MONTHS or unit == "now":
        return ""
    kind, size = _UNITS.get(unit, (unit, 0.0))
    plain = _THOUSANDS.sub("", found["number"] or "").replace(",", ".").replace("_", "")
    head, dot, rest = plain.partition(".")
    number = float(f"{head}{dot}{rest.replace('.', '')}") if head else NUMBER_WORDS.get(found["word"].casefold(), 0.5)
    return f"{plain if dot and not size else f'{number * (size or 1):.12g}'} {kind}"


def _singular(unit: str) -> str:
    if len(unit) < 4 or unit.endswith("ss"):
        return unit
    return f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")

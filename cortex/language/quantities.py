"""Numbers with their units, normalised: '1 minute' is '60 s', and '5 peers' are no '5 snapshots'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

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


class Quantity(NamedTuple):
    """So many of something.

    Attributes:
        kind: what it measures ('duration', 'data', '%', '°c') or counts, in the singular; '' of a bare number.
        value: the number, in seconds or bytes where it measures these; else as written: version 3.10 is not 3.1.
    """

    kind: str
    value: str
    start: int
    end: int


def quantities(text: str) -> Iterator[Quantity]:
    """Those of *text* in order, bare numbers and versions with kind ''.

    >>> [(one.kind, one.value) for one in quantities("Half an hour, then 90 minutes for 5 peers, 4 GB and v1.10.")]
    [('duration', '1800'), ('duration', '5400'), ('peer', '5'), ('data', '4294967296'), ('', '1.10')]
    """
    at = 0
    for found in _QUANTITY.finditer(text[:LONGEST]):
        if one := _measured(found):
            yield from _bare(text, at, one.start)
            yield one
            at = one.end
    yield from _bare(text, at, min(len(text), LONGEST))


def _bare(text: str, start: int, end: int) -> Iterator[Quantity]:
    for found in _BARE.finditer(text, start, end):
        yield Quantity("", _THOUSANDS.sub("", found[1]), *found.span())


def _measured(found: re.Match[str]) -> Quantity | None:
    """What is found with what it counts; None where nothing follows that could be counted."""
    unit = _singular((found["unit"] or "").casefold())
    if not unit or unit in STOP_WORDS or unit in MONTHS or unit == "now":
        return None
    kind, size = _UNITS.get(unit, (unit, 0.0))
    plain = _THOUSANDS.sub("", found["number"] or "").replace(",", ".").replace("_", "")
    head, dot, rest = plain.partition(".")
    number = float(f"{head}{dot}{rest.replace('.', '')}") if head else NUMBER_WORDS.get(found["word"].casefold(), 0.5)
    return Quantity(kind, plain if dot and not size else f"{number * (size or 1):.12g}", *found.span())


def _singular(unit: str) -> str:
    if len(unit) < 4 or unit.endswith("ss"):
        return unit
    return f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")

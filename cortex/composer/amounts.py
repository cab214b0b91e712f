"""The amounts in a text by what they count: '1 minute' is '60 s', and '5 peers' are no '5 snapshots'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.times import MONTHS
from cortex.language.words import STOP_WORDS

LONGEST: Final = 4_000
"""Characters of a text in which they are looked for."""

NAME: Final = "a name"
"""What an amount counts that is none but a name in its place: 'changed to zstd'."""

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
_UNITS: Final = MappingProxyType(
    {unit: (kind, size) for kind, units in (("duration", _TIME), ("data", _DATA)) for unit, size in units.items()}
    | {"percent": ("%", 1.0), "°c": ("°c", 1.0), "c": ("°c", 1.0)}
)
"""Of each unit what it measures, and how much of it that is."""

_COUNTED: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,#])(?:(?P<number>\d{{1,12}}(?:[.,]\d{{1,12}}){{0,8}})|(?P<word>half an?|{'|'.join(_COUNTED)})(?=\s))"
    r"(?:\s?(?P<unit>%|[A-Za-zµ°]{1,40}+))?(?![\w(]|[-/:]\d)",
    re.I,
)
_BARE: Final = re.compile(r"(?<![\w#./:-])v?(\d{1,9}(?:[.:]\d{1,9}){0,4})(?![\w%/-])", re.I)
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?:\D|$))")
_PLACED: Final = re.compile(r"(?:\b(?:to|is|are|now|be)|[:=])\s+$", re.I)
_PLACE_ENDS: Final = re.compile(r"\s*(?:$|[.,;!)](?!\w)|now\b)", re.I)
_NAMED: Final = re.compile(r"\b(?:to|is|are)\s+(?:now\s+)?[`\"']?(?P<name>[^\W\d][\w/+.:-]{0,80}\w)[`\"']?\W*$", re.I)


class Amount(NamedTuple):
    """So many of something.

    Attributes:
        kind: what it counts or measures; '' of a bare number.
        value: the number, in the least unit of what is measured; else as it is written: version 3.10 is not 3.1.
    """

    kind: str
    value: str
    start: int
    end: int


def amounts(text: str) -> Iterator[Amount]:
    """Those in *text*, in order; a bare number only where it is what something is set to.

    >>> [(one.kind, one.value) for one in amounts("It was half an hour, now it is 90 minutes for 5 peers.")]
    [('duration', '1800'), ('duration', '5400'), ('peer', '5')]
    """
    for found in _AMOUNT.finditer(text[:LONGEST]):
        unit, end = _singular((found["unit"] or "").casefold()), found.end()
        if unit in STOP_WORDS or unit == "now":
            unit, end = "", found.start("unit")
        if unit in MONTHS or (not unit and (found["word"] or not _is_placed(text, found.start(), end))):
            continue
        kind, size = _UNITS.get(unit, (unit, 0.0))
        yield Amount(kind, f"{_number(found) * size:.12g}" if size else _written(found), found.start(), end)


def by_kind(text: str) -> dict[str, set[str]]:
    """The values in *text*, by what they count."""
    found: dict[str, set[str]] = {}
    for one in amounts(text):
        found.setdefault(one.kind, set()).add(one.value)
    return found


def without(text: str, found: Iterable[Amount]) -> str:
    """*text* with a blank for each amount that was *found* in it."""
    for one in sorted(found, key=lambda one: -one.start):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def values(text: str) -> frozenset[tuple[str, str]]:
    """What each amount in *text* counts, and its value; of a bare number, wherever it stands, '' and the number.

    >>> sorted(values("Require Python 3.11 and 4 GB, see #9"))
    [('', '3.11'), ('data', '4294967296')]
    """
    found = [*amounts(text)]
    numbers = (match[1] for match in _BARE.finditer(without(text[:LONGEST], found)))
    return frozenset([*((one.kind, one.value) for one in found), *(("", number) for number in numbers)])


def bare(text: str) -> str:
    """*text* without its numbers and what they count."""
    return _BARE.sub(" ", without(text, amounts(text)))


def named(sentence: str) -> Amount | None:
    """The name that *sentence* ends with as what something is, or was set to: 'The codec is gzip.'."""
    found = _NAMED.search(sentence[:LONGEST])
    return Amount(NAME, found["name"].casefold(), *found.span("name")) if found else None


def given(sentence: str) -> list[Amount]:
    """The amounts that *sentence* gives, or the one name it ends with."""
    return [*amounts(sentence)] or [*filter(None, [named(sentence)])]


def _is_placed(text: str, start: int, end: int) -> bool:
    ends = _PLACE_ENDS.match(text, end)
    return ends is not None and (
        ends[0].strip().casefold() == "now" or _PLACED.search(text[max(0, start - 9) : start]) is not None
    )


def _singular(unit: str) -> str:
    if len(unit) < 4 or unit.endswith("ss"):
        return unit
    return f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")


def _number(found: re.Match[str]) -> float:
    if found["word"]:
        word = found["word"].casefold()
        return _COUNTED.index(word) + 1.0 if word in _COUNTED else 0.5
    head, dot, rest = _whole(found).partition(".")
    return float(f"{head}{dot}{rest.replace('.', '')}")


def _written(found: re.Match[str]) -> str:
    return _whole(found) if found["number"] and "." in _whole(found) else f"{_number(found):.12g}"


def _whole(found: re.Match[str]) -> str:
    return _THOUSANDS.sub("", found["number"]).replace(",", ".")

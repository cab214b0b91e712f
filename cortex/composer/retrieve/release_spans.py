"""Which releases a question bounds: those of a line of versions, before or after a version, of some days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from cortex.composer.dates import DATE, date_of
from cortex.composer.retrieve.changelogs import VERSION, Part, Place, place_of
from cortex.composer.times import with_dates

BOUND: Final = re.compile(
    r"\b(?:(?P<above>since|after|from|between|newer(?: (?:version|release))? than|follow\w+)"
    r"|(?P<below>before|prior to|older than|preced\w+)|(?P<to>until|till|up to|through|to|and))"
    rf"\s+(?:(?:the|version|release)\s+)*v?(?P<version>{VERSION})(?![\w]|\.\d)",
    re.I,
)
_NUMBERS: Final = r"v?(?P<{}>\d{{1,4}}(?:\.\d{{1,4}})*)(?:\.[x*](?![\w.]))?"
_LINE: Final = re.compile(
    r"\b(?P<end>latest|newest|last|current|most recent|first|oldest|earliest|previous)\s+(?:stable\s+)?(?:"
    rf"{_NUMBERS.format('before')}\s+(?:(?:patch|bugfix)\s+)?(?P<noun>release|version)\b"
    rf"|(?:(?:patch|bugfix)\s+)?(?P<of>release|version)\s+(?:of|in|for)\s+(?:the\s+)?{_NUMBERS.format('after')}"
    r"(?:\s+(?:line|series|branch))?(?=\W*$))",
    re.I,
)
_LEAD: Final = re.compile(
    r"\b(?:(?P<above>since|from|between)|(?P<beyond>after)|(?P<below>before|prior to|older than)"
    r"|(?P<to>until|till|by|as of|up to|through)|in|on|during|of|for|at|(?P<and>and))\s+"
    r"(?:the\s+)?(?:(?:year|month)\s+)?$",
    re.I,
)
_LONGEST_LEAD: Final = 30
_CURRENT: Final = re.compile(r"\bcurrent\b", re.I)


class Spans(NamedTuple):
    """What a question asks without the times and the line it names, and these.

    Attributes:
        days: each with how a release's own has to stand to it: 'above', 'beyond', 'below', 'to' or 'in'.
        line: the numbers a version begins with; () of any.
    """

    text: str
    days: tuple[tuple[str, str], ...]
    line: tuple[int, ...]

    def hold(self, part: Part) -> bool:
        """Whether its release is surely of them: what has no day is of none."""
        of_line = not part.version or part.place[0][: len(self.line)] == self.line
        return of_line and all(_stands(part, how, day) for how, day in self.days)


def spans_of(text: str, today: date | None) -> Spans | None:
    """What *text* bounds; None where it names a time that is not clear."""
    dated = with_dates(text.lower(), today)
    if dated.unclear:
        return None
    days: list[tuple[str, str]] = []
    within = "to" if _CURRENT.search(dated.text) else "in"
    rest, at = [], 0
    for match in DATE.finditer(dated.text):
        if dated.text[match.end() : match.end() + 2].strip(" ?!,;")[:1] == "." and match["day"] is None:
            continue  # the version 2024.2
        before = dated.text[at : match.start()]
        lead = _LEAD.search(before, max(0, len(before) - _LONGEST_LEAD))
        days.append((_how(lead, days, within), date_of(match)))
        rest.append(before[: lead.start()] if lead else before)
        at = match.end()
    bare = " ".join((*rest, dated.text[at:]))
    line = _LINE.search(bare)
    if line is None:
        return Spans(bare, tuple(days), ())
    numbers = tuple(map(int, (line["before"] or line["after"]).split(".")))
    bare = f"{bare[: line.start()]}{line['end']} {line['noun'] or line['of']}{bare[line.end() :]}"
    return Spans(bare, tuple(days), numbers)


def _how(lead: re.Match[str] | None, before: Sequence[tuple[str, str]], within: str) -> str:
    named = next((name for name, said in lead.groupdict().items() if said), within) if lead else within
    if named == "and":
        return "to" if before and before[-1][0] == "above" else within
    return named


def _stands(part: Part, how: str, day: str) -> bool:
    own = part.day[: len(day)]
    if not own or (len(own) < len(day) and how not in ("below", "to")):
        return False
    match how:
        case "above":
            return own >= day
        case "beyond":
            return own > day
        case "below":
            return part.last_day < day
        case "to":
            return part.last_day[: len(day)] <= day
        case _:
            return own == day


def _is_within(place: Place, bound: re.Match[str], text: str) -> bool:
    """Whether a version that stands at *place* is on the side of a `BOUND` of *text* that is asked for."""
    border = place_of(bound["version"])
    if bound["above"]:
        return place > border
    if bound["below"]:
        return place < border
    return place <= border or (bound["to"].lower() == "and" and "between" not in text.lower())


def within(parts: Sequence[Part], bounds: Sequence[re.Match[str]], text: str) -> list[Part]:
    """Those of *parts* on the side of each of *bounds*, of *text*, that is asked for."""
    return [part for part in parts if all(_is_within(part.place, bound, text) for bound in bounds)]


def of_their_days(released: Sequence[Part], parts: Sequence[Part], bounds: Sequence[re.Match[str]]) -> list[Part]:
    """*released*, the nearest to the bound first, but what was made on the other side of its day: a later repair."""
    bound = bounds[0]
    days = {part.log: part for part in parts if part.day and part.place == place_of(bound["version"])}
    if bound["above"]:
        return [part for part in released[::-1] if not is_later(days.get(part.log), part)]
    return [part for part in released if not is_later(part, days.get(part.log))]


def is_later(part: Part | None, other: Part | None) -> bool:
    """Whether *part* is surely of a later day than *other*."""
    return part is not None and other is not None and "" < other.last_day < part.day


def of_bound_logs(parts: Sequence[Part], bounds: Sequence[re.Match[str]]) -> list[Part]:
    """Of *parts* those of the changelogs that hold a version of *bounds*, or one that begins with its numbers."""
    borders = [_numbers(bound["version"]) for bound in bounds]
    logs = {
        part.log
        for part in parts
        if part.version and any(part.place[0][: len(border)] == border for border in borders)
    }  # fmt: skip
    return [part for part in parts if part.log in logs]


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version as it is written: (5, 1) of '5.1', which 5.1.3 begins with."""
    return tuple(map(int, re.match(r"[\d.]*\d", version)[0].split(".")))  # type: ignore[index]  # VERSION begins so

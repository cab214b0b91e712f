"""Releases, as changelogs tell them, else titles of commits and pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cortex.language.patterns import patterns
from cortex.regex import regex
from cortex.substrate.lookups import Note, release_notes
from cortex.substrate.reading import Reader

_ISO: Final = regex(r"\b((?:19|20)\d\d)[-/.](\d\d?)[-/.](\d\d?)\b")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED: Final = regex(
    rf"\b(?:(?P<before>\d\d?)(?:st|nd|rd|th)?\s+)?(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?,?\s+"
    r"(?:(?P<after>\d\d?)(?:st|nd|rd|th)?,?\s+)?(?P<year>(?:19|20)\d\d)\b",
    re.I,
)
_OPENING: Final = 160  # characters at the beginning of a release's notes that may tell its day


class Release(NamedTuple):
    """A release.

    Attributes:
        day: ISO 8601; '' where nothing tells it.
        notes: what tells of it, its first part first.
        pending: not released yet.
    """

    version: str
    day: str
    notes: tuple[Note, ...]
    pending: bool = False

    @property
    def place(self) -> tuple[tuple[int, ...], bool, tuple[int, ...]]:
        """By which the newest is the largest: 2.0rc1, 2.0, 2.0.post1, 2.0.1."""
        return place_of(self.version)

    @property
    def final(self) -> bool:
        """Whether it is no candidate."""
        return self.place[1]


def place_of(version: str) -> tuple[tuple[int, ...], bool, tuple[int, ...]]:
    """Where *version* stands among all: '2.0' where '2.0.0' does.

    >>> place_of("2.0-rc1") < place_of("2.0") == place_of("2.0.0") < place_of("2.0.1")
    True
    """
    base = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [*map(int, base[0].split("."))] if base else []
    rest = tuple(map(int, re.findall(r"\d+", version[base.end() :]))) if base else ()
    return (
        tuple(numbers + [0] * (5 - len(numbers))),
        patterns("releases", "titles")["candidate"].search(version) is None,
        rest,
    )


def releases(reader: Reader) -> list[Release]:
    """The releases that were known, the newest first; pending ones before."""
    notes = release_notes(reader)
    logs = [
        (note, _heading(note))
        for note in notes
        if note.type == "doc" and patterns("releases", "titles")["file"].search(note.path)
    ]
    depth = min((note.path.count("/") for note, heading in logs if heading), default=0)
    parts = [(note, heading) for note, heading in logs if heading and note.path.count("/") == depth]
    by_title = _titled(notes)
    found = [_release(version, [one for one, (named, _) in parts if named == version], by_title)
             for version in dict.fromkeys(heading[0] for _, heading in parts)]  # fmt: skip
    found = found or [*by_title.values()]
    return sorted(_known(found, reader.as_of), key=lambda one: (one.pending, one.place), reverse=True)


def titled(reader: Reader) -> list[Release]:
    """The releases that titles of commits and pull requests tell of."""
    return _known(_titled(release_notes(reader)).values(), reader.as_of)


def _titled(notes: Iterable[Note]) -> dict[tuple[object, ...], Release]:
    found: dict[tuple[object, ...], Release] = {}
    for note in sorted(notes, key=lambda one: one.day):
        match = patterns("releases", "titles")["title"].match(note.title) if note.type != "doc" else None
        if match:
            found.setdefault(place_of(match["version"]), Release(match["version"], note.day[:10], (note,)))
    return found


def _heading(note: Note) -> tuple[str, str] | None:
    for heading in note.title.split(" › ")[::-1]:
        if patterns("releases", "titles")["unreleased"].fullmatch(heading):
            return "", heading
        if match := patterns("releases", "titles")["heading"].match(heading.strip()):
            return match["version"], heading[match.end() :]
    return None


def _release(version: str, notes: Sequence[Note], by_title: Mapping[tuple[object, ...], Release]) -> Release:
    notes = sorted(notes, key=lambda one: one.line)
    heading = (_heading(notes[0]) or ("", ""))[1]
    told = f"{heading}\n{notes[0].opening[:_OPENING]}"
    day = _day(heading) or _day(notes[0].opening[:_OPENING])
    pending = not version or (not day and patterns("releases", "titles")["pending"].search(told) is not None)
    if not day and not pending and (release := by_title.get(place_of(version))):
        day = release.day
    return Release(version, day, tuple(notes), pending)


def _day(text: str) -> str:
    if match := _ISO.search(text):
        return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
    if match := _NAMED.search(text):
        month, day = _MONTHS.index(match["month"].lower()) + 1, match["before"] or match["after"]
        return f"{match['year']}-{month:02}" + (f"-{int(day):02}" if day else "")
    return ""


def _known(found: Iterable[Release], as_of: str) -> list[Release]:
    """Those made by then; one without a day was made where a later one was."""
    found = [*found]
    if not as_of:
        return found
    dated = [one for one in found if one.day and one.day <= as_of[:10]]
    newest = max((one.place for one in dated), default=None)
    return dated + [one for one in found if not one.day and not one.pending and newest and one.place < newest]

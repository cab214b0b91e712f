"""Releases: of the parts of changelogs that tell of them, else of tags, else of titles of commits and pull requests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cortex.language.changelogs import Place, place_of
from cortex.substrate.lookups import Note, release_notes
from cortex.substrate.reading import Reader

_ORDER = {"doc": 0, "release": 1}


class Release(NamedTuple):
    """A release.

    Attributes:
        day: ISO 8601, to the second where a tag tells it; '' where nothing does.
        notes: what tells of it best: the parts of a changelog in their order, a tag, or a title.
        pending: not released yet.
    """

    version: str
    day: str
    notes: tuple[Note, ...]
    pending: bool = False

    @property
    def place(self) -> Place:
        """By which the newest is the largest."""
        return place_of(self.version)

    @property
    def final(self) -> bool:
        """Whether it is no candidate."""
        return self.place[1]


def releases(reader: Reader, *, titles: bool = False) -> list[Release]:
    """The releases that were known, the newest first; pending ones before.

    Args:
        titles: also those that titles alone tell of, where there are others.
    """
    notes = release_notes(reader)
    depth = min((note.path.count("/") for note in notes if note.type == "doc"), default=0)
    known: defaultdict[tuple[bool, Place], list[Note]] = defaultdict(list)
    for note in notes:
        if note.type != "doc" or note.path.count("/") == depth:
            known[not note.version, place_of(note.version)].append(note)
    told = [every for every in known.values() if titles or any(note.type in _ORDER for note in every)]
    found = [_release(every) for every in told or known.values()]
    newest = max((one.place for one in found if one.day and not one.pending), default=None)
    found = [one if one.day or not newest or one.place < newest else one._replace(pending=True) for one in found]
    return sorted(_known(found, reader.as_of), key=lambda one: (one.pending, one.place), reverse=True)


def _release(notes: Sequence[Note]) -> Release:
    """The release of which *notes* tell: what a changelog calls pending was made where its commit is tagged."""
    best = min(_ORDER.get(note.type, 2) for note in notes)
    own = sorted((note for note in notes if _ORDER.get(note.type, 2) == best), key=lambda note: (note.path, note.line))
    made = any(note.reached for note in notes)
    pending = not made and any(note.pending for note in own)
    by_kind = sorted((note for note in notes if note.day), key=lambda note: _ORDER.get(note.type, 2))
    return Release(
        own[0].version, by_kind[0].day if by_kind and not pending else "", tuple(own if best == 0 else own[:1]), pending
    )


def _known(found: Iterable[Release], as_of: str) -> list[Release]:
    """Those made by then; one without a day was made where a later one was."""
    found = [*found]
    if not as_of:
        return found
    dated = [one for one in found if one.day and one.day[:10] <= as_of[:10]]
    newest = max((one.place for one in dated), default=None)
    return dated + [one for one in found if not one.day and not one.pending and newest and one.place < newest]

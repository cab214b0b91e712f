"""Releases: of the parts of changelogs that tell of them, else of tags, else of titles of commits and pull requests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.language.changelogs import Place, entries, place_of, section
from cortex.language.changes import parse
from cortex.language.markdown import Span
from cortex.language.stems import split
from cortex.language.verbs import FORMS, Op
from cortex.substrate.facts import plain
from cortex.substrate.reading import Reader
from cortex.substrate.statements import run

_ORDER: Final = {"doc": 0, "release": 1}  # what tells of a release best


class Note(NamedTuple):
    """A part of a changelog, a tag, or a commit or pull request whose title tells of a release.

    Attributes:
        path: of a tag its name.
        version: '' of what is yet to be released.
        day: ISO 8601, as far as it is told.
        pending: whether it says that this is not released yet.
        reached: whether it is a tag whose commit is known.
    """

    id: int
    source_id: int
    type: str
    path: str
    title: str
    line: int
    version: str
    day: str
    pending: bool
    reached: bool


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


def release_notes(reader: Reader) -> list[Note]:
    """Whatever tells of a release, by its day."""
    return [Note(*row) for row in run(reader.brain, "changes.releases", sources=reader.sources)]


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


class Entry(NamedTuple):
    """An entry of a release's notes: where it stands, the label above it, and what it says."""

    note: Note
    span: Span
    label: str
    text: str

    @property
    def ops(self) -> set[Op]:
        """What its label says was done, 'Removed'; where that says nothing of it, what it says itself."""
        labelled = {FORMS[word].op for word in split(self.label) if word in FORMS}
        own = " ".join(plain(self.text).split())
        return labelled & {Op.ADDS, Op.REMOVES, Op.DEPRECATES} or {one.op for one in parse(own)}

    def tells(self, done: str) -> bool:
        """Whether it says that *done*, an operation or another verb, was done."""
        return done in self.ops or any(word.startswith(done) for word in split(f"{self.label} {self.text}"))


def entries_of(
    reader: Reader, every: Iterable[Release], *, among: Container[int] | None = None
) -> Iterator[tuple[Release, Entry]]:
    """The entries of the notes of each release in their order; the title of a tag is none.

    Args:
        among: the records that are looked at; None is all.
    """
    notes = [(one, note) for one in every for note in one.notes if note.type in _ORDER]
    notes = [(one, note) for one, note in notes if among is None or note.id in among]
    texts = reader.records([note.id for _, note in notes])
    for one, note in notes:
        body = texts[note.id]["body"] if note.id in texts else ""
        for span, label in entries(body):
            above = plain(label or note.title.rpartition(" › ")[2])
            if note.type == "doc" or span.start:
                yield one, Entry(note, span, "" if section(above, "") else above, body[slice(*span)])

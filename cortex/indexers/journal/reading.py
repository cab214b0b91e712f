"""What a journal says: its notes, outcomes and reviews, who stands behind each, and the records they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.indexers.connectors import Cursor, Item, outcomes
from cortex.indexers.connectors.fields import Fields
from cortex.indexers.connectors.json_rows import rows
from cortex.indexers.connectors.listing import load
from cortex.indexers.connectors.notes import Note, is_trusted, note_of, one_line, record_of, signed
from cortex.indexers.connectors.outcomes import Entry, entry_of
from cortex.indexers.connectors.pages import Page
from cortex.indexers.feeds import Feed
from cortex.indexers.journal.doubt import Doubt, doubt
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, Journal, Place
from cortex.substrate.model import RecordType, Skipped, Text, Value
from cortex.substrate.records import REMEMBERED, UNTRUSTED

EARLIEST: Final = datetime.min.replace(tzinfo=UTC)

FORKED: Final = "two that do not know of each other; the later counts"
TWICE: Final = "another file has the same note"
NO_REVIEW: Final = "says nothing of anything"


class Review(Value):
    """What somebody decided of something that was told, or that would be."""

    of: Text = Field(min_length=1, description="ref of a record")
    statement: Text = Field("", description="of the one fact of the record that is meant; '' for all of it")
    did: Literal["forgotten", "rejected", "merged", "restored"]
    handle: Text = Field("", description="that it was named by")
    into: Text = Field("", description="handle or ref of what says it already")
    by: Text = ""
    why: Text = ""
    date: datetime | None = None

    @property
    def name(self) -> str:
        """What it is of."""
        return f"{self.of}\0{self.statement}"


class KeptNote(NamedTuple):
    """A note, where it stands, and whether somebody of the project stands behind it."""

    note: Note
    place: Place
    file: str
    trusted: bool
    signer: str = ""

    @property
    def ref(self) -> str:
        """What its record is called."""
        return self.note.refs[self.trusted and self.note.kind == "directive"]


class Line(NamedTuple):
    """A row of a file of JSON lines with what it was made into, and whether somebody stands behind it."""

    where: str
    row: Mapping[str, Any]
    made: Entry | Review
    place: Place
    trusted: bool
    at: datetime

    @property
    def name(self) -> str:
        """What it is of: of two rows of one name the later counts."""
        return self.made.ref if isinstance(self.made, Entry) else self.made.name


class Told(NamedTuple):
    """All that a journal says: notes by id, outcomes by ref, reviews by what they are of."""

    notes: Mapping[str, KeptNote]
    outcomes: Mapping[str, Line]
    reviews: Mapping[str, Review]
    skipped: tuple[Skipped, ...]

    def is_out(self, ref: str) -> bool:
        """Whether all of the record called *ref* was taken out."""
        found = self.reviews.get(f"{ref}\0")
        return found is not None and found.did != "restored"

    def holds(self, ref: str) -> bool:
        """Whether the record called *ref* is of this journal."""
        return ref in self.outcomes or any(ref == one.ref for one in self.notes.values())


def feeds(journal: Journal, told: Callable[[], Told], source: str) -> list[Feed]:
    """What the journal brings: what trusted writers said, and after that what others did."""

    def items(_: str | None, *, origin: str) -> Iterator[Item]:
        held = told()
        yield from _records(held, source, trusted=origin == REMEMBERED)
        if origin == REMEMBERED:
            yield from held.skipped
        if not journal.elsewhere:
            yield Cursor(value="read", complete=True, lost=_lost(held.skipped))

    return [Feed(origin, partial(items, origin=origin)) for origin in (REMEMBERED, UNTRUSTED)]


def _records(told: Told, source: str, *, trusted: bool) -> Iterator[Item]:
    for one in told.notes.values():
        if one.trusted == trusted and not told.is_out(one.ref):
            yield record_of(one.note, source=source, trusted=trusted, signer=one.signer)
    for ref, line in told.outcomes.items():
        if line.trusted == trusted and not told.is_out(ref) and isinstance(line.made, Entry):
            yield outcomes.record_of(line.made, source=source)


def _lost(skipped: Iterable[Skipped]) -> dict[RecordType, int]:
    """Types of which records may only seem to be gone, because a file of theirs cannot be read now."""
    lost: Counter[RecordType] = Counter()
    for one in skipped:
        if not one.kept:
            lost.update(("outcome",) if OUTCOMES in one.input else ("directive", "event"))
    return lost


def read(journal: Journal) -> Told:
    """All that the journal says, and what of it cannot be used; of two that are one, the one somebody stands behind."""
    notes: dict[str, KeptNote] = {}
    skipped: list[Skipped] = []
    found: dict[str, list[Line]] = {OUTCOMES: [], REVIEWS: []}
    for place in journal.places:
        doubtful = doubt(place, journal.private)
        for item in _notes(place, doubtful):
            if isinstance(item, Skipped):
                skipped.append(item)
            elif (held := notes.get(item.note.id)) is None or (item.trusted and not held.trusted):
                notes[item.note.id] = item
            elif held.note.text != item.note.text:
                skipped.append(Skipped(input=f"{place.folder}/{item.file}", reason=TWICE))
        for name, kept in found.items():
            every = [*lines(place, name, doubtful)]
            kept += [one for one in every if isinstance(one, Line)]
            skipped += [one for one in every if isinstance(one, Skipped)]
    outcomes_, said = (_latest(found[name], skipped) for name in (OUTCOMES, REVIEWS))
    reviews = {name: line.made for name, line in said.items() if isinstance(line.made, Review)}
    return Told(notes, outcomes_, reviews, tuple(skipped))


def _notes(place: Place, doubtful: Doubt) -> Iterator[KeptNote | Skipped]:
    root = place.root.resolve()
    for name in place.notes():
        path = f"{place.folder}/{name}"
        if problem := place.problem(name):
            yield Skipped(input=path, reason=problem)
            continue
        for page in load(root, path):
            made = note_of(page) if isinstance(page, Page) else page.reason
            if isinstance(made, str):
                yield Skipped(input=path, reason=made, kept=isinstance(page, Skipped) and page.kept)
            elif isinstance(page, Page):
                nobody = doubtful.of_file(name, page.text)
                trusted = not nobody and (is_trusted(made.recorded_by) or bool(made.approved_by))
                yield KeptNote(made, place, name, trusted, doubtful.signer if nobody else "")


def lines(place: Place, name: str, doubtful: Doubt) -> Iterator[Line | Skipped]:
    """The rows of the file *name*, in their order; a review only where somebody stands behind it."""
    path, at = place.path / name, EARLIEST
    if problem := place.problem(name):
        if path.exists():
            yield Skipped(input=f"{place.folder}/{name}", reason=problem)
        return
    for row in rows(path) if path.is_file() else ():
        where = f"{place.folder}/{row.input}"
        if isinstance(row, Skipped):
            yield row.model_copy(update={"input": where})
            continue
        fields = Fields(row.value, where=where)
        at = fields.time("date") or at  # a row that somebody added by hand is as late as the one above it
        made = _made(name, fields)
        sure = not doubtful.of_row(name, row.value)
        if isinstance(made, Skipped):
            yield made
        elif isinstance(made, Entry):
            trusted = sure and (is_trusted(made.recorded_by) or bool(made.approved_by))
            yield Line(where, row.value, made if sure else _of(doubtful.signer, made), place, trusted, at)
        elif sure:
            yield Line(where, row.value, made, place, sure, at)


def _of(signer: str, made: Entry) -> Entry:
    author = signed(made.author, signer, trusted=False)
    return made.model_copy(update={"recorded_by": signer, "author": author})


def _made(name: str, fields: Fields) -> Entry | Review | Skipped:
    if name == OUTCOMES:
        made = entry_of(fields)
        told = {name: one_line(fields.text(name)) for name in ("recorded_by", "approved_by")}
        return made if isinstance(made, Skipped) else made.model_copy(update=told | {"since": fields.time("since")})
    known = {name: fields.text(name) for name in Review.model_fields if name != "date"}
    try:
        return Review.model_validate(known | {"date": fields.time("date")})
    except ValueError:
        return Skipped(input=fields.where, reason=NO_REVIEW)


def _latest(found: Iterable[Line], skipped: list[Skipped]) -> dict[str, Line]:
    """Of each name the row that counts; of two that were written in place of the same row, the later is named."""
    latest: dict[str, Line] = {}
    heirs: dict[tuple[str, str], Line] = {}
    for line in sorted(found, key=lambda line: (line.trusted, line.at)):
        latest[line.name] = line
        if isinstance(after := line.row.get("after"), str):
            other = heirs.setdefault((line.name, after), line)
            if other.row != line.row:
                skipped.append(Skipped(input=line.where, reason=FORKED, kept=True))
    return latest

"""A journal's contents: its notes, outcomes and reviews, the trust in each, their records, and how they are written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.indexers.connectors import Cursor, Item, notes, outcomes
from cortex.indexers.connectors.fields import Fields, rows
from cortex.indexers.connectors.listing import load
from cortex.indexers.connectors.notes import Note, id_of_file, is_trusted, one_line, render, signed
from cortex.indexers.connectors.outcomes import Entry, parse_entry
from cortex.indexers.connectors.pages import Page
from cortex.indexers.feeds import Feed
from cortex.indexers.journal import places
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, Journal, Place, Unmerged, digest, key
from cortex.substrate.atomic_files import locked
from cortex.substrate.model import RecordType, Skipped, Text, Value
from cortex.substrate.records import REMEMBERED, UNTRUSTED
from cortex.substrate.secrets import redact

EARLIEST: Final = datetime.min.replace(tzinfo=UTC)

FORKED: Final = "conflicts with a row of another branch; the later counts"
TWICE: Final = "another file has the same id"
NO_REVIEW: Final = "no review"


class Review(Value):
    """A decision about a record, or about one fact of it."""

    of: Text = Field(min_length=1, description="ref of the record")
    statement: Text = Field("", description="of the one fact; '' for the whole record")
    did: Literal["forgotten", "rejected", "merged", "restored"]
    handle: Text = Field("", description="as the reviewer named it")
    into: Text = Field("", description="ref of the directive it was merged into")
    by: Text = ""
    why: Text = ""
    date: datetime | None = None

    @property
    def name(self) -> str:
        """Identity of its subject; the latest review of a subject counts."""
        return f"{self.of}\0{self.statement}"


class NoteFile(NamedTuple):
    """A note, its file, and whether it is trusted."""

    note: Note
    place: Place
    file: str
    trusted: bool
    signer: str = ""

    @property
    def ref(self) -> str:
        """Ref of its record."""
        return self.note.refs[self.trusted and self.note.kind == "directive"]


class LedgerRow(NamedTuple):
    """A row of a JSON lines file, its parsed value, and whether it is trusted."""

    where: str
    row: Mapping[str, Any]
    value: Entry | Review
    place: Place
    trusted: bool
    at: datetime

    @property
    def name(self) -> str:
        """Identity of its subject; the latest row of a subject counts."""
        return self.value.ref if isinstance(self.value, Entry) else self.value.name


class Contents(NamedTuple):
    """A journal as read: notes by id, outcomes by ref, reviews by name, and unusable inputs.

    Attributes:
        earlier: the rows of each outcome that its latest replaced, the first one first.
    """

    notes: Mapping[str, NoteFile]
    outcomes: Mapping[str, LedgerRow]
    reviews: Mapping[str, Review]
    skipped: tuple[Skipped, ...]
    earlier: Mapping[str, Sequence[LedgerRow]] = {}

    def is_withdrawn(self, ref: str) -> bool:
        """Whether the whole record *ref* is forgotten, rejected or merged."""
        found = self.reviews.get(f"{ref}\0")
        return found is not None and found.did != "restored"

    def holds(self, ref: str) -> bool:
        """Whether the record *ref* comes from this journal."""
        return ref in self.outcomes or any(ref == one.ref for one in self.notes.values())


def feeds(journal: Journal, contents: Callable[[], Contents], source: str) -> list[Feed]:
    """The feeds of a journal: trusted records, then untrusted ones."""

    def items(_: str | None, *, origin: str) -> Iterator[Item]:
        held, trusted = contents(), origin == REMEMBERED
        for one in held.notes.values():
            if one.trusted == trusted and not held.is_withdrawn(one.ref):
                yield notes.to_record(one.note, source=source, trusted=trusted, signer=one.signer)
        for ref, row in held.outcomes.items():
            if row.trusted == trusted and not held.is_withdrawn(ref) and isinstance(row.value, Entry):
                yield outcomes.to_record(row.value, source=source)
        if trusted:
            yield from held.skipped
        if not journal.elsewhere:
            yield Cursor(value="read", complete=True, lost=_lost(held.skipped))

    return [Feed(origin, partial(items, origin=origin)) for origin in (REMEMBERED, UNTRUSTED)]


def _lost(skipped: Iterable[Skipped]) -> dict[RecordType, int]:
    """Record types with unreadable files, whose missing records are not gone."""
    lost: Counter[RecordType] = Counter()
    for one in skipped:
        if not one.kept:
            lost.update(("outcome",) if OUTCOMES in one.input else ("directive", "event"))
    return lost


def read(journal: Journal) -> Contents:
    """Read both folders; a trusted note hides an untrusted one of the same id."""
    found: dict[str, NoteFile] = {}
    skipped: list[Skipped] = []
    ledgers: dict[str, list[LedgerRow]] = {OUTCOMES: [], REVIEWS: []}
    for place in journal.places:
        branch = places.unmerged(place, journal.private)
        for item in _notes(place, branch):
            if isinstance(item, Skipped):
                skipped.append(item)
            elif (held := found.get(item.note.id)) is None or (item.trusted and not held.trusted):
                found[item.note.id] = item
            elif held.note.text != item.note.text:
                skipped.append(Skipped(input=f"{place.folder}/{item.file}", reason=TWICE))
        for name, ledger in ledgers.items():
            for row in ledger_rows(place, name, branch):
                skipped.append(row) if isinstance(row, Skipped) else ledger.append(row)
    entries, reviews = (_latest(ledgers[name], skipped) for name in (OUTCOMES, REVIEWS))
    latest = {name: row.value for name, row in reviews.items() if isinstance(row.value, Review)}
    earlier: dict[str, list[LedgerRow]] = {}
    for row in sorted(ledgers[OUTCOMES], key=_order):
        if row is not entries[row.name]:
            earlier.setdefault(row.name, []).append(row)
    return Contents(found, entries, latest, tuple(skipped), earlier)


def _notes(place: Place, branch: Unmerged) -> Iterator[NoteFile | Skipped]:
    root = place.root.resolve()
    for name in place.notes():
        path = f"{place.folder}/{name}"
        if problem := place.problem(name):
            yield Skipped(input=path, reason=problem)
            continue
        for page in load(root, path):
            note = notes.parse(page) if isinstance(page, Page) else page.reason
            if isinstance(note, str):
                yield Skipped(input=path, reason=note, kept=isinstance(page, Skipped) and page.kept)
            elif isinstance(page, Page):
                foreign = name in branch.files and digest(page.text) not in branch.own
                trusted = not foreign and (is_trusted(note.recorded_by) or bool(note.approved_by))
                yield NoteFile(note, place, name, trusted, branch.signer if foreign else "")


def ledger_rows(place: Place, name: str, branch: Unmerged) -> Iterator[LedgerRow | Skipped]:
    """The rows of the file *name* in order; untrusted reviews are left out."""
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
        at = fields.time("date") or at  # a row added by hand is as late as the one above it
        value, own = _parsed(name, fields), key(row.value) not in branch.rows.get(name, ())
        if isinstance(value, Skipped):
            yield value
        elif isinstance(value, Entry):
            trusted = own and (is_trusted(value.recorded_by) or bool(value.approved_by))
            if not own:
                author = signed(value.author, branch.signer, trusted=False)
                value = value.model_copy(update={"recorded_by": branch.signer, "author": author})
            yield LedgerRow(where, row.value, value, place, trusted, at)
        elif own:
            yield LedgerRow(where, row.value, value, place, own, at)


def _parsed(name: str, fields: Fields) -> Entry | Review | Skipped:
    if name == OUTCOMES:
        entry = parse_entry(fields)
        more = {name: one_line(fields.text(name)) for name in ("recorded_by", "approved_by")}
        return entry if isinstance(entry, Skipped) else entry.model_copy(update=more | {"since": fields.time("since")})
    known = {name: fields.text(name) for name in Review.model_fields if name != "date"}
    try:
        return Review.model_validate(known | {"date": fields.time("date")})
    except ValueError:
        return Skipped(input=fields.where, reason=NO_REVIEW)


def _order(row: LedgerRow) -> tuple[bool, datetime]:
    return row.trusted, row.at


def _latest(ledger: Iterable[LedgerRow], skipped: list[Skipped]) -> dict[str, LedgerRow]:
    """The row of each subject that counts, trusted before late; two successors of one row are reported, if last."""
    latest: dict[str, LedgerRow] = {}
    successors: dict[tuple[str, str], LedgerRow] = {}
    forked: list[tuple[LedgerRow, LedgerRow]] = []
    for row in sorted(ledger, key=_order):
        latest[row.name] = row
        if isinstance(after := row.row.get("after"), str):
            other = successors.setdefault((row.name, after), row)
            forked += [(other, row)] if other.row != row.row else []
    skipped += (
        Skipped(input=row.where, reason=FORKED, kept=True)
        for other, row in forked
        if latest[row.name].row in (other.row, row.row)
    )
    return latest


def write_note(journal: Journal, note: Note, *, trusted: bool) -> NoteFile:
    """Write the file of *note* without secrets, over the one of its id; a private copy of a shared note is removed.

    Raises:
        NotKept: the write failed.
    """
    redacted = {name: redact(value) for name, value in note if isinstance(value, str) and name not in ("id", "kind")}
    note, place = note.model_copy(update=redacted), journal.place(trusted=trusted)
    text, name = render(note), find_file(place, note.id) or f"{places.NOTES}/{note.file_name}"
    with _owning(journal, place, digest(text)):
        place.write(name, text)
        if place.shared and (other := find_file(journal.private, note.id)):
            (journal.private.path / other).unlink(missing_ok=True)
    return NoteFile(note, place, name, trusted)


def append_rows(journal: Journal, values: Sequence[Entry] | Sequence[Review], *, trusted: bool) -> None:
    """Append rows without secrets to their file; `after` names the row that each replaces.

    Raises:
        NotKept: the write failed.
    """
    if not values:
        return
    place, name = journal.place(trusted=trusted), OUTCOMES if isinstance(values[0], Entry) else REVIEWS
    place.check(name)
    with locked(place.path, private=not place.shared):
        held = [row for row in ledger_rows(place, name, Unmerged()) if isinstance(row, LedgerRow)]
        latest = {row.name: key(row.row) for row in sorted(held, key=lambda row: row.at)}
        names = (one.ref if isinstance(one, Entry) else one.name for one in values)
        rows = [_fields(one) | {"after": latest.get(name, "")} for one, name in zip(values, names, strict=True)]
        with _owning(journal, place, *map(key, rows)):
            text = place.read(name)
            text += "\n" if text and not text.endswith("\n") else ""
            place.write(name, text + "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def find_file(place: Place, id_: str) -> str:
    """Name of the note file with the id *id_*; '' for none."""
    return next((name for name in place.notes() if id_of_file(PurePosixPath(name).stem) == id_), "")


def _fields(value: Value) -> dict[str, Any]:
    fields = value.model_dump(mode="json", exclude_defaults=True).items()
    return {name: redact(field) if isinstance(field, str) else field for name, field in fields}


@contextmanager
def _owning(journal: Journal, place: Place, *digests: str) -> Iterator[None]:
    """Register *digests* as written by this machine before a write into the repository."""
    if not place.shared:
        yield
        return
    with locked(journal.private.path, private=True):
        held = journal.private.read(places.WRITTEN)
        if news := [one for one in digests if one not in held.split()]:
            journal.private.write(places.WRITTEN, held + "".join(f"{one}\n" for one in news))
        yield

"""Remembering a statement: first as a file of the journal, then as a record and a fact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from cortex.errors import Outranked
from cortex.indexers.connectors import Gone, notes
from cortex.indexers.connectors.notes import (
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_PLACE,
    LONGEST_RECORDER,
    Note,
    provenance,
)
from cortex.indexers.journal.contents import NoteFile, Review, append_rows, read, write_note
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ArchivedFact, ShownRecord, show
from cortex.substrate.model import Fact, Scope, Share, Value
from cortex.substrate.secrets import redact
from cortex.surfaces.journaling import journal_of, migrate
from cortex.surfaces.recording import Did, store, writable


class Remembered(Value):
    """A note as the brain holds it."""

    ref: str
    source: str
    file: str = Field(description="in the repository, or in the folder of the brain")
    type: Literal["directive", "event"] = Field(description="a directive of an untrusted writer is an event")
    authority: Share
    author: str = Field(description="an untrusted writer, and the person it claims to speak for")
    recorded_by: str = Field(description="actual caller, such as 'operator', 'agent codex' or 'token ci'")
    did: Did
    fact: Fact | None = Field(description="none while a compaction has merged it into another")


def remember(  # noqa: PLR0913  a statement and its provenance
    brain: Brain, text: str, *, directive: bool, by: str, where: str, path: str = "", supersedes: str = "",
    source: str | None = None, recorder: str, trusted: bool, authority: Mapping[str, float] | None = None,
    now: datetime,
) -> Remembered:  # fmt: skip
    """Remember *text* as a directive or an event; the same again changes nothing.

    Args:
        by: the author, as the writer names them.
        where: an address, a ref such as 'issue:496', or words.
        path: the file or folder it is about, from the root of the repository.
        supersedes: handle or ref of the record it replaces.
        recorder: the actual caller.
        trusted: whether it may be a directive and weighs as a comment; else it is an event of the lowest weight.
        authority: a project's own weights, by line of the authority table.

    Raises:
        Outranked: a trusted writer recorded the same, or withdrew it.
    """
    source = writable(brain, source)
    text, path = redact(text.strip()), provenance(path, LONGEST_PATH)
    note = Note(
        id=notes.new_id(text, path), text=text, kind="directive" if directive else "note", path=path, at=now,
        by=provenance(by, LONGEST_NAME), where=provenance(where, LONGEST_PLACE),
        supersedes=ref_of(brain, supersedes, source) if supersedes else "",
        recorded_by=provenance(recorder, LONGEST_RECORDER),
    )  # fmt: skip
    return keep(brain, note, source=source, trusted=trusted, authority=authority, now=now)


def keep(
    brain: Brain, note: Note, *, source: str, trusted: bool, authority: Mapping[str, float] | None, now: datetime
) -> Remembered:
    """Write *note* to its file unless it says so already, and index it.

    Raises:
        Outranked, NotKept: as `remember`.
    """
    journal = journal_of(brain, source)
    migrate(brain, journal, source, final=True)
    contents, kept = read(journal), NoteFile(note, journal.place(trusted=trusted), "", trusted)
    held = contents.notes.get(note.id)
    if not trusted and (contents.is_withdrawn(kept.ref) or (held and held.trusted)):
        raise Outranked(held.ref if held else kept.ref)
    if contents.is_withdrawn(kept.ref):
        append_rows(journal, [Review(of=kept.ref, did="restored", by=note.by, date=now)], trusted=True)
    if held and held.note.model_copy(update={"at": note.at}) == note and held.trusted == trusted:
        kept = held
    else:
        kept = write_note(journal, note.model_copy(update={"at": held.note.at}) if held else note, trusted=trusted)
    return _indexed(brain, kept, source=source, authority=authority, now=now)


def _indexed(
    brain: Brain, kept: NoteFile, *, source: str, authority: Mapping[str, float] | None, now: datetime
) -> Remembered:
    record = notes.to_record(kept.note, source=source, trusted=kept.trusted)
    others = [Gone(ref=ref) for ref in kept.note.refs if ref != record.ref]
    counts = store(brain, [record, *others], source=source, trusted=kept.trusted, authority=authority, now=now)
    shown = show(brain, record.ref, scope=Scope(sources=(source,)))
    assert isinstance(shown, ShownRecord)  # noqa: S101  it was just stored
    return Remembered(
        ref=record.ref, source=source, file=f"{kept.place.folder}/{kept.file}", authority=shown.authority,
        type="directive" if record.type == "directive" else "event", author=shown.record.author,
        recorded_by=shown.recorded_by, did=next(did for did, count in counts.items() if count),
        fact=shown.facts[0] if shown.facts else None,
    )  # fmt: skip


def ref_of(brain: Brain, name: str, source: str) -> str:
    """The ref of the record that *name* is a handle or a ref of.

    Raises:
        UnknownHandle: the source holds no such record.
    """
    shown = show(brain, name, scope=Scope(sources=(source,)))
    return shown.record if isinstance(shown, ArchivedFact) else shown.record.ref

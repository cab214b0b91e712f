"""Remembering what somebody says: first a note in the journal, then its record and its fact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from cortex.errors import Outranked
from cortex.indexers.connectors import Gone
from cortex.indexers.connectors.notes import (
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_PLACE,
    LONGEST_RECORDER,
    Note,
    id_of,
    provenance,
    record_of,
)
from cortex.indexers.journal.reading import KeptNote, Review, read
from cortex.indexers.journal.writing import keep_note, keep_rows
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ArchivedFact, ShownRecord, show
from cortex.substrate.model import Fact, Scope, Share, Value
from cortex.substrate.secrets import redact
from cortex.surfaces.journaling import journal_of, write_out
from cortex.surfaces.recording import Did, store, writable


class Remembered(Value):
    """What became of what somebody said."""

    ref: str
    source: str
    file: str = Field(description="the note, in the folder of the repository or beside the brain")
    type: Literal["directive", "event"] = Field(description="an untrusted writer's directive is kept as an event")
    authority: Share
    author: str = Field(description="who says so; an untrusted writer, and whom it says it speaks for")
    recorded_by: str = Field(description="who really called, such as 'operator', 'agent codex' or 'token ci'")
    did: Did
    fact: Fact | None = Field(description="none while a compaction keeps one that says the same")


def remember(  # noqa: PLR0913  what is said, and its provenance
    brain: Brain, text: str, *, directive: bool, by: str, where: str, path: str = "", supersedes: str = "",
    source: str | None = None, recorder: str, trusted: bool, authority: Mapping[str, float] | None = None,
    now: datetime,
) -> Remembered:  # fmt: skip
    """Keep *text* as a directive or an event; the same again changes nothing.

    Args:
        by: who says so, by the writer's word.
        where: where it was said: an address, a ref such as 'issue:496', or words.
        path: the file or folder it is about, from the root of the repository.
        supersedes: handle or ref of what it takes the place of.
        recorder: who really calls.
        trusted: the writer is, and its notes weigh as comments; else it is an event that weighs as little as anything.
        authority: a project's own weights, by line of the authority table.

    Raises:
        Outranked: somebody trusted more said the same, or took it out.
        BadInput: *by*, *where* or *path* is written as a citation.
        NotKept: its file cannot be written.
    """
    source = writable(brain, source)
    text, path = redact(text.strip()), provenance(path, LONGEST_PATH)
    note = Note(
        id=id_of(text, path), text=text, kind="directive" if directive else "note", path=path, at=now,
        by=provenance(by, LONGEST_NAME), where=provenance(where, LONGEST_PLACE),
        supersedes=ref_of(brain, supersedes, source) if supersedes else "",
        recorded_by=provenance(recorder, LONGEST_RECORDER),
    )  # fmt: skip
    return take_in(brain, note, source=source, trusted=trusted, authority=authority, now=now)


def take_in(
    brain: Brain, note: Note, *, source: str, trusted: bool, authority: Mapping[str, float] | None, now: datetime
) -> Remembered:
    """Write *note* where there is none like it, then have the brain read it.

    Raises:
        Outranked, NotKept: as `remember`.
    """
    journal = journal_of(brain, source)
    write_out(brain, journal, source, before_more=True)
    told, kept = read(journal), KeptNote(note, journal.place(trusted=trusted), "", trusted)
    held = told.notes.get(note.id)
    if not trusted and (told.is_out(kept.ref) or (held and held.trusted)):
        raise Outranked(held.ref if held else kept.ref)
    if told.is_out(kept.ref):
        keep_rows(journal, [Review(of=kept.ref, did="restored", by=note.by, date=now)], trusted=True)
    if held and held.note.model_copy(update={"at": note.at}) == note and held.trusted == trusted:
        kept = held
    else:
        kept = keep_note(journal, note.model_copy(update={"at": held.note.at}) if held else note, trusted=trusted)
    return _stored(brain, kept, source=source, authority=authority, now=now)


def _stored(
    brain: Brain, kept: KeptNote, *, source: str, authority: Mapping[str, float] | None, now: datetime
) -> Remembered:
    made = record_of(kept.note, source=source, trusted=kept.trusted)
    others = [Gone(ref=ref) for ref in kept.note.refs if ref != made.ref]
    counts = store(brain, [made, *others], source=source, trusted=kept.trusted, authority=authority, now=now)
    did: Did = next(what for what, number in counts.items() if number)
    found = show(brain, made.ref, scope=Scope(sources=(source,)))
    assert isinstance(found, ShownRecord)  # noqa: S101  it was just stored
    return Remembered(
        ref=made.ref, source=source, file=f"{kept.place.folder}/{kept.file}", authority=found.authority,
        type="directive" if made.type == "directive" else "event", author=found.record.author,
        recorded_by=found.recorded_by, did=did, fact=found.facts[0] if found.facts else None,
    )  # fmt: skip


def ref_of(brain: Brain, name: str, source: str) -> str:
    """The ref of the record that *name* is a handle or a ref of.

    Raises:
        UnknownHandle: the source has nothing of that name.
    """
    found = show(brain, name, scope=Scope(sources=(source,)))
    return found.record if isinstance(found, ArchivedFact) else found.record.ref

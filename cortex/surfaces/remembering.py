"""Remembering statements and outcomes, and forgetting them: first in a file of the journal, then in the brain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from cortex.errors import AmbiguousSource, Outranked, UnknownSource
from cortex.indexers.connectors import Gone, Item, notes, outcomes
from cortex.indexers.connectors.notes import Note, provenance
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import Feed
from cortex.indexers.journal.contents import Contents, NoteFile, Review, append_rows, read, write_note
from cortex.indexers.run import index
from cortex.substrate.archive import archive_leaving, begin_removal, leave, restore_run
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import facts_of, origin_of, outcomes_of, runs_that_removed, sources_holding
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.lookup import ArchivedFact, ShownRecord, show
from cortex.substrate.model import Fact, Scope, Share, Skipped, Value
from cortex.substrate.records import REMEMBERED, UNTRUSTED
from cortex.substrate.secrets import redact
from cortex.substrate.sources import as_listed, find_source, readable, source_names
from cortex.substrate.status import finish_run, start_run
from cortex.substrate.vectors import has_vectors
from cortex.surfaces.journaling import journal_of, migrate

Did = Literal["added", "replaced", "unchanged"]
Weights = Mapping[str, float] | None
"""A project's own weights, by line of the authority table."""


class Outcome(Value):
    """An outcome as the brain holds it."""

    source: str
    ref: str
    title: str
    status: str
    note: str
    pull: int | None
    author: str = Field(description="who says so; an untrusted writer, and whom it says it speaks for")
    recorded_by: str = Field(description="actual caller, such as 'operator'; '' for a row written by hand")
    created_at: datetime | None
    updated_at: datetime | None


class Recorded(Value):
    """What became of one outcome."""

    outcome: Outcome
    did: Did


class Imported(Value):
    """What a file of outcomes brought."""

    source: str
    added: int
    replaced: int
    unchanged: int
    skipped: tuple[Skipped, ...] = Field(description="lines that could not be used, each with why")


def keep_outcomes(
    brain: Brain, entries: Iterable[Entry], *, source: str, trusted: bool, authority: Weights, now: datetime
) -> dict[str, Did]:
    """Append the *entries* that the ledger does not have, and index them; the change of each, by ref.

    Raises:
        Outranked: a trusted writer recorded one of them, or withdrew it.
    """
    journal = journal_of(brain, source)
    migrate(brain, journal, source, final=True)
    contents, made = read(journal), {one.ref: one for one in entries}
    known = {one.ref: one for one in list_outcomes(brain, scope=Scope(sources=(source,)))}
    out = [ref for ref in made if contents.is_withdrawn(ref)]
    for ref in made if not trusted else ():
        if ref in out or origin_of(brain, source, ref) not in (None, UNTRUSTED):
            raise Outranked(ref)
    held = {ref: row.value for ref in made if (row := contents.outcomes.get(ref)) and isinstance(row.value, Entry)}
    fresh = {ref: one for ref, one in made.items() if ref not in held or _says(held[ref]) != _says(one) or ref in out}
    since = {ref: known[ref].created_at or now for ref in fresh if ref in known}
    fresh = {ref: one.model_copy(update={"since": since.get(ref)}) for ref, one in fresh.items()}
    append_rows(journal, [Review(of=ref, did="restored", date=now) for ref in out], trusted=trusted)
    append_rows(journal, [*fresh.values()], trusted=trusted)
    unread = [fresh.get(ref) or held[ref] for ref in made if ref in fresh or ref not in known]
    store(
        brain, [outcomes.to_record(one, source=source) for one in unread], source=source, trusted=trusted,
        authority=authority, now=now,
    )  # fmt: skip
    return {ref: "added" if ref not in known else "replaced" if ref in fresh else "unchanged" for ref in made}


def _says(made: Entry) -> dict[str, object]:
    return made.model_dump(exclude={"slug", "date", "since"})


def import_outcomes(
    brain: Brain, path: Path, *, source: str | None = None, authority: Weights = None, now: datetime
) -> Imported:
    """Record every outcome of *path*, JSON lines; a line that cannot be used is named and the rest goes on."""
    source = writable(brain, source)
    items = [*outcomes.entries(path)]
    entries = [one.model_copy(update={"date": one.date or now}) for one in items if isinstance(one, Entry)]
    done = keep_outcomes(brain, entries, source=source, trusted=True, authority=authority, now=now)
    did = Counter(done.values())
    return Imported(
        source=source, added=did["added"], replaced=did["replaced"], unchanged=did["unchanged"],
        skipped=tuple(item for item in items if isinstance(item, Skipped)),
    )  # fmt: skip


def list_outcomes(brain: Brain, *, scope: Scope) -> list[Outcome]:
    """The outcomes *scope* may read, the latest first."""
    names = readable(brain, scope)
    listed = [row for source_id in names for row in outcomes_of(brain, source_id=source_id)]
    return [
        _outcome(row, names[row[0]]) for row in sorted(listed, key=lambda row: (row[7] or "", row[1]), reverse=True)
    ]


def writable(brain: Brain, source: str | None) -> str:
    """The one source to write to: the one named, or the only one there is."""
    names = sorted(source_names(brain).values())
    if source is None and len(names) > 1:
        raise AmbiguousSource("what is recorded", names)
    chosen = as_listed(source, names) if source else (names[0] if names else "")
    if chosen not in names:
        raise UnknownSource(chosen, names)
    return chosen


def _outcome(row: tuple[Any, ...], source: str) -> Outcome:
    _, ref, title, state, body, author, created_at, updated_at, pull, recorded_by = row
    return Outcome(
        source=source, ref=ref, title=title, status=state, note=body.removeprefix(title).removeprefix("\n\n"),
        pull=pull, author=author, recorded_by=recorded_by, created_at=created_at, updated_at=updated_at,
    )  # fmt: skip


def store(
    brain: Brain, items: Sequence[Item], *, source: str, trusted: bool, authority: Weights = None, now: datetime
) -> dict[Did, int]:
    """Index *items* of the journal; how many records were added, replaced and unchanged.

    Their passages get vectors at once where others have them.
    """

    def read(_: str | None) -> Iterator[Item]:
        yield from items

    feeds = [Feed(REMEMBERED if trusted else UNTRUSTED, read)]
    crew = Crew(encoder=brain.encoder if has_vectors(brain) else None)
    (found,) = index(brain, feeds, source=source, authority=authority, crew=crew, command="record", now=now).origins
    return {"added": found.added, "replaced": found.replaced, "unchanged": found.unchanged}


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
    source: str | None = None, recorder: str, trusted: bool, authority: Weights = None,
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

    Raises:
        Outranked: a trusted writer recorded the same, or withdrew it.
    """
    source = writable(brain, source)
    text, path = redact(text.strip()), provenance(path, notes.LONGEST_PATH)
    note = Note(
        id=notes.new_id(text, path), text=text, kind="directive" if directive else "note", path=path, at=now,
        by=provenance(by, notes.LONGEST_NAME), where=provenance(where, notes.LONGEST_PLACE),
        supersedes=ref_of(brain, supersedes, source) if supersedes else "",
        recorded_by=provenance(recorder, notes.LONGEST_RECORDER),
    )  # fmt: skip
    return keep(brain, note, source=source, trusted=trusted, authority=authority, now=now)


def keep(brain: Brain, note: Note, *, source: str, trusted: bool, authority: Weights, now: datetime) -> Remembered:
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


def _indexed(brain: Brain, kept: NoteFile, *, source: str, authority: Weights, now: datetime) -> Remembered:
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


JOB: Final = "forgotten"  # in the archive


def reindex(brain: Brain, contents: Contents, ref: str, *, source: str, authority: Weights, now: datetime) -> None:
    """Store the record *ref* as the journal has it now; a withdrawn one is gone."""
    note = next((one for one in contents.notes.values() if one.ref == ref), None)
    row = contents.outcomes.get(ref)
    item: Item = Gone(ref=ref)
    if not contents.is_withdrawn(ref) and note:
        item = notes.to_record(note.note, source=source, trusted=note.trusted, signer=note.signer)
    elif not contents.is_withdrawn(ref) and row and isinstance(row.value, Entry):
        item = outcomes.to_record(row.value, source=source)
    trusted = bool((note and note.trusted) or (row and row.trusted))
    store(brain, [item], source=source, trusted=trusted, authority=authority, now=now)


def store_earlier(brain: Brain, contents: Contents, source: str, *, authority: Weights, now: datetime) -> None:
    """Store what the journal's records said before an approval or a later row, where the brain never held them.

    What follows replaces it, and leaves its facts to the archive: a handle that somebody cited is known to a new brain.
    """
    unheld = cache(lambda ref: source not in sources_holding(brain, ref))
    rounds: dict[tuple[int, bool], list[Item]] = {}
    for note in (one.note for one in contents.notes.values() if one.trusted and not contents.is_withdrawn(one.ref)):
        if (proposed := note.proposed) and unheld(note.refs[False]):
            rounds.setdefault((0, False), []).append(notes.to_record(proposed, source=source, trusted=False))
    for ref, rows in contents.earlier.items():
        for place, row in enumerate(rows if unheld(ref) and not contents.is_withdrawn(ref) else ()):
            if isinstance(row.value, Entry):
                record = outcomes.to_record(row.value, source=source)
                rounds.setdefault((place, row.trusted), []).append(record)
    for (_, trusted), items in sorted(rounds.items(), key=lambda one: one[0]):
        store(brain, items, source=source, trusted=trusted, authority=authority, now=now)


def apply_all(brain: Brain, contents: Contents, source: str, *, authority: Weights, now: datetime) -> int:
    """Apply the reviews of single facts, and archive withdrawn records that a new brain never held; facts changed."""
    changed, as_if_kept = 0, contents._replace(reviews={})
    for one in contents.reviews.values():
        unheld = contents.is_withdrawn(one.of) and source not in sources_holding(brain, one.of)
        if not one.statement and unheld and contents.holds(one.of):
            reindex(brain, as_if_kept, one.of, source=source, authority=authority, now=now)
            changed += apply(brain, source, one, now=one.date or now)
            reindex(brain, contents, one.of, source=source, authority=authority, now=now)
        elif one.statement:
            changed += apply(brain, source, one, now=one.date or now)
    return changed


def apply(brain: Brain, source: str, review: Review, *, now: datetime) -> int:
    """Archive or restore the facts of *review* where that is not done; the number of facts changed."""
    if review.did == "restored":
        restored = 0
        for run in runs_that_removed(brain, source, review.of, handle_in(source, review), job=JOB):
            with brain.transaction():
                restored += restore_run(brain, run_id=run).facts
        return restored
    if not (facts := facts_of(brain, source, review.of, handle_in(source, review))):
        return 0
    run = start_run(brain, "forget", source_id=find_source(brain, source), now=now)
    begin_removal(brain)
    reason = review.did + (f" by {review.by}" if review.by else "") + (f": {review.why}" if review.why else "")
    with brain.transaction():
        leave(brain, facts, reason)
        archive_leaving(brain, run_id=run, job=JOB, now=now)
    finish_run(brain, run, report={"facts": len(facts)}, now=now)
    return len(facts)


def handle_in(source: str, review: Review) -> str:
    """The handle of the fact that *review* is of; '' where it is of a whole record."""
    return handle_of(source, review.of, review.statement) if review.statement else ""

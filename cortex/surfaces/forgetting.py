"""Forgetting notes, outcomes and single facts: a review in the journal, and the archive of the brain."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.connectors import Gone, Item, notes, outcomes
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.journal.places import Journal
from cortex.indexers.journal.reading import Contents, Review, read
from cortex.indexers.journal.writing import append_rows
from cortex.substrate.archive import archive_leaving, begin_removal, restore_run
from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.lookup import ArchivedFact, ShownFact, show
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.substrate.status import finish_run, start_run
from cortex.surfaces.journaling import journal_of, migrate
from cortex.surfaces.recording import store

JOB: Final = "forgotten"  # in the archive


class Forgotten(Value):
    """The result of forgetting or restoring."""

    ref: str = Field(description="of the record")
    source: str
    statement: str = Field(description="of the one fact; '' for a whole note or outcome")
    did: Literal["forgotten", "restored", "unchanged"]
    facts: int = Field(description="archived or restored")


class _Subject(NamedTuple):
    """A record of the journal, or one fact of another record."""

    source: str
    journal: Journal
    contents: Contents
    ref: str
    statement: str


def forget(
    brain: Brain, name: str, *, undo: bool, by: str, why: str, scope: Scope, authority: Mapping[str, float] | None,
    now: datetime,
) -> Forgotten:  # fmt: skip
    """Withdraw the note, the outcome or the one fact *name*, or restore it.

    Raises:
        UnknownHandle: nothing has this name.
        UsageError: it is a whole record of the project.
        NotKept: the review cannot be written.
    """
    source, journal, contents, ref, statement = _resolved(brain, name, scope)
    latest = contents.reviews.get(f"{ref}\0{statement}")
    is_out = latest is not None and latest.did != "restored"
    if is_out != undo:
        return Forgotten(ref=ref, source=source, statement=statement, did="unchanged", facts=0)
    did: Literal["forgotten", "restored"] = "restored" if undo else "forgotten"
    review = Review(of=ref, statement=statement, did=did, handle=name, by=by, why=why, date=now)
    append_rows(journal, [review], trusted=True)
    facts = apply(brain, source, review, now=now)
    if not statement:
        reindex(brain, read(journal), ref, source=source, authority=authority, now=now)
        facts = facts or len(_facts(brain, source, review))
    return Forgotten(ref=ref, source=source, statement=statement, did=did, facts=facts)


def reindex(
    brain: Brain, contents: Contents, ref: str, *, source: str, authority: Mapping[str, float] | None, now: datetime
) -> None:
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


def apply_all(brain: Brain, contents: Contents, source: str, *, now: datetime) -> int:
    """Apply the reviews of single facts; the number of facts changed."""
    return sum(apply(brain, source, one, now=now) for one in contents.reviews.values() if one.statement)


def apply(brain: Brain, source: str, review: Review, *, now: datetime) -> int:
    """Archive or restore the facts of *review* where that is not done; the number of facts changed."""
    if review.did == "restored":
        archived = """
            select distinct a.run_id from facts_archive a join sources s on s.id = a.source_id
            where s.name = ? and a.job = ? and a.record_ref = ? and ? in ('', a.handle)
        """
        values = (source, JOB, review.of, _handle(source, review))
        restored = 0
        for (run,) in brain.db.execute(archived, values).fetchall():
            with brain.transaction():
                restored += restore_run(brain, run_id=run).facts
        return restored
    if not (facts := _facts(brain, source, review)):
        return 0
    (source_id,) = brain.db.execute("select id from sources where name = ?", (source,)).fetchone()
    run = start_run(brain, "forget", source_id=source_id, now=now)
    begin_removal(brain)
    reason = f"{review.did} by {review.by}" if review.by else review.did
    with brain.transaction() as db:
        db.executemany("insert into temp.leaving values (?, ?, null)", ((id_, reason) for (id_,) in facts))
        archive_leaving(brain, run_id=run, job=JOB, now=now)
    finish_run(brain, run, report={"facts": len(facts)}, now=now)
    return len(facts)


def _facts(brain: Brain, source: str, review: Review) -> list[tuple[int]]:
    """Ids of the facts of *review*."""
    held = """
        select f.id from sources s cross join records r on r.source_id = s.id and r.ref = :ref
        cross join facts f on f.record_id = r.id
        where s.name = :source and :handle in ('', f.handle)
    """
    values = {"source": source, "ref": review.of, "handle": _handle(source, review)}
    return brain.db.execute(held, values).fetchall()


def _handle(source: str, review: Review) -> str:
    return handle_of(source, review.of, review.statement) if review.statement else ""


def _resolved(brain: Brain, name: str, scope: Scope) -> _Subject:
    try:
        shown = show(brain, name, scope=scope)
    except UnknownHandle:
        return _withdrawn(brain, name, scope)
    if isinstance(shown, ArchivedFact):
        ref, statement = shown.record, shown.statement
    elif isinstance(shown, ShownFact):
        ref, statement = shown.fact.record, shown.fact.statement
    else:
        ref, statement = shown.record.ref, ""
    journal = journal_of(brain, shown.source)
    migrate(brain, journal, shown.source)
    contents = read(journal)
    if contents.holds(ref):
        statement = ""
    elif not statement:
        raise UsageError(f"{ref} is a record of the project", hint="change it in the project, or name one of its facts")
    return _Subject(shown.source, journal, contents, ref, statement)


def _withdrawn(brain: Brain, name: str, scope: Scope) -> _Subject:
    """A withdrawn subject that a rebuilt brain does not hold.

    Raises:
        UnknownHandle: no journal names it.
    """
    for source in readable(brain, scope).values():
        journal = journal_of(brain, source)
        contents = read(journal)
        for one in contents.reviews.values():
            if name in (one.of, _handle(source, one) or one.handle):
                return _Subject(source, journal, contents, one.of, one.statement)
    raise UnknownHandle(name)

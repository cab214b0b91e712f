"""Forgetting: what nobody is to be told any more goes into the archive, as the journal says; it can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.connectors import Gone, Item, outcomes
from cortex.indexers.connectors.notes import record_of
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.journal.places import Journal
from cortex.indexers.journal.reading import Review, Told, read
from cortex.indexers.journal.writing import keep_rows
from cortex.substrate.archive import archive_leaving, begin_removal, restore_run
from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.lookup import ArchivedFact, ShownFact, ShownRecord, show
from cortex.substrate.model import Scope, Value
from cortex.substrate.runs import finish_run, start_run
from cortex.substrate.sources import readable
from cortex.surfaces.journaling import journal_of, write_out
from cortex.surfaces.recording import store

JOB: Final = "forgotten"


class Forgotten(Value):
    """What became of something that was to be forgotten, or to be told again."""

    ref: str = Field(description="of the record")
    source: str
    statement: str = Field(description="the one fact of it that is meant; '' for all of a note or an outcome")
    did: Literal["forgotten", "restored", "unchanged"]
    facts: int = Field(description="that were put away, or stand again")


class _Meant(NamedTuple):
    """What somebody named: a record of the journal, or one fact of another record."""

    source: str
    journal: Journal
    told: Told
    ref: str
    statement: str

    @property
    def review(self) -> Review | None:
        return self.told.reviews.get(f"{self.ref}\0{self.statement}")


def forget(
    brain: Brain, name: str, *, undo: bool, by: str, why: str, scope: Scope, authority: Mapping[str, float] | None,
    now: datetime,
) -> Forgotten:  # fmt: skip
    """Put away the note, the outcome or the one fact called *name*, or have it told again.

    Raises:
        UnknownHandle: nothing is called that.
        UsageError: it is a record of the project, which only the project can change.
        NotKept: the review cannot be written.
    """
    meant = _meant(brain, name, scope)
    was_out = meant.review is not None and meant.review.did != "restored"
    if was_out == (not undo):
        return Forgotten(ref=meant.ref, source=meant.source, statement=meant.statement, did="unchanged", facts=0)
    did: Literal["forgotten", "restored"] = "restored" if undo else "forgotten"
    review = Review(of=meant.ref, statement=meant.statement, did=did, handle=name, by=by, why=why, date=now)
    keep_rows(meant.journal, [review], trusted=True)
    facts = carry_out(brain, meant.source, review, now=now)
    if not meant.statement:
        told = read(meant.journal)
        store_again(brain, told, meant.ref, source=meant.source, authority=authority, now=now)
        facts = facts or len(_standing(brain, meant.source, review))
    return Forgotten(ref=meant.ref, source=meant.source, statement=meant.statement, did=did, facts=facts)


def store_again(
    brain: Brain, told: Told, ref: str, *, source: str, authority: Mapping[str, float] | None, now: datetime
) -> None:
    """Have the brain read one record of the journal anew: gone where it was taken out."""
    note = next((one for one in told.notes.values() if one.ref == ref), None)
    line = told.outcomes.get(ref)
    item: Item = Gone(ref=ref)
    if not told.is_out(ref) and note:
        item = record_of(note.note, source=source, trusted=note.trusted, signer=note.signer)
    elif not told.is_out(ref) and line and isinstance(line.made, Entry):
        item = outcomes.record_of(line.made, source=source)
    trusted = bool((note and note.trusted) or (line and line.trusted))
    store(brain, [item], source=source, trusted=trusted, authority=authority, now=now)


def settle(brain: Brain, told: Told, source: str, *, now: datetime) -> int:
    """Put away and bring back what the reviews of a journal say of single facts; how many facts that changed."""
    return sum(carry_out(brain, source, one, now=now) for one in told.reviews.values() if one.statement)


def carry_out(brain: Brain, source: str, review: Review, *, now: datetime) -> int:
    """Do to the facts what *review* says, where it is not done; how many facts that changed."""
    if review.did == "restored":
        handle = handle_of(source, review.of, review.statement) if review.statement else ""
        put_away = """
            select distinct a.run_id from facts_archive a join sources s on s.id = a.source_id
            where s.name = ? and a.job = ? and a.record_ref = ? and ? in ('', a.handle)
        """
        runs = brain.db.execute(put_away, (source, JOB, review.of, handle)).fetchall()
        restored = 0
        for (run,) in runs:
            with brain.transaction():
                restored += restore_run(brain, run_id=run).facts
        return restored
    held = _standing(brain, source, review)
    if not held:
        return 0
    (source_id,) = brain.db.execute("select id from sources where name = ?", (source,)).fetchone()
    run = start_run(brain, "forget", source_id=source_id, now=now)
    begin_removal(brain)
    because = f"{review.did} by {review.by}" if review.by else review.did
    with brain.transaction() as db:
        db.executemany("insert into temp.leaving values (?, ?, null)", ((id_, because) for (id_,) in held))
        archive_leaving(brain, run_id=run, job=JOB, now=now)
    finish_run(brain, run, report={"facts": len(held)}, now=now)
    return len(held)


def _standing(brain: Brain, source: str, review: Review) -> list[tuple[int]]:
    """Ids of the facts that *review* is of."""
    standing = """
        select f.id from sources s cross join records r on r.source_id = s.id and r.ref = :ref
        cross join facts f on f.record_id = r.id
        where s.name = :source and :handle in ('', f.handle)
    """
    handle = handle_of(source, review.of, review.statement) if review.statement else ""
    return brain.db.execute(standing, {"source": source, "ref": review.of, "handle": handle}).fetchall()


def _meant(brain: Brain, name: str, scope: Scope) -> _Meant:
    try:
        shown = show(brain, name, scope=scope)
    except UnknownHandle:
        return _out_of_sight(brain, name, scope)
    if isinstance(shown, ArchivedFact):
        source, ref, statement = shown.source, shown.record, shown.statement
    elif isinstance(shown, ShownFact):
        source, ref, statement = shown.source, shown.fact.record, shown.fact.statement
    else:
        source, ref, statement = shown.source, shown.record.ref, ""
    journal = journal_of(brain, source)
    write_out(brain, journal, source)
    told = read(journal)
    if told.holds(ref):
        return _Meant(source, journal, told, ref, "")
    if not statement or not isinstance(shown, ShownRecord | ShownFact | ArchivedFact):
        raise UsageError(
            f"{ref} is what the project says itself, and is read again",
            hint="change it there, or name one of its facts",
        )
    return _Meant(source, journal, told, ref, statement)


def _out_of_sight(brain: Brain, name: str, scope: Scope) -> _Meant:
    """What a brain that was made anew does not know of, for it was forgotten before.

    Raises:
        UnknownHandle: nothing of the journals is called *name*.
    """
    for source in readable(brain, scope).values():
        journal = journal_of(brain, source)
        told = read(journal)
        for one in told.reviews.values():
            told_by = handle_of(source, one.of, one.statement) if one.statement else one.handle
            if name in (one.of, told_by):
                return _Meant(source, journal, told, one.of, one.statement)
    raise UnknownHandle(name)

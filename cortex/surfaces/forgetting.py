"""Forgetting notes, outcomes and single facts: a review in the journal, and the archive of the brain."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Final

from cortex.indexers.connectors import Gone, Item, notes, outcomes
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.journal.contents import Contents, Review
from cortex.substrate.archive import archive_leaving, begin_removal, leave, restore_run
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import facts_of, runs_that_removed, sources_holding
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.sources import find_source
from cortex.substrate.status import finish_run, start_run
from cortex.surfaces.remembering import store

JOB: Final = "forgotten"  # in the archive


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


def store_earlier(
    brain: Brain, contents: Contents, source: str, *, authority: Mapping[str, float] | None, now: datetime
) -> None:
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


def apply_all(
    brain: Brain, contents: Contents, source: str, *, authority: Mapping[str, float] | None, now: datetime
) -> int:
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

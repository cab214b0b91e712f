"""The archive: facts that were taken out, with what removed them and all that is needed to bring them back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

from cortex.language.identifiers import parts
from cortex.substrate.brain import Brain
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import run, run_script

_TABLES: Final = (
    "leaving", "waiting", "noted", "fading", "faded", "meeting", "unsaid", "reviving", "returning_", "pruning",
    "forgotten", "recounting", "later", "handed",
)  # fmt: skip

WORTH: Final = 0.05  # confidence that a fact gains for each other that says the same


_UNMAKE: Final = (
    "delete from facts where handle in (select handle from temp.returning_)",
    (
        "delete from facts_archive where handle in (select handle from temp.returning_) and run_id >= :run_id"
        " and fact_id is not null"
    ),
    "delete from facts_revived where handle in (select handle from temp.returning_) and run_id >= :run_id",
    "delete from confidence_before where handle in (select handle from temp.returning_) and run_id >= :run_id",
)
"""What goes back to the archive no longer stands, and what became of it since it was revived never was."""


_NOTE_LATER: Final = (
    "insert into temp.later select handle, run_id, max(fact_id) from confidence_before where run_id > ? group by 1, 2"
)


class Restored(NamedTuple):
    """What undoing a run brought back."""

    facts: int
    confidences: int
    left: int
    """Facts that stay away: their record says something else by now."""


def begin_removal(brain: Brain) -> None:
    """Make the temporary tables of a removal, empty, and the function that bringing back calls."""
    run_script(brain.db, "archive.compaction_temp")
    for table in _TABLES:
        brain.db.execute(f"delete from temp.{table}")  # noqa: S608  names of tables
    brain.define(parts_of=parts)


def examples(
    brain: Brain, of: Literal["leaving", "fading"], *, limit: int, run_id: int
) -> list[tuple[str, str, str, str, str | None]]:
    """Handle, statement, excerpt, reason and survivor of the first facts that leave or fade."""
    return run(brain, f"archive.examples_{of}", limit=limit, run_id=run_id).fetchall()


def leave(brain: Brain, facts: Iterable[int], reason: str) -> None:
    """Put facts into `temp.leaving`."""
    brain.db.executemany("insert into temp.leaving values (?, ?, null)", ((id_, reason) for id_ in facts))


def note_leaving(brain: Brain) -> None:
    """Remember what the facts of `temp.leaving` are now, for `archive_leaving`."""
    run(brain, "archive.note_leaving")


def wait_to_leave(brain: Brain) -> None:
    """Remember what the facts of `temp.leaving` are now, and let them wait for `next_leave`."""
    note_leaving(brain)
    brain.db.execute("insert into temp.waiting select * from temp.leaving")


def next_leave(brain: Brain, most: int) -> bool:
    """Put the next of those that wait into `temp.leaving`, *most* of them; whether there were any."""
    brain.db.execute("delete from temp.leaving")
    found = run(brain, "archive.leave_next", limit=most).rowcount
    brain.db.execute("delete from temp.waiting where fact_id in (select fact_id from temp.leaving)")
    return found > 0


def archive_leaving(brain: Brain, *, run_id: int | None, job: str, changed: bool = False, now: datetime) -> int:
    """Move the facts of `temp.leaving` to the archive; how many. Call it inside a transaction.

    Args:
        changed: somebody may have changed them since they were noted; those that are not as they were stay.
    """
    if changed:
        run(brain, "archive.stay_changed")
    run(brain, "archive.archive_leaving", run_id=run_id, job=job, now=timestamp(now))
    return brain.db.execute("delete from facts where id in (select fact_id from temp.leaving)").rowcount


def revive_merged(brain: Brain, *, source_id: int) -> int:
    """Let facts stand again whose survivor of a merge does no longer; how many do. Call it inside a transaction."""
    begin_removal(brain)
    run(brain, "archive.find_unsaid", source_id=source_id)
    find_revivable(brain, source_id=source_id)
    return revive(brain, run_id=None)


def find_revivable(brain: Brain, *, source_id: int) -> None:
    """Put into `temp.reviving` what was merged into a fact of `temp.unsaid` and is still said by its own record."""
    brain.db.execute("delete from temp.reviving")
    run(brain, "restoring.find_revivable", source_id=source_id)


def revive(brain: Brain, *, run_id: int | None) -> int:
    """Let the facts of `temp.reviving` stand again; how many. Call it inside a transaction.

    Args:
        run_id: the compaction that does it, to be undone with it; none for what nobody undoes.
    """
    run(brain, "restoring.stay_archived")
    if brain.db.execute("select exists (select 1 from temp.reviving)").fetchone()[0]:
        brain.numbering("facts")
    revived = run(brain, "restoring.revive").rowcount
    brain.db.execute("delete from temp.recounting")
    brain.db.execute("insert into temp.recounting (handle) select handle from temp.reviving")
    corroborate(brain, run_id=run_id)
    if run_id is not None:
        run(brain, "restoring.keep_revived", run_id=run_id)
    run(brain, "restoring.forget_revived")
    return revived


def find_miscounted(brain: Brain, *, source_id: int) -> None:
    """Put into `temp.recounting` the facts that others corroborate than did: a record is gone, or is there again."""
    brain.db.execute("delete from temp.recounting")
    run(brain, "archive.find_miscounted", source_id=source_id)
    run(brain, "archive.count_said")
    run(brain, "archive.keep_miscounted")


def corroborate(brain: Brain, *, run_id: int | None) -> None:
    """Make the facts of `temp.recounting` as sure as what says the same makes them. Call it inside a transaction.

    Args:
        run_id: the compaction that does it, to be undone with it; none for what nobody undoes.
    """
    brain.db.execute("delete from temp.fading")
    run(brain, "archive.count_said")
    run(brain, "archive.corroborated")
    if run_id is not None:
        run(brain, "archive.keep_confidence", run_id=run_id)
    run(brain, "archive.corroborate", worth=WORTH)


def restore_run(brain: Brain, *, run_id: int) -> Restored:
    """Bring back what a run took out, put away what it brought back, and undo what it did to confidences.

    Call it inside a transaction.
    """
    begin_removal(brain)
    run(brain, "restoring.promote_restored", run_id=run_id)
    run(brain, "archive.find_uncounted", run_id=run_id)
    run(brain, "archive.count_said")
    brain.db.execute("update temp.recounting set before = said")
    facts = _restore(brain, run_id, revived=False)
    _put_back(brain, run_id)
    facts += _restore(brain, run_id, revived=True)
    run(brain, "restoring.forget_restored", run_id=run_id)
    brain.db.execute(_NOTE_LATER, (run_id,))
    run(brain, "archive.find_handed", run_id=run_id)
    _uncount(brain)
    confidences = run(brain, "restoring.restore_confidence", run_id=run_id).rowcount
    for where in ("restore_archived_confidence", "restore_revived_confidence", "hand_on_confidence"):
        run(brain, f"restoring.{where}", run_id=run_id)
    brain.db.execute("delete from confidence_before where run_id = ?", (run_id,))
    left = run(brain, "archive.release_archived", run_id=run_id).rowcount
    return Restored(facts, confidences, left)


def _restore(brain: Brain, run_id: int, *, revived: bool) -> int:
    brain.db.execute("delete from temp.reviving")
    run(brain, "restoring.find_restorable", run_id=run_id, revived=revived)
    return run(brain, "restoring.revive").rowcount


def _put_back(brain: Brain, run_id: int) -> None:
    """Archive again what a run revived, where its survivor resolves; all that later runs did to it is void."""
    run(brain, "restoring.find_returning", run_id=run_id)
    for statement in _UNMAKE:
        run(brain, statement, run_id=run_id)
    run(brain, "restoring.archive_again", run_id=run_id)
    brain.db.execute("delete from facts_revived where ? in (revived_by, run_id)", (run_id,))


def _uncount(brain: Brain) -> None:
    """What stands again corroborates no longer: neither what later runs left, nor what they will go back to."""
    run(brain, "archive.count_said")
    for where in ("facts", "archive", "revived", "confidence"):
        run(brain, f"restoring.uncount_{where}", worth=WORTH)


def prune_archive(brain: Brain, *, source_id: int, every: bool, kept: timedelta, now: datetime) -> int:
    """Forget what was put away longer ago than it is kept. Call it inside a transaction.

    Args:
        every: this source is one of all: what runs over all of them kept is forgotten, too.

    Returns:
        How many facts the archive no longer has; a merged one stays while its survivor resolves, in the archive or not.
    """
    begin_removal(brain)
    before = {"source_id": source_id, "before": timestamp(now - kept), "every": every}
    run(brain, "archive.find_pruned", **before)
    run(brain, "archive.find_forgotten", **before)
    run(brain, "archive.mark_forgotten")
    brain.db.execute("delete from confidence_before where run_id in (select run_id from temp.forgotten)")
    brain.db.execute("delete from facts_revived where revived_by in (select run_id from temp.forgotten)")
    return brain.db.execute("delete from facts_archive where id in (select archive_id from temp.pruning)").rowcount

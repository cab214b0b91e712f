"""The archive: facts that were taken out, with what removed them and all that is needed to bring them back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql
from cortex.substrate.tokens import parts

_TABLES: Final = ("leaving", "fading", "meeting")


class Restored(NamedTuple):
    """What undoing a run brought back."""

    facts: int
    confidences: int
    left: int
    """Facts that stay away: their record says something else by now."""


def begin_removal(brain: Brain) -> None:
    """Make the temporary tables of a removal, empty, and the function that bringing back calls."""
    for statement in sql("compaction_temp").split(";\n"):
        if statement.strip():
            brain.db.execute(statement)
    for table in _TABLES:
        brain.db.execute(f"delete from temp.{table}")  # noqa: S608  names of tables
    brain.db.create_function("parts_of", 1, parts, deterministic=True)


def archive_leaving(brain: Brain, *, run_id: int | None, job: str, now: datetime) -> int:
    """Move the facts of `temp.leaving` to the archive. Call it inside a transaction.

    Returns:
        How many there were.
    """
    brain.db.execute(sql("archive_leaving"), {"run_id": run_id, "job": job, "now": timestamp(now)})
    return brain.db.execute(sql("delete_leaving")).rowcount


def revive_merged(brain: Brain, *, source_id: int) -> int:
    """Let facts speak for themselves again whose survivor of a merge no longer stands. Call it inside a transaction.

    Returns:
        How many do.
    """
    begin_removal(brain)
    brain.db.execute(sql("find_revivable"), {"source_id": source_id})
    revived = brain.db.execute(sql("revive")).rowcount
    brain.db.execute(sql("forget_revived"))
    return revived


def restore_run(brain: Brain, *, run_id: int) -> Restored:
    """Bring back what a run took out and the confidences it changed. Call it inside a transaction."""
    begin_removal(brain)
    run: Mapping[str, Any] = {"run_id": run_id}
    facts = brain.db.execute(sql("restore_archived"), run).rowcount
    brain.db.execute(sql("forget_restored"), run)
    confidences = brain.db.execute(sql("restore_confidence"), run).rowcount
    brain.db.execute(sql("hand_on_confidence"), run)
    brain.db.execute("delete from confidence_before where run_id = :run_id", run)
    counted = "select count(*) from facts_archive where run_id = :run_id and fact_id is not null"
    (left,) = brain.db.execute(counted, run).fetchone()
    return Restored(facts, confidences, left)


def prune_archive(brain: Brain, *, source_id: int, kept: timedelta, now: datetime) -> int:
    """Forget what was put away longer ago than it is kept. Call it inside a transaction.

    Returns:
        How many facts the archive no longer has; a merged one stays while its survivor resolves.
    """
    before = {"source_id": source_id, "before": timestamp(now - kept)}
    brain.db.execute(sql("prune_confidence"), before)
    return brain.db.execute(sql("prune_archive"), before).rowcount

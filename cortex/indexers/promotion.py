"""Structured records and what was remembered become facts by SQL alone; no model is ever asked."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cortex.indexers.wording import add_wording
from cortex.substrate.brain import Brain
from cortex.substrate.facts import Changes, begin_batch, settle_batch
from cortex.substrate.statements import sql

STATEMENTS: Final = (
    "promote_directives",
    "promote_pulls",
    "promote_issues",
    "promote_assignees",
    "promote_outcomes",
    "promote_events",
    "promote_ownership",
    "promote_project",
    "promote_commits",
    "promote_reasons",
    "promote_links",
    "promote_references",
    "promote_documents",
)

FACTS: Final = 100  # made of one relation of a record, each of another row; those beyond are counted in one


def promote(brain: Brain, *, source_id: int, run_id: int, now: datetime) -> Changes:
    """Make the facts of every structured record of a source that changed since the last promotion.

    One transaction, which begins before it is seen what changed: a record that another process stores meanwhile waits
    for the next promotion. No fact is written when none changed.

    Returns:
        Facts added, removed because their record changed, and left as they were.
    """
    db = brain.db
    begin_batch(brain)
    add_wording(db)
    with brain.transaction():
        db.execute(sql("promotion.promote_due"), {"source_id": source_id})
        for name in STATEMENTS:
            db.execute(sql(f"promotion.{name}"), {"source_id": source_id, "most": FACTS})
        changes = settle_batch(brain, path="promotion", run_id=run_id, now=now)
        db.execute(sql("promotion.mark_promoted"))
        db.execute(sql("promotion.unmark_gone"), {"source_id": source_id})
    return changes


def pending_promotion(brain: Brain, *, source_id: int) -> bool:
    """Whether a promotion of this source would do anything."""
    begin_batch(brain)
    add_wording(brain.db)
    brain.db.execute(sql("promotion.promote_due"), {"source_id": source_id})
    (due,) = brain.db.execute("select exists (select 1 from temp.due)").fetchone()
    return bool(due)

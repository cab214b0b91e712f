"""Promotion: structured records become facts by the statements of `promotion.sql`, in its order."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cortex.substrate.brain import Brain
from cortex.substrate.facts import Changes, settle_batch
from cortex.substrate.statements import run, statements

_UNMARK: Final = (
    "delete from promotions where record_id in (select id from records where source_id = ? and gone_at is not null)"
)
"""A record that is gone is promoted again when it returns."""


def find_due(brain: Brain, *, source_id: int) -> bool:
    """Put the records of a source that changed since they were promoted to the batch; whether there are any."""
    run(brain, "promotion.find_due", source_id=source_id)
    (due,) = brain.db.execute("select exists (select 1 from temp.due)").fetchone()
    return bool(due)


def promote_due(brain: Brain, *, source_id: int, most: int, run_id: int, now: datetime) -> Changes:
    """Let what the records that are due state be their facts, and note that they are promoted.

    Args:
        most: facts made of one relation of a record, each of another row; those beyond are counted in one.
    """
    for name in statements("promotion"):
        if name.startswith("promote_"):
            run(brain, f"promotion.{name}", source_id=source_id, most=most)
    changes = settle_batch(brain, path="promotion", run_id=run_id, now=now)
    run(brain, "promotion.mark_promoted")
    brain.db.execute(_UNMARK, (source_id,))
    return changes

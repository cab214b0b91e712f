"""Structured records and what was remembered become facts by SQL alone; no model is ever asked."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cortex.indexers.wording import WORDING
from cortex.substrate.brain import Brain
from cortex.substrate.facts import Changes, begin_batch
from cortex.substrate.promotions import find_due, promote_due

FACTS: Final = 100  # made of one relation of a record, each of another row; those beyond are counted in one


def promote(brain: Brain, *, source_id: int, run_id: int, now: datetime) -> Changes:
    """Make the facts of every structured record of a source that changed since the last promotion.

    One transaction, which begins before it is seen what changed: a record that another process stores meanwhile waits
    for the next promotion. No fact is written when none changed.

    Returns:
        Facts added, removed because their record changed, and left as they were.
    """
    begin_batch(brain)
    brain.define(**WORDING)
    with brain.transaction():
        find_due(brain, source_id=source_id)
        return promote_due(brain, source_id=source_id, most=FACTS, run_id=run_id, now=now)


def pending_promotion(brain: Brain, *, source_id: int) -> bool:
    """Whether a promotion of this source would do anything."""
    begin_batch(brain)
    brain.define(**WORDING)
    return find_due(brain, source_id=source_id)

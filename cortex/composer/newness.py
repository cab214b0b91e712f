"""What a row is worth for how new it is, where a question asks how things are now."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from cortex.composer.question import Question, coverage
from cortex.composer.retrieve.removal_titles import ENDING_USE
from cortex.composer.rows import STANDING, Row

NOW: Final = 1.0
"""What the newest row is worth beside its words."""


def newness_of(rows: Sequence[Row]) -> dict[int, float]:
    """How new each row is among *rows*, 0 to 1, by its record; a document says how things are now."""
    days = sorted({row.day for row in rows if row.day})
    place = {day: (at + 1) / len(days) for at, day in enumerate(days)}
    return {row.record_id: 1.0 if row.type in STANDING else place.get(row.day, 0.0) for row in rows}


def worth_now(question: Question, holds: AbstractSet[str]) -> float:
    """What the newest is worth that *holds* some of what is asked after: all of `NOW` where it holds all of that.

    That something is used or supported is what is asked of it, and stands in what is said of other things too.
    """
    if not question.latest:
        return 0.0
    asked = question.content - ENDING_USE or question.stems
    return NOW * coverage({stem: question.weights.get(stem, 0.0) for stem in asked}, holds)

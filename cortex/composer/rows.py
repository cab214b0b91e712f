"""Rows: what retrieval hands to the judge and the composer, with all they need to weigh it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

STANDING: Final = ("doc", "directive", "ownership")
"""Types of records that say how things are, and are kept so."""


class Row(NamedTuple):
    """A fact, or a passage of a record.

    Attributes:
        text: a fact's statement; a passage as searched, without the lines it quotes.
        unverified: 1 where nobody trusted wrote it.
        day: when its record was merged or made, ISO 8601; '' when unknown.
        handle: of the fact; '' for a passage.
    """

    id: int
    record_id: int
    source_id: int
    ref: str
    type: str
    title: str
    authority: float
    thread: str
    state: str
    author: str
    association: str
    unverified: int
    day: str
    start: int
    end: int
    text: str
    handle: str = ""
    kind: str = ""
    confidence: float = 1.0

    @property
    def about(self) -> str:
        """The thread it belongs to: a comment's issue or pull request, else the record itself."""
        return self.thread or self.ref.partition("#")[0]


def load_passages(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The passages called *ids*, by id; of those only what was known at *as_of*, where it is given."""
    return {
        row[0]: Row(*row) for row in brain.db.execute(sql("rows_of_passages"), {"ids": json.dumps(ids), "as_of": as_of})
    }


def load_facts(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The facts called *ids*, by id; of those only what was known at *as_of*, where it is given."""
    return {
        row[0]: Row(*row) for row in brain.db.execute(sql("rows_of_facts"), {"ids": json.dumps(ids), "as_of": as_of})
    }


def load_firsts(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The first passage of each record called *ids*, by the record's id."""
    return {
        row[1]: Row(*row) for row in brain.db.execute(sql("rows_of_records"), {"ids": json.dumps(ids), "as_of": as_of})
    }

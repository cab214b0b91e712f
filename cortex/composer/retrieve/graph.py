"""The graph over links: a strong hit brings in what fixed it, what decided it, what reverted it, what doubles it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.rows import Row
from cortex.indexers.distill.deciding import decides
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

RELATIONS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "fixed by": 0.97,
        "closed with": 0.95,
        "decided in": 1.0,  # times how sure the distiller is that something was decided
        "duplicate of": 0.9,
        "addressed by": 0.8,
        "superseded by": 1.05,  # what holds now stands before what it replaced
        "reverted by": 0.6,
        "reverted in part by": 0.6,
        "brought back by": 0.6,
        "fixes": 0.5,
    }
)
"""What a thread's score is worth to a record that is so related to it; bench/retrieval.py measures it."""

SAID: Final = 0.85
"""How sure it is that a comment settled its thread that only says so, and of which no fact was made."""


class Related(NamedTuple):
    """A record that stands in *relation* to a thread, and the share of the thread's score that this is worth."""

    thread: str
    source_id: int
    record_id: int
    relation: str
    worth: float


def find_related(brain: Brain, threads: Sequence[tuple[int, str]]) -> list[Related]:
    """What is related to *threads*, given as (source's id, ref); the threads themselves come first, as 'itself'."""
    asked = json.dumps([{"source": source_id, "ref": ref} for source_id, ref in threads], ensure_ascii=False)
    heads = {row[0]: (row[1], row[2]) for row in brain.db.execute(sql("threads"), {"threads": asked})}
    found = [Related(ref, source_id, id_, "itself", 1.0) for id_, (source_id, ref) in heads.items()]
    for head, (source_id, ref) in heads.items():
        for record_id, relation, sure in brain.db.execute(sql("related"), {"id": head}):
            found.append(Related(ref, source_id, record_id, relation, RELATIONS[relation] * sure))
    return found


def told_of(rows: Sequence[Row], threads: Collection[tuple[int, str]]) -> list[Related]:
    """Comments among *rows* that say what was decided, as related to their threads."""
    return [
        Related(row.thread, row.source_id, row.record_id, "decided in", RELATIONS["decided in"] * SAID)
        for row in rows
        if row.thread and (row.source_id, row.thread) in threads and decides(row.text)
    ]

"""How facts stand at a moment: still, or replaced, taken back, turned down, not yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from cortex.substrate.brain import Brain
from cortex.substrate.model import Kind, RecordType, Share, Value
from cortex.substrate.selection import facts_standing
from cortex.substrate.statements import rows
from cortex.substrate.states import State, said_of, since_of, state_of


class Stood(Value):
    """A fact, or the file of a decision, and how it stands."""

    handle: str = Field(description="'fact-…', or the ref of a decision's file")
    kind: Kind
    statement: str
    excerpt: str = Field(description="verbatim from the record's body")
    authority: Share
    confidence: Share
    source: str
    ref: str = Field(description="of the record it was taken from")
    type: RecordType
    title: str
    url: str
    path: str
    since: datetime | None = Field(description="when it became true, as its record says")
    state: State = Field(description="at the moment asked for")
    until: datetime | None = Field(description="when it stopped, where that is known")
    replaced_by: str = Field(description="ref of what superseded or reverted it; '' where nothing is known to")
    unverified: bool = Field(description="nobody of the project wrote its record or took it up")


def standing(brain: Brain, ids: Sequence[int], *, sources: Collection[int], at: datetime) -> list[tuple[int, Stood]]:
    """How the facts called *ids* stand at *at*, with the id of each, in their order."""
    return [(row["id"], stood(row, at=at)) for row in facts_standing(brain, ids, sources=sources)]


def decision_records(
    brain: Brain, *, sources: Collection[int], records: Collection[int] | None, limit: int, at: datetime
) -> list[tuple[int, Stood]]:
    """How the files of decisions stand at *at*, with the id of each record, the latest first."""
    found = rows(brain, "records.decision_records", sources=sources, records=records, limit=limit)
    return [(row["record_id"], stood(row, at=at)) for row in found]


def stood(row: Mapping[str, Any], *, at: datetime) -> Stood:
    """How the fact in *row* stands at *at*."""
    state, until, replaced_by = state_of(row, at)
    kept = {name: row[name] for name in Stood.model_fields if name in row and name != "state"}
    kept["statement"] = said_of(row)
    return Stood(**kept, since=since_of(row), state=state, until=until, replaced_by=replaced_by)

"""Comments follow the title of their issue or pull request, whoever told that it has another now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from cortex.indexers.reading import incoming_of
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record
from cortex.substrate.records import put_records
from cortex.substrate.statements import sql


def retitle(brain: Brain, *, source_id: int, source: str, authority: Mapping[str, float], now: datetime) -> int:
    """Store the comments of threads that have another title now as they would be read today; how many there were.

    Their facts are due again, for the title belongs to what a fact says of its place.
    """
    found = brain.db.execute(sql("retitled"), {"source_id": source_id})
    names = [column[0] for column in found.description]
    fresh = [
        incoming_of(_record(dict(zip(names, row, strict=True)), source), "github", source, authority) for row in found
    ]
    return put_records(brain, fresh, source_id=source_id, now=now)["replaced"] if fresh else 0


def _record(row: dict[str, object], source: str) -> Record:
    """The record that a comment's *row* was made of; what its text refers to is read from there again."""
    first, last = row.pop("line_start"), row.pop("line_end")
    stated = json.loads(str(row.pop("stated")))
    lines = None if last is None else (first, last)
    return Record.model_validate({**row, "source": source, "lines": lines, "links": stated})

"""What another origin corrects: the title of a comment's thread, and a number that is no pull request's."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime

from cortex.indexers.reading import incoming_of
from cortex.substrate.brain import Brain
from cortex.substrate.links import lead_to_issue, misnumbered_pulls, retitled_comments
from cortex.substrate.model import Record
from cortex.substrate.records import note_gone_refs, put_records


def retitle(
    brain: Brain, *, source_id: int, source: str, own: Collection[str], authority: Mapping[str, float], now: datetime
) -> int:
    """Store the comments of threads that have another title now as they would be read today; how many there were.

    Their facts are due again, for the title belongs to what a fact says of its place.
    """
    found = retitled_comments(brain, source_id=source_id)
    fresh = [incoming_of(_record(row, source), "github", own, authority) for row in found]
    return put_records(brain, fresh, source_id=source_id, now=now)["replaced"] if fresh else 0


def _record(row: dict[str, object], source: str) -> Record:
    """The record that a comment's *row* was made of; what its text refers to is read from there again."""
    first, last = row.pop("line_start"), row.pop("line_end")
    stated = json.loads(str(row.pop("stated")))
    lines = None if last is None else (first, last)
    return Record.model_validate({**row, "source": source, "lines": lines, "links": stated})


def drop_misnumbered(brain: Brain, *, source_id: int, now: datetime) -> int:
    """Mark the pull requests as gone that commits told of by an issue's number; how many there were.

    What refers to one refers to the issue, the commit is told for itself again, and the facts of both are due.
    """
    found = misnumbered_pulls(brain, source_id=source_id)
    if not found:
        return 0
    with brain.transaction():
        for pull, issue in found:
            lead_to_issue(brain, pull, issue, source_id=source_id)
    note_gone_refs(brain, [pull for pull, _ in found], source_id=source_id, now=now)
    return len(found)

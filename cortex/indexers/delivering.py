"""Storing what a webhook delivered, as a run of the connectors would; facts are made of it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from cortex.errors import UnknownSource
from cortex.indexers.connectors.github_events import Delivered
from cortex.indexers.feeds import Feed
from cortex.indexers.processes import Processes
from cortex.indexers.reading import OriginReport, Reading, read
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Skipped
from cortex.substrate.records import begin_listing, note_gone_refs
from cortex.substrate.sources import as_held, timestamp

ORIGIN = "github"


def source_called(brain: Brain, name: str) -> str:
    """The source that is the repository *name*, whose case GitHub does not mind.

    Raises:
        UnknownSource: there is none; the caller learns no other's name.
    """
    held = as_held(brain, name)
    if brain.db.execute("select 1 from sources where name = ?", (held,)).fetchone() is None:
        raise UnknownSource(name, None)
    return held


def store(
    brain: Brain, found: Delivered, *, source: str, authority: Mapping[str, float], now: datetime
) -> OriginReport:
    """Store the rows of a delivery and mark those that are gone; what is older than what is held is left out.

    Facts are made of them by the next `cortex.indexers.run.index` of the source, with or without feeds.
    """
    (source_id,) = brain.db.execute("select id from sources where name = ?", (source,)).fetchone()
    items = [item for item in found.items if not (isinstance(item, Record) and _is_stale(brain, source_id, item))]
    begin_listing(brain)
    skipped: list[Skipped] = []
    with Processes(1) as processes:
        into = Reading(brain, source_id, source, authority, False, processes, lambda *_: None, now)  # noqa: FBT003
        report = read(into, Feed(ORIGIN, lambda _: iter(items)), skipped)
    removed = note_gone_refs(brain, found.gone, source_id=source_id, now=now)
    return report.model_copy(update={"gone": removed, "skipped": len(skipped)})


def _is_stale(brain: Brain, source_id: int, record: Record) -> bool:
    """Whether a later state of the record is held, or it went since: deliveries come in any order, and again."""
    held = "select updated_at, gone_at from records where source_id = ? and ref = ?"
    updated_at, gone_at = brain.db.execute(held, (source_id, record.ref)).fetchone() or (None, None)
    said_at = timestamp(record.updated_at) if record.updated_at else None
    if gone_at and (said_at is None or said_at <= gone_at):
        return True
    return bool(updated_at and said_at and said_at < updated_at)

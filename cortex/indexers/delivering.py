"""Storing what a delivery of GitHub's webhook says changed, as a run of the connectors would.

Its rows are those of the REST API. Source: https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from cortex.errors import UnknownSource
from cortex.indexers.connectors import Item
from cortex.indexers.connectors.fields import Fields
from cortex.indexers.connectors.github_rows import SAYS_NOTHING, Thread, comment, listed, ref_of, thread
from cortex.indexers.feeds import Feed
from cortex.indexers.processes import Processes
from cortex.indexers.reading import OriginReport, Reading, read
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import changed_at
from cortex.substrate.model import Record, Skipped
from cortex.substrate.records import begin_listing, note_gone_refs
from cortex.substrate.sources import as_held, find_source, source_id, timestamp

ORIGIN = "github"


def source_called(brain: Brain, name: str) -> str:
    """The source that is the repository *name*, whose case GitHub does not mind.

    Raises:
        UnknownSource: there is none; the caller learns no other's name.
    """
    held = as_held(brain, name)
    if find_source(brain, held) is None:
        raise UnknownSource(name, None)
    return held


def store(
    brain: Brain, found: Delivered, *, source: str, authority: Mapping[str, float], now: datetime
) -> OriginReport:
    """Store the rows of a delivery and mark those that are gone; what is older than what is held is left out.

    Facts are made of them by the next `cortex.indexers.run.index` of the source, with or without feeds.
    """
    id_ = source_id(brain, source)
    items = [item for item in found.items if not (isinstance(item, Record) and _is_stale(brain, id_, item))]
    begin_listing(brain)
    skipped: list[Skipped] = []
    with brain.confined(id_), Processes(1) as processes:
        into = Reading(brain, id_, source, authority, False, processes, lambda *_: None, now, [source])  # noqa: FBT003
        report = read(into, Feed(ORIGIN, lambda _: iter(items)), skipped)
        removed = note_gone_refs(brain, found.gone, source_id=id_, now=now)
    return report.model_copy(update={"gone": removed, "skipped": len(skipped)})


def _is_stale(brain: Brain, id_: int, record: Record) -> bool:
    """Whether a later state of the record is held, or it went since: deliveries come in any order, and again."""
    updated_at, gone_at = changed_at(brain, record.ref, source_id=id_)
    said_at = timestamp(record.updated_at) if record.updated_at else ""
    return bool((gone_at and said_at <= gone_at) or (updated_at and said_at and said_at < updated_at))


HELD: Final[Mapping[str, str]] = {
    "issues": "issue", "pull_request": "pull_request", "issue_comment": "comment",
    "pull_request_review": "review", "pull_request_review_comment": "comment",
}  # fmt: skip
"""By event, where in its payload the row is that changed."""

_GONE: Final = frozenset({"deleted", "transferred"})


class Delivered(NamedTuple):
    """What a delivery brings: rows that are new or changed, and refs of those that are gone or say nothing now."""

    items: tuple[Item, ...]
    gone: tuple[str, ...]


def repository(payload: Mapping[str, Any]) -> str:
    """'owner/name' as the payload has it; '' where it has none."""
    found = payload.get("repository")
    return Fields(found).text("full_name") if isinstance(found, Mapping) else ""


def delivered(event: str, payload: Mapping[str, Any], *, source: str, where: str) -> Delivered:
    """The records that *payload* states; none for an event that states none.

    Args:
        where: what a note on something unusable calls it.
    """
    row = payload.get(HELD.get(event, ""))
    if not isinstance(row, Mapping):
        return Delivered((), ())
    fields = Fields(row, where=where)
    if event == "issues" and payload.get("action") == "closed" and not row.get("closed_by"):
        fields.row = {**row, "closed_by": payload.get("sender")}  # GitHub tells it beside the row
    if HELD[event] in ("issue", "pull_request"):
        made = thread(fields, source=source, held="issue" if event == "issues" and not listed(row) else "pull")
    else:
        made = comment(fields, source=source, threads=_threads(payload))
    if isinstance(made, Record) and payload.get("action") in _GONE:
        return Delivered((), (made.ref,))
    silent = isinstance(made, Skipped) and made.reason in SAYS_NOTHING
    return Delivered((made,), (ref_of(fields),) if silent else ())


def _threads(payload: Mapping[str, Any]) -> dict[int, Thread]:
    for name in ("issue", "pull_request"):
        row = payload.get(name)
        if isinstance(row, Mapping) and (number := (fields := Fields(row)).number("number")) is not None:
            pull = name == "pull_request" or listed(row)
            return {number: Thread("pull" if pull else "issue", fields.line("title"))}
    return {}

"""One index run: read every feed, store what changed, make its facts, count the terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from cortex.indexers.connectors import Cursor, Item
from cortex.indexers.distilling import distill_queue
from cortex.indexers.feeds import Feed
from cortex.indexers.promotion import pending_promotion, promote
from cortex.indexers.references import references
from cortex.substrate.archive import revive_merged
from cortex.substrate.authority import authority_of
from cortex.substrate.brain import Brain
from cortex.substrate.facts import Changes
from cortex.substrate.model import Record, Skipped, Value
from cortex.substrate.queue import drop_outdated_jobs, due_jobs, requeue_stripped
from cortex.substrate.records import Incoming, begin_listing, note_gone, put_records, resolve_links
from cortex.substrate.runs import finish_run, start_run, was_interrupted
from cortex.substrate.search import count_terms
from cortex.substrate.sources import register_source

BATCH: Final = 1000

Progress = Callable[[str, int, int | None], None]
"""Told a stage's name, how many of it are done since the last call, and how many there are in all, if that is known."""


class OriginReport(Value):
    """What one connector brought: records counted by what became of them."""

    origin: str
    records: Mapping[str, int]
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    gone: int = 0
    skipped: int = 0
    untouched: bool = False  # its files are as they were: not read again
    redacted: Mapping[str, int] = {}  # secrets that what was read held, by kind; none of them is stored


class FactsReport(Value):
    """What one path did to the facts."""

    path: str
    added: int = 0
    replaced: int = 0
    unchanged: int = 0


class IndexReport(Value):
    """What an index run did, per connector and path."""

    source: str
    run: int | None  # none when nothing changed
    origins: tuple[OriginReport, ...]
    facts: tuple[FactsReport, ...]
    skipped: tuple[Skipped, ...]

    @property
    def changed(self) -> bool:
        """Whether the run wrote anything."""
        return self.run is not None


def index(  # noqa: PLR0913  what a run is told, each by name
    brain: Brain,
    feeds: Sequence[Feed],
    *,
    source: str,
    location: str = "",
    federated: bool | None = None,
    authority: Mapping[str, float] | None = None,
    again: bool = False,
    progress: Progress = lambda *_: None,
    now: datetime,
) -> IndexReport:
    """Bring *source* up to date with its feeds; run twice, the second writes nothing.

    Args:
        authority: a project's own numbers, by line of the authority table.
        again: read everything, even what did not change since the last time.
    """
    source_id = register_source(brain, source, location=location, federated=federated, now=now)
    begin_listing(brain)
    skipped: list[Skipped] = []
    origins = [
        _read(brain, feed, source_id, source, authority or {}, skipped, progress, again=again, now=now)
        for feed in feeds
    ]
    requeue_stripped(brain, source_id=source_id)
    changed = any(origin.added or origin.replaced or origin.gone for origin in origins)
    if not (changed or _facts_due(brain, source_id) or was_interrupted(brain, source_id=source_id)):
        return IndexReport(source=source, run=None, origins=tuple(origins), facts=(), skipped=tuple(skipped))
    run_id = start_run(brain, "index", source_id=source_id, now=now)
    facts = _make_facts(brain, source_id, run_id, progress, now=now)
    report = IndexReport(source=source, run=run_id, origins=tuple(origins), facts=facts, skipped=tuple(skipped))
    finish_run(brain, run_id, report=report.model_dump(exclude={"skipped"}), skipped=skipped, now=now)
    return report


def _facts_due(brain: Brain, source_id: int) -> bool:
    queued = any(due_jobs(brain, source_id=source_id, path=path) for path in ("docs", "comments"))
    return queued or pending_promotion(brain, source_id=source_id)


def _read(  # noqa: PLR0913
    brain: Brain,
    feed: Feed,
    source_id: int,
    source: str,
    authority: Mapping[str, float],
    skipped: list[Skipped],
    progress: Progress,
    *,
    again: bool,
    now: datetime,
) -> OriginReport:
    key = (source_id, feed.origin)
    last, unusable = _cursor(brain, key)
    if feed.fingerprint and last == feed.fingerprint and not again:
        skipped += unusable
        return OriginReport(origin=feed.origin, records=_held(brain, key), skipped=len(unusable), untouched=True)
    types: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    redacted: Counter[str] = Counter()
    cursor: Cursor | None = None
    before = len(skipped)
    for batch in _batches(feed.read(None if again else last)):
        records = [item for item in batch if isinstance(item, Record)]
        skipped += [item for item in batch if isinstance(item, Skipped)]
        cursor = next((item for item in batch if isinstance(item, Cursor)), cursor)
        types.update(record.type for record in records)
        incoming = [_incoming(record, feed.origin, source, authority) for record in records]
        for one in incoming:
            redacted.update(one.redacted)
        counts.update(put_records(brain, incoming, source_id=source_id, now=now))
        progress(f"reading {feed.origin}", len(batch), feed.expected)
    gone = 0
    if cursor and cursor.complete:
        gone = note_gone(brain, source_id=source_id, origin=feed.origin, now=now)
    _keep_cursor(brain, key, feed.fingerprint or (cursor.value if cursor else ""), skipped[before:], last)
    return OriginReport(
        origin=feed.origin, records=types, gone=gone, skipped=len(skipped) - before, redacted=redacted, **counts
    )


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    while batch := list(islice(items, BATCH)):
        yield batch


def _incoming(record: Record, origin: str, source: str, authority: Mapping[str, float]) -> Incoming:
    authority_ = authority_of(record, authority)
    return Incoming(record, lambda body: references(body, own=source), authority=authority_, origin=origin)


def _held(brain: Brain, key: tuple[int, str]) -> dict[str, int]:
    counted = "select type, count(*) from records where source_id = ? and origin = ? and gone_at is null group by type"
    return dict(brain.db.execute(counted, key).fetchall())


def _cursor(brain: Brain, key: tuple[int, str]) -> tuple[str | None, list[Skipped]]:
    """Where the last reading of a connector ended, and what it could not use."""
    kept = "select value, skipped from cursors where source_id = ? and connector = ?"
    value, skipped = brain.db.execute(kept, key).fetchone() or (None, "[]")
    return value, [Skipped.model_validate(one) for one in json.loads(skipped)]


def _keep_cursor(brain: Brain, key: tuple[int, str], value: str, skipped: Sequence[Skipped], last: str | None) -> None:
    if value in ("", last):
        return
    unusable = json.dumps([one.model_dump() for one in skipped], ensure_ascii=False)
    with brain.transaction() as db:
        db.execute("insert or replace into cursors values (?, ?, ?, ?)", (*key, value, unusable))


def _make_facts(
    brain: Brain, source_id: int, run_id: int, progress: Progress, *, now: datetime
) -> tuple[FactsReport, ...]:
    drop_outdated_jobs(brain, source_id=source_id)
    resolve_links(brain, source_id=source_id)
    progress("promoting", 0, 1)
    made = [_report("promotion", promote(brain, source_id=source_id, run_id=run_id, now=now))]
    progress("promoting", 1, 1)
    for path in ("docs", "comments"):
        total = due_jobs(brain, source_id=source_id, path=path)

        def advance(done: int, path: str = path, total: int = total) -> None:
            progress(f"distilling {path}", done, total)

        changes = distill_queue(brain, source_id=source_id, path=path, run_id=run_id, now=now, progress=advance)
        made.append(_report(path, changes))
    with brain.transaction():
        revive_merged(brain, source_id=source_id)
    progress("counting terms", 0, 1)
    count_terms(brain.db)
    progress("counting terms", 1, 1)
    return tuple(made)


def _report(path: str, changes: Changes) -> FactsReport:
    return FactsReport(path=path, added=changes.added, replaced=changes.replaced, unchanged=changes.unchanged)

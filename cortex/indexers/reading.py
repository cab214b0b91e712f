"""Reading a feed: what it gives is prepared, by several processes where there is much, and stored in its order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from multiprocessing import parent_process
from typing import Final, NamedTuple

from cortex.indexers.connectors import Cursor, Gone, Item, Unread
from cortex.indexers.feeds import Feed
from cortex.indexers.processes import Processes
from cortex.indexers.references import references
from cortex.substrate import holdings, links, paths, records, sources
from cortex.substrate.authority import authority_of, least, noted
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Skipped, Value
from cortex.substrate.secrets import redact

BATCH: Final = 500
ROOM: Final = 4_000_000
"""Characters of bodies in a batch, and one body more: so much is held at once, however long each is."""
_TO_READ: Final = 8  # characters whose record is made as soon as one is read
INLINE: Final = 4  # batches that one process has prepared before others have started; more are theirs from the first on
SPARED: Final = "no longer listed and yet not counted as deleted"

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
    noted: int = 0  # inputs that are there, but not whole
    unread: Mapping[str, int] = {}  # files that no connector reads, by how their names end, most first
    untouched: bool = False  # its files are as they were: not read again
    undone: str = ""  # why it was not read, or not to its end; what it brought before stands
    redacted: Mapping[str, int] = {}  # secrets that what was read held, by kind; none of them is stored


class Reading(NamedTuple):
    """What is read into, and how.

    Attributes:
        authority: a project's own numbers, by line of the authority table.
        again: read everything, even what did not change since the last time.
        own: what the project is called here and where it is read from: a reference that names it stays within.
    """

    brain: Brain
    source_id: int
    source: str
    authority: Mapping[str, float]
    again: bool
    processes: Processes
    progress: Progress
    now: datetime
    own: Collection[str]


class _Prepared(NamedTuple):
    incoming: Sequence[records.Incoming]
    skipped: Sequence[Skipped]
    cursor: Cursor | None
    gone: Sequence[str]


def read(into: Reading, feed: Feed, skipped: list[Skipped]) -> OriginReport:
    """Store what is new in *feed*, and add to *skipped* what cannot be used."""
    key = (into.source_id, feed.connector or feed.origin)
    last, unusable = sources.kept_cursor(into.brain, *key)
    if feed.fingerprint and last == feed.fingerprint and not into.again:
        skipped += unusable
        return OriginReport(origin=feed.origin, records=_held(into, feed), untouched=True, **_counted(unusable))
    types: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    redacted: Counter[str] = Counter()
    cursor: Cursor | None = None
    before, gone, newest = len(skipped), 0, records.newest_record(into.brain)
    prepare = partial(_prepared, origin=feed.origin, own=into.own, authority=into.authority)
    batches = _batches(feed.read(None if into.again else last))
    for batch in map(prepare, batches) if feed.waits else into.processes.in_order(prepare, batches, inline=INLINE):
        skipped += batch.skipped
        cursor = batch.cursor or cursor
        types.update(one.row["type"] for one in batch.incoming)
        for one in batch.incoming:
            redacted.update(one.redacted)
        counts.update(records.put_records(into.brain, batch.incoming, source_id=into.source_id, now=into.now))
        if batch.cursor and not (batch.cursor.complete or feed.fingerprint):
            _keep_cursor(into.brain, key, batch.cursor.value, skipped[before:], last)
            last = batch.cursor.value
        if batch.gone:
            gone += records.note_gone_refs(into.brain, batch.gone, source_id=into.source_id, now=into.now)
        into.progress(f"reading {feed.origin}", len(batch.incoming) + len(batch.skipped), feed.expected)
    undone = cursor.stopped if cursor else ""
    if not types and _counted(skipped[before:])["skipped"] and _held(into, feed):
        undone = undone or f"nothing in it could be read ({skipped[before].reason})"
    if cursor and cursor.complete and not undone:
        gone += records.note_gone(
            into.brain, source_id=into.source_id, origin=feed.origin, newest=newest, kept=cursor.lost, now=into.now
        )
        skipped += _spared(into, feed, cursor)
    if cursor and cursor.files:
        paths.put_tree(into.brain, cursor.files, source_id=into.source_id)
    if not undone:
        _keep_cursor(into.brain, key, feed.fingerprint or (cursor.value if cursor else ""), skipped[before:], last)
    return OriginReport(
        origin=feed.origin, records=types, gone=gone, redacted=redacted, undone=undone,
        unread=cursor.unread if cursor else {}, **_counted(skipped[before:]), **counts,
    )  # fmt: skip


def _spared(into: Reading, feed: Feed, cursor: Cursor) -> Iterator[Skipped]:
    for type_, lost in cursor.lost.items():
        if spared := records.count_unseen(into.brain, source_id=into.source_id, origin=feed.origin, type_=type_):
            inputs = "1 input" if lost == 1 else f"{lost} inputs"
            reason = f"{SPARED}: {inputs} could not be read"
            yield Skipped(input=f"{spared} {type_}{'s' * (spared > 1)}", reason=reason, kept=True)


def _counted(skipped: Sequence[Skipped]) -> dict[str, int]:
    noted = sum(one.kept for one in skipped)
    return {"skipped": len(skipped) - noted, "noted": noted}


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    """The *items* in their order, a cursor always at the end of a batch: what comes before it is stored with it."""
    batch: list[Item] = []
    room = ROOM
    for item in items:
        batch.append(item)
        room -= len(item.body) if isinstance(item, Record) else _TO_READ * item.size if isinstance(item, Unread) else 0
        if isinstance(item, Cursor) or len(batch) == BATCH or room < 0:
            yield batch
            batch, room = [], ROOM
    if batch:
        yield batch


def _prepared(batch: Sequence[Item], *, origin: str, own: Collection[str], authority: Mapping[str, float]) -> _Prepared:
    """What is stored of *batch*; nothing but its text is looked at, so that any process can do it."""
    batch = [one for item in batch for one in (item.read() if isinstance(item, Unread) else (item,))]
    incoming = [incoming_of(item, origin, own, authority) for item in batch if isinstance(item, Record)]
    if parent_process():  # a worker has the time to cut passages that may turn out to be there already
        for one in incoming:
            one.passages()
    skipped = [item for item in batch if isinstance(item, Skipped)]
    return _Prepared(
        incoming,
        [one.model_copy(update={"input": redact(one.input), "reason": redact(one.reason)}) for one in skipped]
        + [Skipped(input=one.ref, reason=reason, kept=True) for one in incoming for reason in one.cut],
        next((item for item in batch if isinstance(item, Cursor)), None),
        [item.ref for item in batch if isinstance(item, Gone)],
    )


def incoming_of(record: Record, origin: str, own: Collection[str], authority: Mapping[str, float]) -> records.Incoming:
    """*record* on its way in; that it reverts or supersedes another is but a mention where nobody trusted says so."""

    def refer(body: str) -> Iterable[Link]:
        found, trusted = references(body, own=own), origin != records.UNTRUSTED
        return found if trusted else (link.model_copy(update={"relation": "mentions"}) for link in found)

    weights = {records.REMEMBERED: noted, records.UNTRUSTED: least}.get(origin, dict)(authority)
    return records.Incoming(record, refer, authority=authority_of(record, weights), origin=origin)


def _held(into: Reading, feed: Feed) -> dict[str, int]:
    return holdings.count_of_origin(into.brain, feed.origin, source_id=into.source_id)


def _keep_cursor(brain: Brain, key: tuple[int, str], value: str, skipped: Sequence[Skipped], last: str | None) -> None:
    if value not in ("", last):
        sources.keep_cursor(brain, *key, value, skipped)


def retitle(into: Reading) -> int:
    """Store the comments of threads that have another title now as they would be read today; how many there were.

    Their facts are due again, for the title belongs to what a fact says of its place.
    """
    found = links.retitled_comments(into.brain, source_id=into.source_id)
    fresh = [incoming_of(_stored(row, into.source), "github", into.own, into.authority) for row in found]
    return records.put_records(into.brain, fresh, source_id=into.source_id, now=into.now)["replaced"] if fresh else 0


def _stored(row: dict[str, object], source: str) -> Record:
    """The record that a comment's *row* was made of; what its text refers to is read from there again."""
    first, last = row.pop("line_start"), row.pop("line_end")
    stated = json.loads(str(row.pop("stated")))
    lines = None if last is None else (first, last)
    return Record.model_validate({**row, "source": source, "lines": lines, "links": stated})


def drop_misnumbered(into: Reading) -> int:
    """Mark the pull requests as gone that commits told of by an issue's number; how many there were.

    What refers to one refers to the issue, the commit is told for itself again, and the facts of both are due.
    """
    found = links.misnumbered_pulls(into.brain, source_id=into.source_id)
    if found:
        with into.brain.transaction():
            for pull, issue in found:
                links.lead_to_issue(into.brain, pull, issue, source_id=into.source_id)
        records.note_gone_refs(into.brain, [pull for pull, _ in found], source_id=into.source_id, now=into.now)
    return len(found)

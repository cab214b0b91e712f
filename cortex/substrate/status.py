"""What a brain holds, counted by source; and its runs: what each index or compact run did and could not use."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final

from pydantic import Field

from cortex.substrate.address import is_database, shown
from cortex.substrate.brain import Brain
from cortex.substrate.facts import count_facts
from cortex.substrate.model import Scope, Skipped, Value
from cortex.substrate.queue import Backlog, backlogs
from cortex.substrate.sources import readable_or_all, source_names, timestamp
from cortex.substrate.statements import column, run

Counts = Mapping[str, int]


class Size(Value):
    """How much a brain held."""

    records: int
    facts: int
    bytes: int


class Run(Value):
    """The last thing that was done to a source."""

    id: int
    command: str
    status: str = Field(description="running also stands for a run that was killed")
    started_at: datetime
    finished_at: datetime | None
    report: Mapping[str, Any]
    skipped: int = Field(description="inputs it could not use; their names are in the table skips")


class SourceStatus(Value):
    """One source, its rows counted by what they are, most first."""

    name: str
    location: str
    federated: bool
    records: Counts
    facts: Counts
    queue: Counts = Field(description="jobs by state")
    backlog: Backlog = Field(description="how far behind the facts are")
    facts_gone: Counts = Field(description="facts of records that are gone, which the next compaction takes out")
    gone: Counts = Field(description="records that their origin no longer has, by type")
    archived: Counts = Field(description="facts taken out, by what took them out")
    last_run: Run | None


class Status(Value):
    """A brain: its file and its sources."""

    path: str
    bytes: int | None = Field(description="of the file and its write-ahead log; none where sources are named")
    schema_version: int
    sources: tuple[SourceStatus, ...]


def size_of(brain: Brain) -> Size:
    """How much *brain* holds now."""
    with brain.unrestricted():
        (records,) = brain.db.execute("select count(*) from records where gone_at is null").fetchone()
        return Size(records=records, facts=count_facts(brain), bytes=brain.bytes_held)


def status(brain: Brain, *, scope: Scope | None = None) -> Status:
    """What *brain* holds; without a scope all of it, federated or not.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    wanted = readable_or_all(brain, scope)
    counts: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(dict)
    counted = source_names(brain) if wanted is None else wanted
    for source_id, what, name, number in run(brain, "sources.count_rows", sources=counted):
        counts[source_id, what][name] = number
    found = run(brain, "sources.status_of_sources").fetchall()
    behind = backlogs(brain, counted)
    return Status(
        path=shown(brain.path),
        bytes=_size(brain) if wanted is None else None,
        schema_version=brain.schema_version,
        sources=tuple(_source(row, counts, behind[row[0]]) for row in found if wanted is None or row[0] in wanted),
    )


def _size(brain: Brain) -> int:
    if is_database(brain.path):
        return brain.bytes_held
    parts = (brain.path, brain.path.with_name(f"{brain.path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def _source(row: tuple[Any, ...], counts: Mapping[tuple[int, str], Counts], backlog: Backlog) -> SourceStatus:
    id_, name, location, federated, ran = row
    held = {
        what: counts.get((id_, what), {}) for what in ("records", "facts", "facts_gone", "queue", "gone", "archived")
    }
    last = Run.model_validate_json(ran) if ran else None
    return SourceStatus(name=name, location=location, federated=bool(federated), **held, backlog=backlog, last_run=last)


_START: Final = "insert into runs (source_id, command, started_at, report) values (:source_id, :command, :now, :report)"


def start_run(brain: Brain, command: str, *, source_id: int | None, by: str = "", now: datetime) -> int:
    """The id of a new run, which stands as running until it is finished; earlier ones that never were have failed.

    Args:
        by: whose it is, 'host:pid'; stands in the report until there is one.
    """
    of = {"source_id": source_id, "command": command, "now": timestamp(now)}
    with brain.transaction():
        run(brain, "runs.fail_running", **of)
        return int(run(brain, _START, **of, report=json.dumps({"by": by} if by else {})).lastrowid or 0)


def finish_run(
    brain: Brain, run_id: int, *, report: Mapping[str, Any], skipped: Iterable[Skipped] = (), failed: bool = False,
    now: datetime,
) -> None:  # fmt: skip
    """Keep what the run did, how far it got where it *failed*, and what it skipped."""
    skip = "insert into skips (run_id, source_id, input, reason) select id, source_id, ?, ? from runs where id = ?"
    state = {"id": run_id, "status": "failed" if failed else "done", "now": timestamp(now)}
    with brain.transaction() as db:
        db.executemany(skip, [(one.input, one.reason, run_id) for one in skipped])
        run(brain, "runs.end_run", **state, report=json.dumps(report, ensure_ascii=False))


def was_interrupted(brain: Brain, *, source_id: int) -> bool:
    """Whether the last index run of a source was killed, or is still going on elsewhere."""
    return source_id in unfinished_runs(brain)


def undoable(brain: Brain, run_id: int) -> tuple[str, int | None, int | None, int | None, str | None, str] | None:
    """Command and source of a run, what undid it, what it forgot, since when it runs and by whom; None: no such run."""
    found: tuple[Any, ...] | None = run(brain, "runs.undoable", run_id=run_id).fetchone()
    return found


def mark_undone(brain: Brain, run_id: int, *, by: int) -> None:
    """Note which run undid another. Call it inside a transaction."""
    brain.db.execute("update runs set report = json_set(report, '$.undone_by', ?) where id = ?", (by, run_id))


def claim_stands(
    brain: Brain, day: date, *, is_over: Callable[[str], bool], just_now: datetime, lately: datetime, latest: datetime,
    jobs: int,
) -> bool:  # fmt: skip
    """Whether the compaction of *day*, or of a later one, was done since it was claimed or still runs.

    Args:
        is_over: whether the claims of a holder count for nothing.
        just_now, lately: since when a claim counts before its run has begun, and when it runs.
        latest: what is later was written by a clock that is ahead.
        jobs: how many a whole compaction has.
    """
    moments = {"just_now": timestamp(just_now), "lately": timestamp(lately), "latest": timestamp(latest)}
    claimants = column(brain, "select distinct claimed_by from compactions where day >= :day", day=day.isoformat())
    ended = [name for name in claimants if is_over(name)]
    asked = run(brain, "runs.claim_standing", day=day.isoformat(), ended=ended, jobs=jobs, **moments)
    return bool(asked.fetchone()[0])


_CLAIM: Final = (
    "insert into compactions (day, claimed_at, claimed_by) values (?, ?, ?)"
    " on conflict (day) do update set claimed_at = excluded.claimed_at, claimed_by = excluded.claimed_by"
)


def claim_day(brain: Brain, day: date, *, by: str, now: datetime) -> None:
    """Let the compaction of *day* be theirs, whoever claimed it before. Call it inside a transaction."""
    brain.db.execute(_CLAIM, (day.isoformat(), timestamp(now), by))


def release_day(brain: Brain, day: date, *, claimed_at: datetime) -> None:
    """Give a claim back."""
    with brain.transaction() as db:
        db.execute("delete from compactions where (day, claimed_at) = (?, ?)", (day.isoformat(), timestamp(claimed_at)))


def last_compaction(brain: Brain, *, jobs: int, latest: datetime) -> datetime | None:
    """When so many jobs were last done to every source, at once or one by one; None when that never was."""
    with brain.unrestricted():
        (finished,) = run(brain, "runs.last_compaction", jobs=jobs, latest=timestamp(latest)).fetchone()
    return datetime.fromisoformat(finished) if finished else None


def first_indexed(brain: Brain) -> datetime | None:
    """When the first index run began; None where there was none."""
    with brain.unrestricted():
        (first,) = brain.db.execute("select min(started_at) from runs where command = 'index'").fetchone()
    return datetime.fromisoformat(first) if first else None


def unfinished_runs(brain: Brain) -> dict[int, datetime]:
    """The sources, by id, whose last index run has not ended, and when it began."""
    return {id_: datetime.fromisoformat(at) for id_, at in run(brain, "runs.unfinished_runs")}


def last_indexed(brain: Brain) -> dict[str, str]:
    """When each source was last indexed, by its name."""
    began = "select s.name, max(r.started_at) from runs r join sources s on s.id = r.source_id where command = 'index'"
    with brain.unrestricted():
        return dict(brain.db.execute(began + " group by s.id"))


def source_of_run(brain: Brain, run_id: int) -> str:
    """The name of the source that a run was of; '' of one over all of them, or of none that is known."""
    of = "select s.name from runs r join sources s on s.id = r.source_id where r.id = ?"
    (name,) = brain.db.execute(of, (run_id,)).fetchone() or ("",)
    return str(name)

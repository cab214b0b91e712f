"""One compaction: the jobs in their order over the sources asked for, each in a transaction, reported and undoable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from operator import itemgetter
from time import perf_counter
from typing import Any, Final, NamedTuple

from pydantic import Field

from cortex.compactor import contradictions as disagreeing
from cortex.compactor.cleaning import exact_duplicates, low_confidence, orphans, time_decay
from cortex.compactor.job import EXAMPLES, Contradiction, Example, Job, Progress, Work
from cortex.compactor.near_duplicates import near_duplicates
from cortex.errors import BrainBusy, BrainUnwritable, CompactionStopped, CompactionUnfinished, DiskFull
from cortex.substrate.archive import prune_archive
from cortex.substrate.brain import Brain
from cortex.substrate.facts import count_facts
from cortex.substrate.model import Scope, Value
from cortex.substrate.search import count_terms
from cortex.substrate.sources import readable, source_names
from cortex.substrate.sqlite.transactions import translated
from cortex.substrate.status import finish_run, start_run

JOBS: Final[Mapping[str, Job]] = {
    "orphans": orphans,
    "low_confidence": low_confidence,
    "exact_duplicates": exact_duplicates,
    "time_decay": time_decay,
    "near_duplicates": near_duplicates,
    "contradictions": disagreeing.contradictions,
}
"""In the order they run."""

CLEANING: Final = tuple(JOBS)[:-1]
"""Those that run unless others are named; the last one only reports, to whoever asks for it."""

WRITING: Final = (BrainUnwritable, BrainBusy, DiskFull)  # what keeps a run from writing
KEPT: Final = timedelta(days=180)  # how long the archive keeps what nothing stands for
CACHE_KIB: Final = 256 * 1024
"""Pages that a run may hold: with fewer a large job writes the same ones over and over, and others wait longer."""


class JobReport(NamedTuple):
    """What a job did to one source: the facts that stood before and after, and how many it changed."""

    job: str
    source: str
    before: int
    after: int
    changed: int
    seconds: float
    examples: Sequence[Example]
    contradictions: Sequence[Contradiction]


class Ran(Value):
    """What one job did, over all the sources of a run."""

    job: str
    looked_at: int = Field(description="facts that stood when it began")
    changed: int
    found: int = Field(0, description="pairs it reports, where it changes nothing")
    seconds: float
    examples: tuple[Example, ...]
    by_source: Mapping[str, int] = Field(description="how many it changed, by source")


class Compacted(Value):
    """What a compaction did."""

    run: int | None = Field(description="what --undo takes; none for a dry run")
    dry_run: bool
    sources: tuple[str, ...]
    before: int = Field(description="facts that stood")
    after: int
    jobs: tuple[Ran, ...]
    contradictions: tuple[Contradiction, ...] | None = Field(None, description="none: nobody asked")
    pruned: int = Field(description="facts the archive has kept for long enough")
    seconds: float

    @property
    def changed(self) -> int:
        """How many facts any job changed; one that several did counts for each."""
        return sum(ran.changed for ran in self.jobs)


def compact(  # noqa: PLR0913  what a run is told, each by name
    brain: Brain,
    *,
    source: str | None = None,
    jobs: Sequence[str] = (),
    dry_run: bool = False,
    contradictions: bool = False,
    kept: timedelta = KEPT,
    by: str = "",
    progress: Progress = lambda *_: None,
    now: datetime,
) -> Compacted:
    """Clean the facts of *source*, or of every source; run twice, the second changes nothing.

    Args:
        jobs: names of JOBS; CLEANING by default. They run in their own order, whatever the order here.
        contradictions: report what cannot both stand, too; the same as to name that job.
        dry_run: do it all to a copy, and report that.
        kept: how long the archive keeps what nothing stands for.
        by: who runs it, 'host:pid', so that nobody takes it back before its end.

    Raises:
        UnknownSource: this brain does not hold *source*.
        CompactionStopped: a job could not be written; those before it stand.
        CompactionUnfinished: all jobs are done, and what follows them could not be written.
    """
    started = perf_counter()
    if source is not None:
        sources = readable(brain, Scope(sources=(source,)))
    else:
        sources = dict(sorted(source_names(brain).items(), key=itemgetter(1)))
    named = {*(jobs or CLEANING), *(["contradictions"] if contradictions else [])}
    chosen = {name: job for name, job in JOBS.items() if name in named}
    cleans = not named.isdisjoint(CLEANING)
    before = count_facts(brain, sources)
    only = next(iter(sources)) if len(sources) == 1 else None
    with brain.roomy(CACHE_KIB), brain.confined(only):
        run_id, done = (_rehearse if dry_run else _perform)(brain, sources, chosen, progress, by, now)
    disagree = [one for report in done for one in report.contradictions]
    report = Compacted(
        run=run_id, dry_run=dry_run, sources=tuple(sources.values()), before=before, pruned=0,
        after=sum({report.source: report.after for report in done}.values()), jobs=tuple(_together(chosen, done)),
        contradictions=tuple(sorted(disagree, key=disagreeing.surest_first)) if "contradictions" in chosen else None,
        seconds=round(perf_counter() - started, 3),
    )  # fmt: skip
    if run_id is None:
        return report
    pruned = 0
    try:
        if cleans:
            with brain.confined(only):
                pruned = _prune(brain, sources, every=source is None, kept=kept, now=now)
        report = report.model_copy(update={"pruned": pruned, "seconds": round(perf_counter() - started, 3)})
        finish_run(brain, run_id, report=report.model_dump(mode="json"), now=now)
        if cleans:
            with brain.transaction():
                count_terms(brain)
    except WRITING as error:
        _end(brain, run_id, report.model_dump(mode="json"), failed=False, now=now)
        raise CompactionUnfinished(run_id, str(error.args[0])) from error
    return report


def _prune(brain: Brain, sources: Iterable[int], *, every: bool, kept: timedelta, now: datetime) -> int:
    pruned = 0
    with brain.transaction():
        for one in sources:
            with brain.about(one):
                pruned += prune_archive(brain, source_id=one, every=every, kept=kept, now=now)
    return pruned


def _perform(
    brain: Brain, sources: Mapping[int, str], jobs: Mapping[str, Job], progress: Progress, by: str, now: datetime
) -> tuple[int, list[JobReport]]:
    only = next(iter(sources)) if len(sources) == 1 else None
    run_id = start_run(brain, "compact", source_id=only, by=by, now=now)
    done: list[JobReport] = []
    for source_id, name in sources.items():
        work = Work(brain, source_id, name, run_id, now, progress=progress)
        for job_name, job in jobs.items():
            began = perf_counter()
            try:
                with brain.confined(source_id), brain.about(source_id):
                    before, examples = work.count(), job(work)
                after, seconds = work.count(), round(perf_counter() - began, 3)
            except WRITING as error:
                jobs_done = [ran.model_dump(mode="json") for ran in _together(jobs, done) if ran.by_source]
                _end(brain, run_id, {"jobs": jobs_done}, failed=True, now=now)
                changed = work.changed[job_name]
                raise CompactionStopped(run_id, job_name, name, str(error.args[0]), changed=changed) from error
            found = tuple(work.contradictions)
            done.append(JobReport(job_name, name, before, after, work.changed[job_name], seconds, examples, found))
    return run_id, done


def _end(brain: Brain, run_id: int, report: Mapping[str, Any], *, failed: bool, now: datetime) -> None:
    """Say of a run how it ended, if that can be written: a full disk has room again for what the log can give up."""
    with suppress(*WRITING):
        try:
            finish_run(brain, run_id, report=report, failed=failed, now=now)
        except DiskFull:
            brain.settle()
            finish_run(brain, run_id, report=report, failed=failed, now=now)


def _rehearse(
    brain: Brain, sources: Mapping[int, str], jobs: Mapping[str, Job], progress: Progress, by: str, now: datetime
) -> tuple[None, list[JobReport]]:
    """Do it all to a copy that goes away when it is closed, so that nobody waits for a run that changes nothing."""
    with translated(brain.path), brain.copy() as copy:
        try:
            return None, _perform(copy, sources, jobs, progress, by, now)[1]
        except CompactionStopped as error:
            raise (error.__cause__ or error) from None  # the number of the run is the copy's, and nothing stands


def _together(jobs: Iterable[str], done: Sequence[JobReport]) -> Iterator[Ran]:
    for job in jobs:
        reports = [report for report in done if report.job == job]
        examples = [example for report in reports for example in report.examples]
        yield Ran(
            job=job,
            looked_at=sum(report.before for report in reports),
            changed=sum(report.changed for report in reports),
            found=sum(len(report.contradictions) for report in reports),
            seconds=round(sum(report.seconds for report in reports), 3),
            examples=tuple(examples[:EXAMPLES]),
            by_source={report.source: report.changed for report in reports},
        )

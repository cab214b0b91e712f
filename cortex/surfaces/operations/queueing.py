"""The queue: what waits to be distilled, and putting right what got stuck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.run import FactsReport, work
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import records_named
from cortex.substrate.model import Scope, Text, Value
from cortex.substrate.queue import UNFINISHED, Job, State, drop_jobs, jobs, retry_jobs
from cortex.substrate.sources import readable, source_names
from cortex.substrate.status import status as count
from cortex.substrate.tasks import OPEN, Task, resume, tasks
from cortex.substrate.tasks import State as TaskState
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.models import Modelled, with_distiller
from cortex.surfaces.operations.parameters import Workers
from cortex.surfaces.working import crew_here

EverySource = Annotated[
    tuple[Text, ...], Flag("--source", "NAME", "every source"), Field(description="Of this source alone.")
]


class Which(Parameters):
    """Which jobs to list."""

    states: Annotated[tuple[TaskState, ...], Flag("--state", default="all but done")] = Field(
        (), description="In this state."
    )
    limit: int = Field(50, ge=1, le=10_000, description="List at most so many.")
    sources: EverySource = ()


class Stuck(Parameters):
    """Which jobs to put right."""

    refs: Annotated[tuple[Text, ...], Flag("", metavar="[REF]..."), Field(description="Of these records alone.")] = ()
    sources: EverySource = ()


class Dropped(Stuck):
    """Which jobs to forget."""

    dead: Annotated[bool, Field(description="Every dead one.")] = False


class Share(Parameters):
    """What to work on, and with how many processes."""

    workers: Workers = Field(None, ge=1, le=64, description="Processes that compute at once.")
    sources: EverySource = ()


class Queue(Value):
    """What stands in the queue."""

    counts: dict[State, int] = Field(description="jobs by state, in all")
    jobs: tuple[Job, ...]
    tasks: tuple[Task, ...] = Field(description="what workers do, or are to do")


class Changed(Value):
    """How many jobs, and how many tasks, were changed."""

    jobs: int
    tasks: int = 0


class Worked(Value):
    """What was done of the queue."""

    facts: dict[str, tuple[FactsReport, ...]] = Field(description="what each path did to the facts, by source")
    dead: int = Field(description="jobs that will not be tried again unless somebody asks for it")
    waiting: int = Field(description="jobs that are left for another run")
    models: Modelled | None = Field(description="what models had to do with it; none where the rules were asked")


@operation("read", "cortex queue list --state dead --limit 5", command="queue list", tool=False)
def queue(call: Call, asked: Which) -> Queue:
    """List the tasks of workers, and the jobs, those that need somebody first.

    Indexing stores what it reads at once and queues the text of documents and comments, to be made into facts. A job
    that fails is tried again, later each time; one that never can be done, or failed five times, is dead.
    """
    with call.reader() as brain:
        scope = call.scope(brain, asked.sources)
        queues = [source.queue for source in count(brain, scope=scope).sources]
        counts = {state: sum(one.get(state, 0) for one in queues) for state in (*UNFINISHED, "done")}
        found = jobs(brain, scope=scope, states=asked.states or UNFINISHED, limit=asked.limit)
        for_workers = tasks(brain, scope=scope, states=asked.states or OPEN, limit=asked.limit)
    return Queue(counts=counts, jobs=tuple(found), tasks=tuple(for_workers))


@operation("admin", "cortex queue retry comment:496#3120451", command="queue retry", tool=False)
def queue_retry(call: Call, asked: Stuck) -> Changed:
    """Make jobs due again that failed or died, all or those of the records named REF.

    All of them are such tasks, too.
    """
    with call.writer() as brain:
        scope = _naming_records(brain, call.scope(brain, asked.sources), asked.refs)
        again = 0 if asked.refs else resume(brain, None, scope=scope)
        return Changed(jobs=retry_jobs(brain, scope=scope, refs=asked.refs), tasks=again)


@operation("admin", "cortex queue drop --dead", command="queue drop", tool=False)
def queue_drop(call: Call, asked: Dropped) -> Changed:
    """Forget jobs: what waits of the records named REF, or every dead one.

    Those of the records that are named, unless somebody is at work on them. Their records keep the facts they have,
    until their text changes.
    """
    if bool(asked.refs) == asked.dead:
        raise UsageError("name the records whose jobs are to be dropped, or all dead ones", hint="add --dead")
    with call.writer() as brain:
        scope = _naming_records(brain, call.scope(brain, asked.sources), asked.refs)
        return Changed(jobs=drop_jobs(brain, scope=scope, refs=asked.refs))


def _naming_records(brain: Brain, scope: Scope, refs: Sequence[str]) -> Scope:
    """*scope*, in which each of *refs* is a record.

    Raises:
        UnknownHandle: one is none.
    """
    sources = readable(brain, scope)
    for ref in refs:
        if not records_named(brain, ref, sources):
            raise UnknownHandle(ref)
    return scope


@operation("admin", "cortex queue work --workers 4", local=True, command="queue work", tool=False)
def queue_work(call: Call, asked: Share) -> Worked:
    """Make the facts that are due, beside whatever else works on the same brain.

    The command exits 1 when it leaves dead jobs behind.
    """
    with (
        call.writer() as brain,
        with_distiller(call, call.settings.distiller, crew_here(asked.workers, call.settings.cache_folder)) as (
            crew,
            used,
        ),
    ):
        scope = call.scope(brain, asked.sources)
        ids = {name: id_ for id_, name in source_names(brain).items()}
        facts = {
            source.name: work(brain, source_id=ids[source.name], crew=crew, progress=call.progress, now=call.now)
            for source in count(brain, scope=scope).sources
        }
        left, models = jobs(brain, scope=scope), used(brain)
    dead = sum(job.state == "dead" for job in left)
    return Worked(facts=facts, dead=dead, waiting=len(left) - dead, models=models)

"""The queue as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import click

from cortex.indexers.run import FactsReport
from cortex.substrate.queue_state import Backlog, Job
from cortex.surfaces.operations.queueing import Queue, Worked
from cortex.surfaces.render import amount, dim, heading, line, table, wrapped
from cortex.surfaces.working import alive

_SHORTEST_S = 90


def queue(found: Queue, *, now: datetime) -> str:
    """How many jobs there are by state, and those that were asked for."""
    counted = " · ".join(f"{number:,} {state}" for state, number in found.counts.items() if number)
    if not found.jobs:
        return counted or "The queue is empty."
    several = len({job.source for job in found.jobs}) > 1
    rows = [_job(job, now, name=several) for job in found.jobs]
    return f"{counted}\n\n{table(rows, indent='')}"


def _job(job: Job, now: datetime, *, name: bool) -> list[str]:
    tried = amount(job.attempts, "attempt") if job.attempts else ""
    ref = f"{line(job.source)} {line(job.ref)}" if name else line(job.ref)
    return [_state(job.state), ref, tried, _why(job, now)]


def _state(state: str) -> str:
    return click.style(state, fg="red", bold=True) if state == "dead" else state


def _why(job: Job, now: datetime) -> str:
    if job.state == "done":
        return f"by {line(job.distiller)}"
    if job.lease_owner:
        is_ = "is at it" if alive(job.lease_owner) else "was at it and is no more: the next run takes it over"
        return f"{line(job.lease_owner)} {is_}"
    again = f"; again in {span((job.not_before - now).total_seconds())}" if job.not_before else ""
    return f"{line(job.error)}{again}" if job.error else f"waiting for {span((now - job.enqueued_at).total_seconds())}"


def span(seconds: float) -> str:
    """'40 s', '12 min', '5 h', '3 days'."""
    seconds = max(seconds, 0)
    for size, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= max(1.5 * size, _SHORTEST_S):
            return f"{seconds / size:,.0f} {name}"
    return f"{seconds:.0f} s"


def backlog(behind: Backlog, *, now: datetime) -> str:
    """How far behind a source is, and how fast it went; '' where there is nothing to say."""
    said = []
    if behind.waiting and behind.oldest:
        said.append(f"{behind.waiting:,} to do, the oldest for {span((now - behind.oldest).total_seconds())}")
    if behind.per_second:
        said.append(f"{behind.per_second:,.1f}/s when last at work")
    return "; ".join(said)


def left(dead: int, named: Sequence[Job], waiting: int) -> str:
    """What a run leaves behind: jobs that are dead, by name, and those for another run; '' where it leaves nothing."""
    lines = []
    if dead:
        lines.append(click.style(f"{amount(dead, 'job')} dead", fg="red", bold=True) + ": could not be read")
        lines += [wrapped(f"{line(job.ref)}: {line(job.error or '')}", first="  ", rest="    ") for job in named]
        more = f"  and {dead - len(named):,} more; " if dead > len(named) else "  "
        lines.append(dim(f"{more}see them: cortex queue; try again: cortex queue retry; give up: cortex queue drop"))
    if waiting:
        lines.append(f"{amount(waiting, 'job')} left for another run; see them: cortex queue")
    return "\n".join(lines)


def worked(done: Worked) -> str:
    """What was done of the queue."""
    made = {source: facts for source, facts in done.facts.items() if facts}
    if not made:
        return "Nothing to do: no record waits for its facts, and the queue holds no job that is due."
    return "\n".join(f"{heading(line(source))}  {_facts(facts)}" for source, facts in made.items())


def _facts(facts: Sequence[FactsReport]) -> str:
    added, replaced = sum(one.added for one in facts), sum(one.replaced for one in facts)
    return f"{amount(added, 'fact')} added, {replaced:,} replaced"

"""Compactions, the queue, a diagnosis, hooks, models and tokens, as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from cortex.llm.spending import Spent, dollars
from cortex.surfaces import render
from cortex.surfaces.render import alarm, amount, dim, heading, indented, line, stacked, table, wrapped
from cortex.surfaces.working import alive, clock

if TYPE_CHECKING:
    from cortex.compactor.job import Contradiction
    from cortex.compactor.run import Compacted, Ran
    from cortex.compactor.undo import Undone
    from cortex.llm.setup import Standing
    from cortex.substrate.access import Token
    from cortex.substrate.queue import Backlog, Job
    from cortex.substrate.tasks import Task
    from cortex.surfaces.doctor.checks import Finding
    from cortex.surfaces.hooking import Hooks, LastRun
    from cortex.surfaces.operations.doctoring import Diagnosis, TierList
    from cortex.surfaces.operations.queueing import Changed, Queue, Worked
    from cortex.surfaces.operations.tasking import Enqueued, Stopped
    from cortex.surfaces.scheduling import Plan, Removed, Scheduled

_LISTED = 20
_SHORTEST_S = 90
_DID = {
    "orphans": "gone with their record",
    "low_confidence": "too unsure to keep",
    "exact_duplicates": "merged: the same, word for word",
    "time_decay": "less sure with age",
    "near_duplicates": "merged: nearly the same",
    "contradictions": "pairs that cannot both stand",
}


def compacted(done: Compacted) -> str:
    """The report of a run: before, after, what each job did and three examples of it."""
    would = " would stay" if done.dry_run else ""
    over = line(done.sources[0]) if len(done.sources) == 1 else amount(len(done.sources), "source")
    return render.spaced(
        f"{heading(f'{done.before:,} facts → {done.after:,}{would}')}  {dim(f'{over}, {done.seconds:.1f} s')}",
        table([_job_of(ran) for ran in done.jobs], numbers=[1], last=dim),
        *(_examples(ran) for ran in done.jobs if ran.examples and not ran.found),
        "" if done.contradictions is None else _contradictions(done.contradictions),
        _last(done),
    )


def _contradictions(found: Sequence[Contradiction]) -> str:
    lines = [heading(amount(len(found), "contradiction") if found else "no contradictions")]
    for one in found[:_LISTED]:
        lines.append(f"  {one.ground} ({one.grade:.1f}): {one.reason}")
        for side, rank in ((one.stands, "stands"), (one.outranked, "outranked")):
            told = f"{side.statement} ({side.authority:.2f}, {rank})"
            lines.append(wrapped(told, first=f"    {side.handle}  ", rest=" " * 23))
    more = f"  and {len(found) - _LISTED:,} more, with --json" if len(found) > _LISTED else ""
    return stacked(*lines, more)


def _job_of(ran: Ran) -> tuple[str, str, str]:
    number, looked = ran.changed or ran.found, f"of {ran.looked_at:,} in {ran.seconds:.2f} s"
    return (ran.job, f"{number:,}", f"{_DID[ran.job]}, {looked}") if number else (ran.job, dim("·"), looked)


def _examples(ran: Ran) -> str:
    lines = [
        heading(ran.job) + (dim(f"  {len(ran.examples)} of {ran.changed:,}") if ran.changed > len(ran.examples) else "")
    ]
    for example in ran.examples:
        said = render.cut(line(example.said), max(render.width() - 21, 20))
        lines += [f"  {example.handle}  {said}", indented(example.reason, 21).rstrip()]
    return "\n".join(lines)


def _last(done: Compacted) -> str:
    if done.dry_run:
        return "Nothing was changed: this was a dry run."
    if all(ran.job == "contradictions" for ran in done.jobs):
        told = f"Nothing was changed: a report (run {done.run})."
    elif done.changed:
        told = f"Run {done.run}; to take it back: cortex compact --undo {done.run}"
    else:
        told = f"Nothing to clean (run {done.run})."
    return told + (f" {amount(done.pruned, 'fact')} left the archive for good." if done.pruned else "")


def undone(done: Undone) -> str:
    """What undoing a run brought back."""
    restored = f"{amount(done.restored, 'fact')} restored, {done.confidences:,} as sure as before"
    left = f"{amount(done.left, 'fact')} stayed away: what their records say has changed since."
    return stacked(f"Run {done.run} is undone: {restored}.", left if done.left else "")


def plan(planned: Plan) -> str:
    """What installing writes."""
    brain = line(planned.replaces)
    lost = f"This replaces what compacts {brain}: {planned.manager} will compact that brain no longer."
    files = (f"{heading(line(path))}\n{render.safe(text).rstrip()}" for path, text in planned.files.items())
    runs = [line(" ".join(command)) for command in planned.commands]
    return (
        render.spaced(
            render.warning(lost) if brain else "", *files, stacked(heading("and runs"), *runs) if runs else ""
        )
        + "\n"
    )


def installed(planned: Plan, failed: Sequence[str]) -> str:
    """That it was written, and what could not be run."""
    told = f"Installed for {planned.manager}; take it out with: cortex schedule remove"
    return "\n".join([told, *(f"This did not work here; run it where you log in: {line(each)}" for each in failed)])


def removed(done: Removed) -> str:
    """What was taken out, and what was not."""
    out = f"Removed: {', '.join(done.removed)}." if done.removed else "Nothing was installed."
    return "\n".join([out, *(f"Left alone: {manager} compacts {line(path)}" for manager, path in done.others.items())])


def scheduled(found: Scheduled) -> str:
    """What compacts every night, when it last did and when it will."""
    by = ", ".join(found.installed) or "nothing; install it with: cortex schedule install"
    last = f"{found.last:%Y-%m-%d %H:%M} UTC" if found.last else "never"
    rows = [
        ("run by", by),
        *(("another brain's", f"{manager} compacts {line(path)}") for manager, path in found.others.items()),
        ("every night at", f"{found.at:%H:%M}, next {found.next.astimezone():%Y-%m-%d %H:%M}"),
        *((name, line(value)) for name, value in found.settings.items()),
        ("last compaction", last + (", overdue: run cortex compact" if found.overdue else "")),
    ]
    return table(rows, indent="")


def standing(last: datetime | None, *, late: bool) -> str:
    """When the last compaction was, and a complaint where the next should have been."""
    told = f"last compacted {last:%Y-%m-%d %H:%M} UTC" if last else "never compacted"
    mend = "run cortex compact, or let the machine do it: cortex schedule install"
    return render.warning(f"{told}: overdue; {mend}") if late else told


def retried(done: Changed) -> str:
    """How many jobs and tasks are due again."""
    also = f" and {amount(done.tasks, 'task')}" if done.tasks else ""
    return f"{amount(done.jobs, 'job')}{also} due again"


def dropped(done: Changed) -> str:
    """How many jobs were forgotten."""
    return f"{amount(done.jobs, 'job')} dropped"


def queue(found: Queue) -> str:
    """How many jobs there are by state, and those that were asked for."""
    counted = " · ".join(f"{number:,} {state}" for state, number in found.counts.items() if number)
    several = len({job.source for job in found.jobs}) > 1
    rows = [_job(job, clock(), name=several) for job in found.jobs]
    waiting = [_task(task, clock()) for task in found.tasks]
    told = render.spaced(
        *([table(waiting, indent="")] if waiting else []), counted, *([table(rows, indent="")] if rows else [])
    )
    return told or "The queue is empty."


def enqueued(done: Enqueued) -> str:
    """Which tasks are due."""
    numbers = ", ".join(map(str, done.tasks))
    return f"task {numbers} waits for a worker" if done.added else f"task {numbers} was there already"


def stopped(done: Stopped) -> str:
    """How many tasks were changed."""
    return f"{amount(done.tasks, 'task')} changed"


def _task(task: Task, now: datetime) -> list[str]:
    tried = amount(task.attempts, "attempt") if task.attempts else ""
    state = f"{task.state}, {task.wish}" if task.wish else task.state
    name = f"{line(task.source)} {line(task.key)}".strip()
    return [f"task {task.id}", alarm(state) if task.state == "dead" else state, name, tried, _why(task, now)]


def _job(job: Job, now: datetime, *, name: bool) -> list[str]:
    tried = amount(job.attempts, "attempt") if job.attempts else ""
    ref = f"{line(job.source)} {line(job.ref)}" if name else line(job.ref)
    return [alarm(job.state) if job.state == "dead" else job.state, ref, tried, _why(job, now)]


def _why(job: Job | Task, now: datetime) -> str:
    if job.state == "done":
        return f"by {line(job.distiller)}" if hasattr(job, "distiller") else ""
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
    more = f"and {dead - len(named):,} more; " if dead > len(named) else ""
    mend = dim(f"  {more}see them: cortex queue; try again: cortex queue retry; give up: cortex queue drop")
    return stacked(
        alarm(amount(dead, "job") + " dead") + ": could not be read" if dead else "",
        *(indented(f"{line(job.ref)}: {line(job.error or '')}", rest=4) for job in named),
        mend if dead else "",
        f"{amount(waiting, 'job')} left for another run; see them: cortex queue" if waiting else "",
    )


def worked(done: Worked) -> str:
    """What was done of the queue."""
    made = {source: facts for source, facts in done.facts.items() if facts}
    lines = [
        f"{heading(line(source))}  {amount(sum(one.added for one in facts), 'fact')} added,"
        f" {sum(one.replaced for one in facts):,} replaced"
        for source, facts in made.items()
    ]
    nothing = "Nothing to do: no record waits for its facts, and the queue holds no job that is due."
    return stacked(*lines) or nothing


def diagnosis(found: Diagnosis) -> str:
    """What is wrong, each with its command on a line of its own, and what was not; first how many there are."""
    wrong = [one for one in found.findings if one.state == "wrong"]
    healthy = ", ".join(one.check for one in found.findings if one.state == "healthy")
    unchecked = [f"{one.check}: {line(one.said)}" for one in found.findings if one.state == "unchecked"]
    return render.spaced(
        heading(f"{amount(len(wrong), 'thing')} wrong" if wrong else "Nothing is wrong"),
        *map(_wrong, wrong),
        dim(wrapped(healthy, first="healthy: ", rest="  ")) if healthy else "",
        stacked(*(dim(wrapped(each, first="not checked: ", rest="  ")) for each in unchecked)),
    )


def _wrong(one: Finding) -> str:
    said = click.style(wrapped(f"{one.check}: {one.said}", rest="  "), fg="red")
    return stacked(said, f"  mend it with: {render.safe(one.command)}" if one.command else "")


def hooks_installed(done: Hooks) -> str:
    """What was put where."""
    names = ", ".join(hook.name for hook in done.hooks)
    return f"Installed in {line(done.folder)}: {names}.\nIndexed behind them: {line(done.root)}"


def hooks(found: Hooks, last: LastRun | None) -> str:
    """Which hooks are in, and what the last run behind one did."""
    rows = [(hook.name, hook.state, "beside another hook" if hook.beside else "") for hook in found.hooks]
    told = "no hook has run yet"
    if last:
        did = "changed the brain" if last.changed else "nothing had changed"
        told = f"last run {last.at:%Y-%m-%d %H:%M} UTC: {f'failed: {line(last.error)}' if last.error else did}"
    return stacked(line(found.folder), table(rows, last=dim), told)


_NAMES = {"claude": "Claude CLI", "anthropic": "Anthropic API", "openai": "OpenAI-compatible"}
_CLASSES = {"A": "small", "B": "large"}


def tiers(found: TierList) -> str:
    """How each tier stands, in the order they are tried, and what today cost."""
    standing = table([_tier(one) for one in found.tiers], indent="")
    budget = f"budget: {dollars(found.budget_run_usd)} a run, {dollars(found.budget_day_usd)} a day"
    if not found.today:
        return render.spaced(standing, f"{budget}\ntoday: no calls")
    assumed = f", of which {dollars(found.assumed_usd)} was never told" if found.assumed_usd else ""
    calls = table([_spent(one) for one in found.today], numbers=range(2, 6))
    return render.spaced(standing, f"{budget}\ntoday: {heading(dollars(found.today_usd))}{assumed}\n{calls}")


def _tier(one: Standing) -> tuple[str, ...]:
    state = click.style("ready", fg="green") if one.ready else dim("not ready")
    return _NAMES[one.tier], _CLASSES[one.class_], state, line(one.model) if one.ready else line(one.why)


def _spent(one: Spent) -> tuple[str, ...]:
    sorts = ((one.unusable, "of no use"), (one.failed, "failed"), (one.unknown, "open"))
    told = ", ".join(f"{number:,} {word}" for number, word in sorts if number)
    amounts = (amount(one.calls, "call"), f"{one.input_tokens:,} in", f"{one.output_tokens:,} out")
    return one.tier, line(one.model), *amounts, dollars(one.cost_usd), told


def tokens(found: Sequence[Token]) -> str:
    """A line for each."""
    if not found:
        return "There is no token; make one with: cortex token create NAME"
    return table([_token(one) for one in found], last=dim)


def _token(one: Token) -> tuple[str, ...]:
    reach = "every source" if one.sources is None else ", ".join(map(line, one.sources))
    state = f"revoked {render.day(one.revoked_at)}" if one.revoked_at else f"since {render.day(one.created_at)}"
    return line(one.name), " ".join(one.grants) or "nothing", reach, state

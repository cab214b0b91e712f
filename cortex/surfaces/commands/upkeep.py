"""`cortex status`, `verify`, `compact`, `queue` and `doctor`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from cortex.compactor.run import Compacted
from cortex.compactor.schedule import Holder, run_if_due
from cortex.compactor.undo import Undone
from cortex.errors import BrainDamaged, UsageError
from cortex.substrate import verify as proof
from cortex.substrate.brain import open_brain, translated
from cortex.surfaces import render_evals, render_report, render_upkeep
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run
from cortex.surfaces.operations import doctoring, looking, queueing, upkeep
from cortex.surfaces.options import MainGroup, common
from cortex.surfaces.progress import Report, progress
from cortex.surfaces.render import amount
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import alive, this_process


@click.command()
@takes(looking.status)
@common
def status(asked: dict[str, Any]) -> None:
    """Say what the brain holds, by source.

    Example:
      cortex status
    """
    here = session()
    found = run(looking.status, here.call(), asked)
    if here.json:
        here.print_json(found)
        return
    kept = render_upkeep.standing(found.compaction.last, late=found.compaction.overdue)
    click.echo(f"{render_report.status(found, now=here.now())}\n\n{kept}")
    if found.usage and (shown := render_evals.usage(found.usage)):
        click.echo(f"\n{shown}")


@click.command()
@click.option(
    "--mend", is_flag=True, help="First build indexes anew, archive facts that do not hold, and give back empty room."
)
@common
@click.pass_context
def verify(context: click.Context, *, mend: bool) -> None:
    """Check every excerpt against its record, and the indexes against the rows.

    Exits 1 when anything fails, with the first failures by name. Reads only, unless it is to mend what fails: facts
    that were archived are made anew by `cortex index --again`.

    Examples:
      cortex verify
      cortex verify --mend
    """
    here = session()
    if mend:
        with _damage_told(here), here.existing() as brain:
            here.remark(render_report.mended(proof.mend(brain, now=here.now())))
    with (
        _damage_told(here),
        open_brain(here.path, read_only=True, migrate=False) as brain,
        progress(quiet=here.quiet) as report,
    ):
        checked = proof.verify(brain, progress=report)
    here.show(checked, render_report.verified)
    context.exit(0 if checked.holds else 1)


@contextmanager
def _damage_told(here: Session) -> Iterator[None]:
    """Name what SQLite fails at: nobody is sent to `verify` from `verify`."""
    try:
        with translated(here.path):
            yield
    except sqlite3.Error as error:
        raise BrainDamaged(here.path, str(error)) from error


@click.command()
@takes(upkeep.compact)
@click.option("--if-due", is_flag=True, help="Only when tonight's has not run yet; for timers.")
@common
def compact(asked: dict[str, Any], *, if_due: bool) -> None:
    """Clean the facts, or undo a cleaning.

    Takes out what is gone or unsure, merges what says the same or nearly so, and lets old facts fade. Nothing is
    destroyed: what a run takes out goes to the archive, its handles still resolve, and --undo brings it back as it was.
    Run twice, the second changes nothing.

    Examples:
      cortex compact --dry-run
      cortex compact --job near_duplicates
      cortex compact --undo 12
    """
    here = session()
    if if_due and "undo" in asked:
        raise UsageError("undo takes back a whole run", hint="give it alone")
    with progress(quiet=here.quiet) as report:
        done = _if_due(here, report, asked) if if_due else run(upkeep.compact, here.call(progress=report), asked)
    if done is None:
        _not_due(here)
    elif here.json:
        here.print_json(done)
    elif isinstance(done, Undone):
        click.echo(render_upkeep.undone(done))
    else:
        click.echo(render_upkeep.compacted(done))


def _if_due(here: Session, report: Report, asked: dict[str, Any]) -> Compacted | Undone | None:
    whole = not any(asked.get(part) for part in ("source", "jobs", "dry_run"))
    with here.existing() as brain:
        call = here.call(progress=report)
        at, now = here.settings.compact_at, call.now
        holder = Holder(this_process(), alive)
        return run_if_due(brain, lambda: run(upkeep.compact, call, asked), at=at, claims=whole, holder=holder, now=now)


def _not_due(here: Session) -> None:
    if here.json:
        here.print_json({"run": None, "due": False, "jobs": []})
    else:
        here.remark("Not due: tonight's compaction has run, or is running.")


class _ListGroup(MainGroup):
    implied = "list"


@click.group(cls=_ListGroup)
@common
def queue() -> None:
    """Show what waits to be distilled, and put right what got stuck.

    Indexing stores what it reads at once and queues the text of documents and comments, to be made into facts. A job
    that fails is tried again, later each time; one that never can be done, or failed five times, is dead.

    Examples:
      cortex queue
      cortex queue retry comment:496#3120451
      cortex queue work --workers 2
    """


@queue.command("list")
@takes(queueing.queue)
@common
def list_(asked: dict[str, Any]) -> None:
    """List the jobs, those that need somebody first.

    Example:
      cortex queue list --state dead --limit 5
    """
    here = session()
    call = here.call()
    found = run(queueing.queue, call, asked)
    if here.json:
        here.print_json(found)
    else:
        click.echo(render_upkeep.queue(found, now=call.now))


@queue.command()
@takes(queueing.queue_retry)
@common
def retry(asked: dict[str, Any]) -> None:
    """Make jobs due again that failed or died, all or those of the records named REF.

    Example:
      cortex queue retry
    """
    here = session()
    done = run(queueing.queue_retry, here.call(), asked)
    if here.json:
        here.print_json(done)
        return
    click.echo(f"{amount(done.jobs, 'job')} due again")
    if done.jobs:
        here.remark("\nNext: cortex queue work")


@queue.command()
@takes(queueing.queue_drop)
@common
def drop(asked: dict[str, Any]) -> None:
    """Forget jobs: what waits of the records named REF, or every dead one.

    The records keep the facts they have, and are queued again when their text changes.

    Example:
      cortex queue drop --dead
    """
    here = session()
    done = run(queueing.queue_drop, here.call(), asked)
    if here.json:
        here.print_json(done)
    else:
        click.echo(f"{amount(done.jobs, 'job')} dropped")


@queue.command()
@takes(queueing.queue_work)
@common
@click.pass_context
def work(context: click.Context, asked: dict[str, Any]) -> None:
    """Make the facts that are due, beside whatever else works on the same brain.

    Exits 1 when it leaves dead jobs behind.

    Example:
      cortex queue work --workers 4
    """
    here = session()
    with progress(quiet=here.quiet) as report:
        done = run(queueing.queue_work, here.call(progress=report), asked)
    if here.json:
        here.print_json(done)
    else:
        told = [
            render_upkeep.worked(done), *render_report.modelled(done.models),
            render_upkeep.left(done.dead, (), done.waiting),
        ]  # fmt: skip
        click.echo("\n".join(filter(None, told)))
    context.exit(1 if done.dead else 0)


@click.command()
@takes(doctoring.doctor)
@common
@click.pass_context
def doctor(context: click.Context, asked: dict[str, Any]) -> None:
    """Say what is wrong with the brain and what is around it, and which command mends it.

    Looks at the brain's file and rows, at how far behind it is, and at schedules, hooks, clients and models that were
    set up. Changes nothing. Exits 1 when something is wrong.

    Example:
      cortex doctor
    """
    here = session()
    with progress(quiet=here.quiet) as report:
        found = run(doctoring.doctor, here.call(progress=report), asked)
    here.show(found, render_upkeep.diagnosis)
    context.exit(0 if found.healthy else 1)

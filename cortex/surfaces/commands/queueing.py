"""`cortex queue`: list, retry, drop and work."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_queue, render_report
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.operations import queueing
from cortex.surfaces.options import common
from cortex.surfaces.progress import progress
from cortex.surfaces.render import amount
from cortex.surfaces.session import session


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
        click.echo(render_queue.queue(found, now=call.now))


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
            render_queue.worked(done), *render_report.modelled(done.models),
            render_queue.left(done.dead, (), done.waiting),
        ]  # fmt: skip
        click.echo("\n".join(filter(None, told)))
    context.exit(1 if done.dead else 0)

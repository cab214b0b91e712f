"""`cortex compact`."""

from __future__ import annotations

from datetime import timedelta

import click

from cortex.compactor import run as compaction
from cortex.compactor import undo as undoing
from cortex.compactor.schedule import run_if_due
from cortex.errors import UsageError
from cortex.surfaces import render_compaction
from cortex.surfaces.options import WORDS, common
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, session


@click.command()
@click.option("--source", type=WORDS, metavar="NAME", help="Clean this source alone.  [default: every source]")
@click.option(
    "--job", "jobs", multiple=True, type=click.Choice([*compaction.JOBS]), help="Run this job alone; may be repeated."
)
@click.option("--dry-run", is_flag=True, help="Show what it would do, and do nothing.")
@click.option("--contradictions", is_flag=True, help="Report facts that cannot both stand, too; changes none.")
@click.option("--if-due", is_flag=True, help="Only when tonight's has not run yet; for timers.")
@click.option("--undo", type=click.IntRange(min=1), metavar="RUN", help="Take back what that run did.")
@common
def compact(
    source: str | None, jobs: tuple[str, ...], undo: int | None, *, dry_run: bool, contradictions: bool, if_due: bool
) -> None:
    """Clean the facts, and take a cleaning back.

    Takes out what is gone or unsure, merges what says the same or nearly so, and lets old facts fade. Nothing is
    destroyed: what a run takes out goes to the archive, its handles still resolve, and --undo brings it back as it was.
    Run twice, the second changes nothing.

    Examples:
      cortex compact --dry-run
      cortex compact --job near_duplicates
      cortex compact --undo 12
    """
    here = session()
    if undo is not None:
        if source or jobs or dry_run or contradictions or if_due:
            raise UsageError("--undo takes back a whole run", hint="give it alone")
        _undo(here, undo)
        return
    kept, now = timedelta(days=here.settings.archive_days), here.now()
    with here.existing() as brain, progress(quiet=here.quiet) as report:

        def run() -> compaction.Compacted:
            return compaction.compact(
                brain,
                source=source,
                jobs=jobs,
                dry_run=dry_run,
                contradictions=contradictions,
                kept=kept,
                progress=report,
                now=now,
            )

        done = run_if_due(brain, run, at=here.settings.compact_at, now=now) if if_due else run()
    if done is None:
        _not_due(here)
    elif here.json:
        here.print_json(done)
    else:
        click.echo(render_compaction.compacted(done))


def _not_due(here: Session) -> None:
    if here.json:
        here.print_json({"run": None, "due": False, "jobs": []})
    else:
        here.remark("Not due: tonight's compaction has run, or is running.")


def _undo(here: Session, run_id: int) -> None:
    with here.existing() as brain:
        done = undoing.undo(brain, run_id, now=here.now())
    if here.json:
        here.print_json(done)
    else:
        click.echo(render_compaction.undone(done))

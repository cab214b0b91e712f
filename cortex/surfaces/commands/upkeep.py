"""`cortex verify` and `cortex compact`."""

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
from cortex.surfaces import render_report, render_upkeep
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import common
from cortex.surfaces.progress import Report, progress
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import alive, this_process


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
    elif isinstance(done, Undone):
        here.show(done, render_upkeep.undone)
    else:
        here.show(done, render_upkeep.compacted)


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

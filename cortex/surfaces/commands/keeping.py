"""`cortex status` and `cortex verify`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from cortex.errors import BrainDamaged
from cortex.substrate import mending
from cortex.substrate import verify as proof
from cortex.substrate.brain import open_brain, translated
from cortex.surfaces import render_capture, render_compaction, render_report
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run
from cortex.surfaces.operations import looking
from cortex.surfaces.options import common
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, session


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
    kept = render_compaction.standing(found.compaction.last, late=found.compaction.overdue)
    click.echo(f"{render_report.status(found, now=here.now())}\n\n{kept}")
    if found.usage and (shown := render_capture.usage(found.usage)):
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
            here.remark(render_report.mended(mending.mend(brain, now=here.now())))
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

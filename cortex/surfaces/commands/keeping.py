"""`cortex status` and `cortex verify`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import click

from cortex.compactor.schedule import last_compaction, overdue
from cortex.errors import BrainDamaged, BrainMissing, BrainUnwritable
from cortex.substrate import status as of_brain
from cortex.substrate import verify as proof
from cortex.substrate.brain import Brain, translated
from cortex.surfaces import render_capture, render_compaction, render_report
from cortex.surfaces.captured import usage_if_captured
from cortex.surfaces.options import common
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, session


@click.command()
@common
def status() -> None:
    """Say what the brain holds, by source.

    Example:
      cortex status
    """
    here = session()
    with here.reader() as brain:
        found, used = of_brain.status(brain), usage_if_captured(here, brain)
        last, late = last_compaction(brain), overdue(brain, now=here.now())
    if here.json:
        more = {
            "compaction": {"last": last and last.isoformat(), "overdue": late},
            "usage": used and used.model_dump(mode="json"),
        }
        here.print_json(found.model_dump(mode="json") | more)
        return
    click.echo(f"{render_report.status(found)}\n\n{render_compaction.standing(last, late=late)}")
    if used and (shown := render_capture.usage(used)):
        click.echo(f"\n{shown}")


@click.command()
@common
@click.pass_context
def verify(context: click.Context) -> None:
    """Check every excerpt against its record, and the indexes against the rows.

    Exits 1 when anything fails, with the first failures by name. Changes nothing.

    Example:
      cortex verify
    """
    here = session()
    with _damage_told(here), _writable_if_possible(here) as brain, progress(quiet=here.quiet) as report:
        checked = proof.verify(brain, progress=report)
    if here.json:
        here.print_json(checked)
    else:
        click.echo(render_report.verified(checked))
    context.exit(0 if checked.holds else 1)


@contextmanager
def _damage_told(here: Session) -> Iterator[None]:
    """Name what SQLite fails at: nobody is sent to `verify` from `verify`."""
    try:
        with translated(here.path):
            yield
    except sqlite3.Error as error:
        raise BrainDamaged(here.path, str(error)) from error


def _writable_if_possible(here: Session) -> Brain:
    if not here.path.is_file():
        raise BrainMissing(here.path)
    try:
        return here.writer()
    except BrainUnwritable:
        return here.reader()

"""`cortex doctor`: what is wrong, and what mends it."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_doctor
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run
from cortex.surfaces.operations import doctoring
from cortex.surfaces.options import common
from cortex.surfaces.progress import progress
from cortex.surfaces.session import session


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
    here.show(found, render_doctor.diagnosis)
    context.exit(0 if found.healthy else 1)

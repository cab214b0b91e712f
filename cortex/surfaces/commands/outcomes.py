"""`cortex outcome`: add, import and list."""

from __future__ import annotations

from pathlib import Path

import click

from cortex.substrate.model import Scope
from cortex.surfaces import recording, render_report
from cortex.surfaces.commands import declared
from cortex.surfaces.options import WORDS, common, sources
from cortex.surfaces.session import session

INTO = click.option(
    "--source", type=WORDS, metavar="NAME", help="Where to record it.  [default: the only source there is]"
)


@click.group()
@common
def outcome() -> None:
    """Record what became of a piece of work, and list what was recorded.

    Example:
      cortex outcome add "Empty-state copy" --status flagged --pull 958 --note "reads like an error"
    """


outcome.add_command(declared.command("outcome add"))


@outcome.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@INTO
@common
def import_(file: Path, source: str | None) -> None:
    """Record every outcome of FILE, JSON lines with a title and a status each.

    A line that cannot be used is named on standard error and the rest goes on; the exit code is then 1.

    Example:
      cortex outcome import outcomes.jsonl
    """
    here = session()
    with here.existing() as brain:
        done = recording.import_outcomes(brain, file, source=source, authority=here.settings.authority, now=here.now())
    for skipped in done.skipped:
        click.echo(f"cortex: {skipped.input}: {skipped.reason}", err=True)
    here.show(done, render_report.imported)
    click.get_current_context().exit(1 if done.skipped else 0)


@outcome.command("list")
@sources
@common
def list_(sources: Scope) -> None:
    """List the outcomes, the latest first."""
    here = session()
    with here.reader() as brain:
        listed = recording.list_outcomes(brain, scope=sources)
    here.show(listed, render_report.outcomes, name="outcomes")

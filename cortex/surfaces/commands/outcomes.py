"""`cortex outcome`: add, import and list."""

from __future__ import annotations

from pathlib import Path
from typing import cast, get_args

import click

from cortex.errors import BrainMissing
from cortex.indexers.connectors.outcomes import Status
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.surfaces import recording, render_report
from cortex.surfaces.options import WORDS, common, sources
from cortex.surfaces.session import Session, session

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


def _not_empty(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if not value.strip():
        raise click.BadParameter("it is empty")
    return value


@outcome.command()
@click.argument("title", type=WORDS, callback=_not_empty)
@click.option("--status", required=True, type=click.Choice(get_args(Status)), help="What became of it.")
@click.option("--pull", type=click.IntRange(min=1), metavar="N", help="The pull request it came with.")
@click.option("--note", type=WORDS, default="", metavar="TEXT", help="What people should know of it.")
@click.option("--slug", type=WORDS, default="", help="What it is called in its ref.  [default: made from the title]")
@click.option("--author", type=WORDS, default="", help="Who says so.")
@INTO
@common
def add(title: str, status: str, pull: int | None, note: str, slug: str, author: str, source: str | None) -> None:
    """Record an outcome; asking finds it at once.

    The same again changes nothing; another status for the same title replaces the one before.

    Example:
      cortex outcome add "Empty-state copy" --status shipped --pull 958
    """
    here = session()
    with _existing(here) as brain:
        done = recording.add_outcome(
            brain, title, cast("Status", status), source=source, pull=pull, note=note, slug=slug, author=author,
            now=here.now(),
        )  # fmt: skip
    if here.json:
        here.print_json(done)
    else:
        click.echo(render_report.recorded(done))


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
    with _existing(here) as brain:
        done = recording.import_outcomes(brain, file, source=source, now=here.now())
    for skipped in done.skipped:
        click.echo(f"cortex: {skipped.input}: {skipped.reason}", err=True)
    if here.json:
        here.print_json(done)
    else:
        click.echo(render_report.imported(done))
    click.get_current_context().exit(1 if done.skipped else 0)


@outcome.command("list")
@sources
@common
def list_(sources: Scope) -> None:
    """List the outcomes, the latest first.

    Example:
      cortex outcome list
    """
    here = session()
    with here.reader() as brain:
        listed = recording.list_outcomes(brain, scope=sources)
    if here.json:
        here.print_json({"outcomes": [one.model_dump(mode="json") for one in listed]})
    else:
        click.echo(render_report.outcomes(listed))


def _existing(here: Session) -> Brain:
    if not here.path.is_file():
        raise BrainMissing(here.path)
    return here.writer()

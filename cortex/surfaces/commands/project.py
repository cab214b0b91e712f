"""`cortex init` and `cortex index`."""

from __future__ import annotations

from pathlib import Path

import click

from cortex.surfaces import indexing, render_report
from cortex.surfaces.options import WORDS, common
from cortex.surfaces.progress import progress
from cortex.surfaces.session import session

FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("path", type=FOLDER, default=".")
@click.option("--source", type=WORDS, metavar="NAME", help="What to call it.  [default: owner/name of its remote]")
@common
def init(path: Path, source: str | None) -> None:
    """Register the project you stand in and say what there is to index.

    Reads nothing yet. A project that is registered already is left as it is.

    Example:
      cortex init
    """
    here = session()
    with here.writer() as brain:
        found = indexing.init(brain, path, source=source, now=here.now())
    if here.json:
        here.print_json(found)
        return
    click.echo(render_report.project(found))
    here.remark(f"\nNext: cortex index {'' if path == Path() else path}".rstrip())


@click.command()
@click.argument("path", type=FOLDER, required=False)
@click.option(
    "--source", type=WORDS, metavar="NAME", help="What to call it.  [default: owner/name, else the folder's name]"
)
@click.option(
    "--github-export",
    "export",
    type=FOLDER,
    metavar="DIR",
    help="A folder of issues, pulls and comments as GitHub's API returns them.",
)
@click.option("--again", is_flag=True, help="Read everything, even what did not change.")
@click.option(
    "--federated/--isolated", default=None, help="Whether reads that name no source include it.  [default: federated]"
)
@common
def index(path: Path | None, source: str | None, export: Path | None, *, again: bool, federated: bool | None) -> None:
    """Read a project, or an export of one, into the brain.

    PATH is a repository or a folder of documents, by default the one you stand in. With --github-export and no PATH
    only the export is read. Run again, it reads what changed and says so when nothing did.

    Examples:
      cortex index
      cortex index ~/src/parser --github-export ~/exports/parser
    """
    here = session()
    root = path or (None if export else Path())
    with here.writer() as brain, progress(quiet=here.quiet) as report:
        done = indexing.index(
            brain, root, export=export, source=source, federated=federated, authority=here.settings.authority,
            again=again, progress=report, now=here.now(),
        )  # fmt: skip
    if here.json:
        here.print_json(done)
        return
    click.echo(render_report.indexed(done))
    if done.changed:
        here.remark('\nNext: cortex ask "…"')

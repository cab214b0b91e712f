"""`cortex init`, `index` and `demo`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from cortex.errors import BadInput, CortexError, MissingExtra
from cortex.indexers.connectors import outcomes, tree
from cortex.indexers.connectors.worktrees import files_folder
from cortex.indexers.journal.places import FOLDER as JOURNAL
from cortex.indexers.journal.places import OUTCOMES, REVIEWS
from cortex.substrate.status import size_of
from cortex.surfaces import evaluating as project
from cortex.surfaces import indexing, render_answer, render_report, render_upkeep
from cortex.surfaces.contract import run
from cortex.surfaces.encoding import models_of
from cortex.surfaces.naming import tracking
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import WORDS, takes
from cortex.surfaces.progress import progress
from cortex.surfaces.render import amount, dim, heading, table, wrapped
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import crew_here

FOLDER = click.Path(path_type=Path)
DEBOUNCE_MS = 600
"""An editor writes a file several times, and git many files: what comes within this time is one change."""

TICK_MS = 500


@click.command()
@click.argument("path", type=FOLDER, default=".")
@click.option("--source", type=WORDS, metavar="NAME", help="What to call it.  [default: owner/name of its remote]")
def init(path: Path, source: str | None) -> None:
    """Register the project you stand in and say what there is to index.

    Reads nothing yet. A project that is registered already is left as it is.

    Example:
      cortex init
    """
    here = session()
    with here.call().maker() as brain:
        found = indexing.init(brain, path, source=source, now=here.now())
    here.show(found, render_report.project)
    if not here.json:
        here.remark(f"\nNext: cortex index {'' if path == Path() else path}".rstrip())


@click.command()
@takes(upkeep.index)
@click.option("--watch", is_flag=True, help="Keep running, and index documents again when they change.")
def index(asked: dict[str, Any], *, watch: bool) -> int:
    """Read a project, or an export of one, into the brain.

    PATH is a repository or a folder of documents, by default the one you stand in. Anywhere in a repository the whole
    of it is read, as with git; --source NAME makes a source of the folder alone. All work trees of a repository are
    one source: the commits of each are read, and the files of the main one. With --github or --github-export and
    no PATH only that is read. Run again, it reads what changed and says so when nothing did. GitHub is asked with
    GITHUB_TOKEN or what `gh auth token` says; the token is never kept.

    A project is the source it was before if it stands where it stood, has the same remote, or moved with its history.
    Another one with the name of a source that is there already gets a longer name, such as docs and wiki/docs.

    Exits 1 when something could not be read to its end, or a text could not be distilled and will not be tried again.

    Examples:
      cortex index
      cortex index --github ada/parser
      cortex index ~/src/parser --github-export ~/exports/parser
    """
    here = session()
    changes = _changes_in(_watched(asked)) if watch else None
    with progress(quiet=here.quiet) as report:
        done = run(upkeep.index, here.call(progress=report), asked)
    if here.json:
        here.print_json(done, line=watch)
    else:
        click.echo(render_report.indexed(done))
        if left := render_upkeep.left(done.dead, done.dead_jobs, done.waiting):
            click.echo(f"\n{left}")
        if done.changed:
            here.remark('\nNext: cortex ask "…"')
    if changes:
        _watch(here, changes, asked)
    return 1 if done.dead or done.undone else 0


def _watched(asked: dict[str, Any]) -> Path:
    if "path" not in asked and asked.keys() & {"github", "export"}:
        raise click.UsageError("--watch watches a folder, and none was named", click.get_current_context())
    folder = Path(asked.get("path") or ".")
    return files_folder(folder if "source" in asked else tracking(folder))


def _watch(here: Session, changes: Callable[[], Iterator[list[str]]], asked: dict[str, Any]) -> None:
    """Index again whenever files have changed, until Ctrl-C; what fails is told, and the next change tries again."""
    only = {name: asked[name] for name in asked.keys() - {"github", "github_api", "export", "again"}}
    with suppress(KeyboardInterrupt):
        for number, paths in enumerate(changes()):
            if number == 0:
                here.remark(f"watching {_watched(asked).resolve()}; stop with Ctrl-C")
            try:
                done = run(upkeep.index, here.call(), only)
            except CortexError as error:
                click.echo(f"cortex: {error}", err=True)
                continue
            if done.changed and here.json:
                here.print_json(done, line=True)
            elif done.changed:
                click.echo(render_report.again(done, paths))
    here.remark("stopped watching")


def _changes_in(root: Path) -> Callable[[], Iterator[list[str]]]:
    """What gives the paths that changed under *root*, together where they come together; it ends at Ctrl-C.

    The first are none: from then on nothing is missed, and what changed before is for the caller to look for.
    """
    if not root.is_dir():
        raise BadInput(root, "no such folder", hint="name a repository or a folder of documents")
    try:
        from watchfiles import Change, DefaultFilter, watch  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MissingExtra("watch", "cortex index --watch") from error
    top, usual = root.resolve(), DefaultFilter()
    ours = (outcomes.LEDGER, f"{JOURNAL}/{OUTCOMES}", f"{JOURNAL}/{REVIEWS}")

    def wanted(change: Change, path: str) -> bool:
        """Whether what changed may be read; of a folder that comes or goes only its own name is told."""
        inside = Path(path).relative_to(top).as_posix()
        came, went = change == Change.added and Path(path).is_dir(), change == Change.deleted and not Path(path).suffix
        return usual(change, path) and (came or went or tree.wanted(inside) or inside in ours)

    def changes() -> Iterator[list[str]]:
        begun = False
        for batch in watch(
            top, watch_filter=wanted, debounce=DEBOUNCE_MS, rust_timeout=TICK_MS, yield_on_timeout=True,
            raise_interrupt=False,
        ):  # fmt: skip
            if batch or not begun:
                yield sorted({Path(path).relative_to(top).as_posix() for _, path in batch})
            begun = True

    return changes


@click.command()
def demo() -> None:
    """Index the bundled demo project and ask it seven questions.

    The brain is a temporary one, unless --db names where to keep it.

    Examples:
      cortex demo
      cortex demo --db demo.db
    """
    here = session()
    with here.call().maker() if here.db else project.temporary_brain(models_of(here.settings)) as brain:
        with progress(quiet=here.quiet or not sys.stderr.isatty()) as report:
            crew = crew_here(cache=here.settings.cache_folder)
            indexed = [*project.index_demo(brain, crew=crew, progress=report, now=here.now())]
        answered = project.ask_demo(brain, tuple(one.source for one in indexed))
        if here.json:
            here.print_json({"indexed": indexed, "answers": [*answered]})
            return
        size, names = size_of(brain), " and ".join(one.source for one in indexed)
        gave = f"{amount(size.records, 'record')} of {names}, an invented project, gave {amount(size.facts, 'fact')}."
        click.echo(wrapped(f"{gave} No model, no key, no network."))
        for one in answered:
            click.echo(f"\n{dim(one.question.category)}\n{heading('? ' + one.question.question)}\n")
            click.echo(render_answer.brief(one.answer))
    _say_how_to_go_on(here)


def _say_how_to_go_on(here: Session) -> None:
    name = "cortex" if shutil.which("cortex") else sys.argv[0]
    rows = [
        *([(f'{name} --db {here.db} ask "…"', "ask the demo more")] if here.db else []),
        (f"{name} index PATH", "read your own repository"),
        (f'{name} ask "why do we …?"', "and ask it"),
        (f"{name} --help", "everything else"),
    ]
    click.echo(f"\n{heading('Now yours')}\n{table(rows, last=dim)}")

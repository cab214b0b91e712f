"""`cortex demo`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cortex.substrate.brain import Brain, open_brain
from cortex.surfaces import demo as project
from cortex.surfaces import render_answer
from cortex.surfaces.encoding import models_of
from cortex.surfaces.options import common
from cortex.surfaces.progress import progress
from cortex.surfaces.render import amount, dim, heading, wrapped
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import crew_here


@click.command()
@common
def demo() -> None:
    """Index the bundled demo project and ask it seven questions.

    The brain is a temporary one, unless --db names where to keep it.

    Examples:
      cortex demo
      cortex demo --db demo.db
    """
    here = session()
    with _brain(here) as brain:
        with progress(quiet=here.quiet or not sys.stderr.isatty()) as report:
            crew = crew_here(cache=here.settings.cache_folder)
            indexed = [*project.index_demo(brain, crew=crew, progress=report, now=here.now())]
        answered = project.ask_demo(brain, tuple(one.source for one in indexed))
        if here.json:
            answers = [one.model_dump(mode="json", by_alias=True) for one in answered]
            here.print_json({"indexed": [one.model_dump(mode="json") for one in indexed], "answers": answers})
            return
        _introduce(brain, [one.source for one in indexed])
        for one in answered:
            click.echo(f"\n{dim(one.question.category)}\n{heading('? ' + one.question.question)}\n")
            click.echo(render_answer.brief(one.answer))
    _say_how_to_go_on(here)


@contextmanager
def _brain(here: Session) -> Iterator[Brain]:
    if here.db:
        with here.writer() as brain:
            yield brain
        return
    with TemporaryDirectory(prefix="cortex-demo-") as folder, open_brain(Path(folder) / "brain.db") as brain:
        yield brain.encoding(*models_of(here.settings))


def _introduce(brain: Brain, names: list[str]) -> None:
    (records,) = brain.db.execute("select count(*) from records").fetchone()
    (facts,) = brain.db.execute("select count(*) from facts").fetchone()
    held = f"{amount(records, 'record')} of {' and '.join(names)}, an invented project, gave {amount(facts, 'fact')}."
    click.echo(wrapped(f"{held} No model, no key, no network."))


def _say_how_to_go_on(here: Session) -> None:
    name = _program()
    more = [(f'{name} --db {here.db} ask "…"', "ask the demo more")] if here.db else []
    rows = [
        *more,
        (f"{name} index PATH", "read your own repository"),
        (f'{name} ask "why do we …?"', "and ask it"),
        (f"{name} --help", "everything else"),
    ]
    longest = max(len(command) for command, _ in rows)
    click.echo("\n" + heading("Now yours"))
    for command, what in rows:
        click.echo(f"  {command.ljust(longest)}  {dim(what)}")


def _program() -> str:
    """How to call this program from here: 'cortex' where the path leads to it, else its file."""
    called = Path(sys.argv[0])
    found = shutil.which("cortex")
    if found and called.exists() and Path(found).samefile(called):
        return "cortex"
    inside = called.absolute().is_relative_to(Path.cwd())
    return str(called.absolute().relative_to(Path.cwd())) if inside else str(called)

"""`cortex ask` and `cortex search`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from cortex.composer.pipeline import ask as answer
from cortex.composer.query.following import following
from cortex.composer.search import search as find
from cortex.errors import BadInput, CortexError, EmptyQuestion, UsageError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, storable
from cortex.substrate.sources import readable
from cortex.surfaces import render_answer
from cortex.surfaces.contract import run
from cortex.surfaces.operations import asking
from cortex.surfaces.operations.parameters import moment
from cortex.surfaces.options import takes
from cortex.surfaces.placing import placed
from cortex.surfaces.session import Session, session

BATCH = click.option(
    "--batch",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="JSON lines of them, each with an id; - is standard input.",
)


@click.command()
@takes(asking.ask)
@BATCH
@click.option("--explain", is_flag=True, help="Show which rows were read, and why each stands where it stands.")
def ask(batch: str | None, asked: dict[str, Any], *, explain: bool) -> int:
    """Answer a question with citations, or say that the brain does not know.

    It asks the project you stand in; outside of any that is indexed, and with --all, every source. Every statement is
    quoted from the row its citation names. The first three are shown; --all and --json give the rest. A refusal is
    followed by the closest matches, none of which answers. With --batch, lines {"id": …, "question": …} come in and
    one answer a line goes out, in their order; a line that cannot be used is named on standard error.

    Examples:
      cortex ask "who owns the parser?"
      cortex ask "and why?" --after issue:496
      cortex ask --batch questions.jsonl > answers.jsonl
    """
    here = session()
    _one_of(asked.get("question", ""), batch)
    if batch is not None and (explain or asked.get("as_of") or asked.get("after")):
        raise UsageError("a batch takes none of --explain, --as-of and --after", hint="ask one question")
    with here.call().reader() as brain:
        if batch is not None:
            scope = _scope(here, brain, asked)
            with asking.with_models(here.call(brain=brain), asked.get("composer")) as models:

                def told(text: str) -> dict[str, Any]:
                    found = answer(brain, text, scope=scope, now=here.now(), **models)
                    return found.model_dump(mode="json", by_alias=True)

                return _each(here, batch, "question", told)
        if explain:
            _explain(here, brain, asked)
            return 0
        found = run(asking.ask, here.call(brain=brain), asked)
        here.show(found, lambda found: render_answer.answer(found, every=asked.get("all", False)))
        if found.refused and not here.json and (nearest := render_answer.nearest(found)):
            here.remark("\n" + nearest)
    return 0


def _scope(here: Session, brain: Brain, asked: dict[str, Any]) -> Scope:
    at = placed(here.call(brain=brain), brain, asked.get("sources", ()), everything=asked.get("all", False))
    readable(brain, at.scope)
    return at.scope


def _explain(here: Session, brain: Brain, asked: dict[str, Any]) -> None:
    from cortex.composer.explain import explain  # noqa: PLC0415  an answer does not wait for it

    scope, as_of = _scope(here, brain, asked), moment(asked.get("as_of", ""))
    question = following(brain, asked["question"], asked.get("after", ""), scope=scope)
    found = explain(brain, question, scope=scope, as_of=as_of, now=here.now(), refuse_below=here.settings.refuse_below)
    here.show(found, render_answer.explanation)


@click.command()
@takes(asking.search)
@BATCH
def search(batch: str | None, asked: dict[str, Any]) -> int:
    """List the rows that match a query, best first.

    Any text is a query. With --batch, lines {"id": …, "query": …} come in and {"id": …, "hits": […]} go out.

    Examples:
      cortex search busy_timeout -k 5
      cortex search --batch queries.jsonl > hits.jsonl
    """
    here = session()
    _one_of(asked.get("query", ""), batch)
    with here.call().reader() as brain:
        if batch is not None:
            scope, limit = _scope(here, brain, asked), asked.get("limit", asking.HITS)
            return _each(here, batch, "query", lambda text: {"hits": find(brain, text, scope=scope, limit=limit)})
        found = run(asking.search, here.call(brain=brain), asked)
    here.show(found, lambda found: render_answer.hits(found.hits))
    return 0


def _one_of(words: str, batch: str | None) -> None:
    if words and batch is not None:
        raise UsageError("a batch and a question at once", hint="give one of them")
    if batch is None and not words.strip():
        raise EmptyQuestion


def _each(here: Session, file: str, wanted: str, done: Callable[[str], dict[str, Any]]) -> int:
    """Print what is *done* with the text of each line, with the line's id; 1 where one could not be used."""
    try:
        lines = click.open_file(file, encoding="utf-8", errors="replace")
    except OSError as error:
        hint = "name a file of JSON lines, or - for standard input"
        raise BadInput(file, error.strerror or str(error), hint=hint) from error
    code = 0
    with lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    id_, text = _read(line, wanted)
                    here.print_json({"id": id_, **done(text)}, line=True)
                except CortexError as error:
                    code = 1
                    click.echo(f"cortex: line {number}: {error}", err=True)
    sys.stdout.flush()
    return code


def _read(line: str, wanted: str) -> tuple[object, str]:
    try:
        row = json.loads(line.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise UsageError("not JSON") from error
    if not isinstance(row, dict) or "id" not in row:
        raise UsageError(f"no object with an id and a {wanted}")
    if not isinstance(text := row.get(wanted), str):
        raise UsageError(f"{wanted} is no text")
    return storable(row["id"]) if isinstance(row["id"], str) else row["id"], storable(text)

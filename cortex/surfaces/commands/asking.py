"""`cortex ask` and `cortex search`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import IO

import click

from cortex.errors import BadInput, EmptyQuestion, UsageError
from cortex.substrate.model import Answer, Scope, Value
from cortex.surfaces import operations, render_answer
from cortex.surfaces.captured import keep_if_captured
from cortex.surfaces.operations import Unusable
from cortex.surfaces.options import WORDS, common, sources
from cortex.surfaces.session import Session, session

BATCH = click.option(
    "--batch",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="JSON lines of them, each with an id; - is standard input.",
)


@click.command()
@click.argument("question", nargs=-1, type=WORDS)
@BATCH
@sources
@common
@click.pass_context
def ask(context: click.Context, question: tuple[str, ...], batch: str | None, sources: Scope) -> None:
    """Answer a question with citations, or say that the brain does not know.

    Every statement is quoted from the row its citation names. With --batch, lines {"id": …, "question": …} come in and
    one answer a line goes out, in their order; a line that cannot be used is named on standard error.

    Examples:
      cortex ask "who owns the parser?"
      cortex ask --batch questions.jsonl > answers.jsonl
    """
    here = session()
    _one_of(question, batch)
    with here.reader() as brain:
        if batch is not None:
            with _lines(batch) as lines:
                context.exit(_print(here, operations.ask_batch(brain, lines, scope=sources)))
        answer = operations.ask(brain, " ".join(question), scope=sources)
        if here.json:
            here.print_json(answer)
        else:
            _print_answer(here, answer)
        sys.stdout.flush()
        keep_if_captured(here, brain, answer, scope=sources)


def _print_answer(here: Session, answer: Answer) -> None:
    click.echo(render_answer.answer(answer))
    if answer.refused and (nearest := render_answer.nearest(answer)):
        here.remark("\n" + nearest)


@click.command()
@click.argument("query", nargs=-1, type=WORDS)
@click.option(
    "-k", "limit", type=click.IntRange(1, 1000), default=operations.HITS, show_default=True, help="How many at most."
)
@BATCH
@sources
@common
@click.pass_context
def search(context: click.Context, query: tuple[str, ...], limit: int, batch: str | None, sources: Scope) -> None:
    """List the rows that match a query, best first.

    Any text is a query. With --batch, lines {"id": …, "query": …} come in and {"id": …, "hits": […]} go out.

    Examples:
      cortex search busy_timeout -k 5
      cortex search --batch queries.jsonl > hits.jsonl
    """
    here = session()
    _one_of(query, batch)
    with here.reader() as brain:
        if batch is not None:
            with _lines(batch) as lines:
                context.exit(_print(here, operations.search_batch(brain, lines, scope=sources, limit=limit)))
        text = " ".join(query)
        hits = operations.search(brain, text, scope=sources, limit=limit)
    if here.json:
        here.print_json({"query": text, "hits": [hit.model_dump(mode="json") for hit in hits]})
    else:
        click.echo(render_answer.hits(hits))


def _one_of(words: tuple[str, ...], batch: str | None) -> None:
    if words and batch is not None:
        raise UsageError("a batch and a question at once", hint="give one of them")
    if batch is None and not " ".join(words).strip():
        raise EmptyQuestion


def _lines(name: str) -> AbstractContextManager[IO[str]]:
    try:
        return click.open_file(name, encoding="utf-8", errors="replace")
    except OSError as error:
        hint = "name a file of JSON lines, or - for standard input"
        raise BadInput(name, error.strerror or str(error), hint=hint) from error


def _print(here: Session, results: Iterable[Value | Unusable]) -> int:
    """Print each result as a line; 1 when a line of the batch could not be used."""
    failed = False
    for result in results:
        if isinstance(result, Unusable):
            failed = True
            click.echo(f"cortex: {result}", err=True)
        else:
            here.print_json(result, line=True)
    sys.stdout.flush()
    return int(failed)

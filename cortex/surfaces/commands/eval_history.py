"""`cortex eval add`, `replay` and `report`: what grows with use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cortex.composer.pipeline import ask
from cortex.errors import UsageError
from cortex.evals import draft
from cortex.evals.capture import captured
from cortex.evals.replay import replay as replay_captured
from cortex.evals.report import report as make_report
from cortex.substrate.model import Scope
from cortex.surfaces import evaluating, render_capture, render_evals
from cortex.surfaces.arguments import takes
from cortex.surfaces.commands.smoke import FILE
from cortex.surfaces.keeping import ledger
from cortex.surfaces.operations import browsing
from cortex.surfaces.options import WORDS, common, sources
from cortex.surfaces.session import session


@click.command()
@click.argument("question", type=WORDS)
@click.option("--category", type=WORDS, default="golden", show_default=True, help="What it is counted under.")
@click.option("--must", type=WORDS, multiple=True, help="What the answer has to say.  [default: its telling word]")
@click.option("--id", "id_", type=WORDS, help="What to call the case.  [default: the category and a number]")
@click.option("--unanswerable", is_flag=True, help="The refusal is the right answer.")
@click.option("-o", "--output", type=FILE, default=evaluating.OWN_CASES, show_default=True, help="The file of cases.")
@sources
@common
def add(
    question: str, category: str, must: tuple[str, ...], id_: str | None, output: Path, sources: Scope, *,
    unanswerable: bool,
) -> None:  # fmt: skip
    """Ask a question and hold every later answer to this one, if it is a good one.

    Example:
      cortex eval add "Who owns the parser?" --category ownership --must ada
    """
    here = session()
    with here.reader() as brain:
        answer = ask(brain, question, scope=sources)
    if answer.refused is not unanswerable:
        what, hint = ("refused", "say --unanswerable if that is right")
        if unanswerable:
            what, hint = ("answered", "leave --unanswerable out if that is right")
        raise UsageError(f"the question was {what}", hint=hint)
    case = draft.case_of_answer(answer, id_=id_ or draft.next_id(output, category), category=category, must=must)
    draft.append(output, case)
    if here.json:
        here.print_json({"file": str(output), "case": case.model_dump(mode="json")})
    else:
        click.echo(render_evals.added(case, output))
    if case.answerable and not case.must:
        here.remark("it is held to its citation alone; say what it has to say too with --must")


@click.command()
@click.option("-n", "limit", type=click.IntRange(min=1), help="The latest so many.  [default: all that are kept]")
@common
def replay(limit: int | None) -> None:
    """Ask the captured questions again and show whose answer changed, before beside after.

    Example:
      cortex eval replay -n 50
    """
    here = session()
    with ledger(here) as book:
        questions = captured(book, limit=limit)
    with here.reader() as brain:
        done = replay_captured(brain, questions)
    here.show(done, render_capture.replayed)


@click.command()
@takes(browsing.evals)
@common
def report(asked: dict[str, Any]) -> None:
    """Show every run there was: rates by category, what fell and at which commit.

    Example:
      cortex eval report
    """
    here = session()
    with ledger(here) as book:
        here.show(make_report(book, now=here.now(), suite=asked.get("suite")), render_evals.history)

"""`cortex eval`: the full set of questions, by category."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cortex.composer.search import search
from cortex.evals import gate
from cortex.evals.asking import Evaluation, evaluate
from cortex.evals.cases import Suite
from cortex.evals.history import size_of
from cortex.evals.rankings import is_gold_file, load_gold, rank_quality
from cortex.evals.scoring import measure
from cortex.substrate.model import Scope
from cortex.surfaces import evaluating, render_evals
from cortex.surfaces.commands import eval_history
from cortex.surfaces.commands.smoke import DEMO, FILE
from cortex.surfaces.encoding import models_of
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.keeping import keep_run
from cortex.surfaces.options import common, sources
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, session


@click.group("eval", cls=MainGroup)
@common
def eval_() -> None:
    """Ask many questions and rate the answers by category; exit 1 when a category falls too low.

    With no CASES it asks evals/cases.yaml of your brain where there is such a file, else the demo project's thirty.
    A category is too low below the floor, or below what the last release reached.

    Examples:
      cortex eval
      cortex eval evals/cases.yaml --details
      cortex eval add "who owns the parser?"
      cortex eval report
    """


for _command in (eval_history.add, eval_history.replay, eval_history.report):
    eval_.add_command(_command)


@eval_.command("run")
@click.argument("cases", type=FILE, required=False)
@DEMO
@click.option("--details", is_flag=True, help="Show each case that is not right: question, problem, answer, rows.")
@click.option(
    "--floor", type=click.FloatRange(0, 1), metavar="SHARE",
    help="What each category has to reach.  [default: 0.7; none for a file of questions in JSON lines]",
)  # fmt: skip
@click.option("--against", type=FILE, metavar="JSON", help="No category below that of this earlier --json result.")
@click.option("--release", is_flag=True, help="Keep the rates as what later runs have to reach, in released.yaml.")
@sources
@common
@click.pass_context
def run(
    context: click.Context, cases: Path | None, floor: float | None, against: Path | None, sources: Scope, *,
    of_demo: bool, details: bool, release: bool,
) -> None:  # fmt: skip
    """Ask the questions; `run` may be left out.

    CASES is YAML, or JSON lines of questions with an id, a category, a question, answerable, gold and must. JSON lines
    with a query and its relevant records are searched for instead, and the ranking is measured.

    Example:
      cortex eval run --demo --details
    """
    here = session()
    path, of_demo = evaluating.chosen(
        cases, own=evaluating.OWN_CASES, bundled="demo.yaml", of_demo=of_demo, named=here.db
    )
    if is_gold_file(path):
        _rank(here, path, sources, of_demo=of_demo)
        return
    suite, base = evaluating.load(path), gate.base_rates(against) if against else None
    with (
        evaluating.brain_of(here.reader, of_demo=of_demo, models=models_of(here.settings), now=here.now()) as brain,
        progress(quiet=here.quiet) as report,
    ):
        done, size = evaluate(brain, suite, scope=sources, progress=report), size_of(brain)
    released = gate.released_rates(evaluating.released_file(path), suite.name)
    floor = gate.FLOOR if floor is None and suite.rubric == "cases" else floor
    short = gate.shortfalls(done, floor=floor, released=released, base=base)
    keep_run(here, done, command="eval", passed=not short, size=size, of_demo=of_demo)
    _print(here, suite, done, short, released, details=details)
    if release and not short:
        gate.release(evaluating.released_file(path), done)
        here.remark(f"kept as released in {evaluating.released_file(path)}")
    context.exit(1 if short else 0)


def _print(
    here: Session, suite: Suite, done: Evaluation, short: list[gate.Shortfall], released: dict[str, float], *,
    details: bool,
) -> None:  # fmt: skip
    measured = (
        measure(suite, {one.case.id: one.answer for one in done.results}) if suite.rubric == "questions" else None
    )
    if here.json:
        document: dict[str, Any] = done.model_dump(mode="json", by_alias=True)
        document |= {"passed": not short, "shortfalls": [one.model_dump() for one in short], "released": released}
        here.print_json(document | ({"measured": measured.model_dump()} if measured else {}))
        return
    if measured:
        click.echo(render_evals.measured(measured) + "\n")
    click.echo(render_evals.evaluation(done, short, released, details=details))


def _rank(here: Session, path: Path, scope: Scope, *, of_demo: bool) -> None:
    gold = load_gold(path)
    with evaluating.brain_of(here.reader, of_demo=of_demo, models=models_of(here.settings), now=here.now()) as brain:
        found = {one.id: search(brain, one.query, scope=scope, limit=50) for one in gold}
    ranked = rank_quality(gold, found)
    here.show(ranked, render_evals.ranked)

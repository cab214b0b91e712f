"""`cortex smoke`, `eval`, `capture` and `feedback`: the gate, the full set of questions, and what grows with use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.errors import NothingCaptured, NothingFound, UsageError
from cortex.evals import capture as capturing
from cortex.evals import draft, gate
from cortex.evals.asking import evaluate
from cortex.evals.cases import load_suite
from cortex.evals.history import worst
from cortex.evals.rankings import is_gold_file, load_gold, rank_quality
from cortex.evals.replay import replay as replay_captured
from cortex.evals.scoring import measure
from cortex.substrate.ledger import Ledger
from cortex.substrate.model import Scope
from cortex.substrate.status import size_of
from cortex.surfaces import evaluating, render_evals
from cortex.surfaces.commands import declared
from cortex.surfaces.contract import run as run_operation
from cortex.surfaces.evaluating import feedback_file, keep_run, ledger
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import WORDS, MainGroup, sources, takes
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, Shown, session

FILE = click.Path(path_type=Path)


@click.group(cls=MainGroup)
def smoke() -> None:
    """Ask a handful of questions three times over; exit 1 unless each answer is right each time.

    With no CASES it asks evals/smoke.yaml of your brain where there is such a file, else the demo project's own.

    Examples:
      cortex smoke
      cortex smoke evals/smoke.yaml
      cortex smoke init
    """


@smoke.command("run")
@takes(upkeep.smoke)
def run_gate(asked: dict[str, Any]) -> int:
    """Run the gate; `run` may be left out.

    Example:
      cortex smoke run evals/smoke.yaml --json
    """
    here = session()
    done = run_operation(upkeep.smoke, here.call(), asked)
    keep_run(here, worst(done), command="smoke", passed=done.passed, size=done.size, of_demo=done.of_demo)
    here.show(done, render_evals.smoke)
    return 0 if done.passed else 1


@smoke.command("init")
@click.option("-o", "--output", type=FILE, default=evaluating.OWN_SMOKE, show_default=True, help="Where to write it.")
@sources
def init(output: Path, sources: Scope) -> None:
    """Draft one question a category from your brain, with its answer, for you to correct.

    What an answer must hold is taken from the fact itself; each question is then asked, and a remark says what the
    brain answers now.

    Example:
      cortex smoke init -o evals/smoke.yaml
    """
    here = session()
    with here.call().reader() as brain:
        drafted = draft.draft_smoke(brain, scope=sources)
    if not drafted:
        raise NothingFound(here.path, ["no fact to ask about"])
    draft.write_smoke(output, drafted)
    here.show({"file": output, "drafted": drafted}, lambda _: render_evals.drafted(drafted, output))


@click.group("eval", cls=MainGroup)
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


eval_.add_command(declared.command("eval report"))


@eval_.command()
@click.argument("question", type=WORDS)
@click.option("--category", type=WORDS, default="golden", show_default=True, help="What it is counted under.")
@click.option("--must", type=WORDS, multiple=True, help="What the answer has to say.  [default: its telling word]")
@click.option("--id", "id_", type=WORDS, help="What to call the case.  [default: the category and a number]")
@click.option("--unanswerable", is_flag=True, help="The refusal is the right answer.")
@click.option("-o", "--output", type=FILE, default=evaluating.OWN_CASES, show_default=True, help="The file of cases.")
@sources
def add(
    question: str, category: str, must: tuple[str, ...], id_: str | None, output: Path, sources: Scope, *,
    unanswerable: bool,
) -> None:  # fmt: skip
    """Ask a question and hold every later answer to this one, if it is a good one.

    Example:
      cortex eval add "Who owns the parser?" --category ownership --must ada
    """
    here = session()
    with here.call().reader() as brain:
        answer = ask(brain, question, scope=sources)
    if answer.refused and not unanswerable:
        raise UsageError("the question was refused", hint="say --unanswerable if that is right")
    if unanswerable and not answer.refused:
        raise UsageError("the question was answered", hint="leave --unanswerable out if that is right")
    case = draft.case_of_answer(answer, id_=id_ or draft.next_id(output, category), category=category, must=must)
    draft.append(output, case)
    here.show({"file": output, "case": case}, lambda _: render_evals.added(case, output))
    if case.answerable and not case.must:
        here.remark("it is held to its citation alone; say what it has to say too with --must")


@eval_.command()
@click.option("-n", "limit", type=click.IntRange(min=1), help="The latest so many.  [default: all that are kept]")
def replay(limit: int | None) -> None:
    """Ask the captured questions again and show whose answer changed, before above after.

    Example:
      cortex eval replay -n 50
    """
    here = session()
    with ledger(here) as book:
        questions = capturing.captured(book, limit=limit)
    with here.call().reader() as brain:
        done = replay_captured(brain, questions)
    here.show(done, render_evals.replayed)


@eval_.command("run")
@click.argument("cases", type=FILE, required=False)
@click.option("--demo", "of_demo", is_flag=True, help="Ask the bundled demo project in a brain made on the spot.")
@click.option("--details", is_flag=True, help="Show each case that is not right: question, problem, answer, rows.")
@click.option(
    "--floor", type=click.FloatRange(0, 1), metavar="SHARE",
    help="What each category has to reach.  [default: 0.7; none for a file of questions in JSON lines]",
)  # fmt: skip
@click.option("--against", type=FILE, metavar="JSON", help="No category below that of this earlier --json result.")
@click.option("--release", is_flag=True, help="Keep the rates as what later runs have to reach, in released.yaml.")
@sources
def run(
    cases: Path | None, floor: float | None, against: Path | None, sources: Scope, *,
    of_demo: bool, details: bool, release: bool,
) -> int:  # fmt: skip
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
        return 0
    suite, base = load_suite(path), gate.base_rates(against) if against else None
    with evaluating.brain_of(here.call(), of_demo=of_demo) as brain, progress(quiet=here.quiet) as report:
        done, size = evaluate(brain, suite, scope=sources, progress=report), size_of(brain)
    kept = path.with_name(evaluating.RELEASED)
    released = gate.released_rates(kept, suite.name)
    floor = gate.FLOOR if floor is None and suite.rubric == "cases" else floor
    short = gate.shortfalls(done, floor=floor, released=released, base=base)
    keep_run(here, done, command="eval", passed=not short, size=size, of_demo=of_demo)
    measured = (
        measure(suite, {one.case.id: one.answer for one in done.results}) if suite.rubric == "questions" else None
    )
    document = {**dict(done), "passed": not short, "shortfalls": short, "released": released}
    numbers = f"{render_evals.measured(measured)}\n\n" if measured else ""
    here.show(
        document | ({"measured": measured} if measured else {}),
        lambda _: numbers + render_evals.evaluation(done, short, released, details=details),
    )
    if release and not short:
        gate.release(kept, done)
        here.remark(f"kept as released in {kept}")
    return 1 if short else 0


def _rank(here: Session, path: Path, scope: Scope, *, of_demo: bool) -> None:
    gold = load_gold(path)
    with evaluating.brain_of(here.call(), of_demo=of_demo) as brain:
        found = {one.id: search(brain, one.query, scope=scope, limit=50) for one in gold}
    here.show(rank_quality(gold, found), render_evals.ranked)


@click.group()
def capture() -> None:
    """Keep the questions asked and what came of them, for replay; off unless you switch it on.

    Everything stays in a file of this machine beside the brain, secrets taken out, for as many days as you say.

    Examples:
      cortex capture on --days 30
      cortex capture status
    """


@capture.command("on")
@click.option("--days", type=click.IntRange(1, 3650), help="How long each question is kept.  [default: 90]")
def on(days: int | None) -> None:
    """Keep questions from now on.

    Example:
      cortex capture on --days 30
    """
    _show(lambda book, here: capturing.switch(book, on=True, days=days, now=here.now()), render_evals.capture)


@capture.command("off")
def off() -> None:
    """Keep no more questions; those kept stay until they are too old."""
    _show(lambda book, here: capturing.switch(book, on=False, now=here.now()), render_evals.capture)


def _show(act: Callable[[Ledger, Session], Shown], render: Callable[[Shown], str], *, name: str = "") -> None:
    """Print what *act* finds in the ledger beside the brain."""
    here = session()
    with ledger(here) as book:
        found = act(book, here)
    here.show(found, render, name=name)


@capture.command("status")
def status() -> None:
    """Say whether questions are kept, since when and how many."""
    _show(lambda book, _: capturing.capture_status(book), render_evals.capture)


@capture.command("list")
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many at most.")
def list_(limit: int) -> None:
    """List the kept questions, the latest first, with their numbers.

    Example:
      cortex capture list -n 5
    """
    _show(lambda book, _: capturing.captured(book, limit=limit), render_evals.captured, name="captured")


@capture.command("forget")
def forget() -> None:
    """Delete every kept question and every count of use, now."""
    _show(lambda book, here: capturing.forget(book, feedback_file(here)), render_evals.forgotten, name="forgotten")


@click.command()
@click.option("--useful", type=click.Choice(["yes", "no"]), required=True, help="Whether the answer was of use.")
@click.option("--note", type=WORDS, default="", metavar="TEXT", help="What was good or bad about it.")
@click.argument("number", type=click.IntRange(min=1), required=False)
def feedback(useful: str, note: str, number: int | None) -> None:
    """Say whether the last answer was of use, or the answer to the kept question of that number.

    It is written to a file beside the brain first, which stays as long as the question is kept.

    Examples:
      cortex feedback --useful yes
      cortex feedback --useful no --note "quotes what was reverted" 12
    """
    here = session()
    with ledger(here) as book:
        judged = capturing.judge_useful(
            book, feedback_file(here), useful=useful == "yes", id_=number, note=note, now=here.now()
        )
    if judged is None:
        raise NothingCaptured(number)
    here.show(
        {"question": judged, "useful": useful == "yes"}, lambda _: f"Kept for question {judged}: useful, {useful}."
    )

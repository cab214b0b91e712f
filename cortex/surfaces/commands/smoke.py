"""`cortex smoke`: the gate."""

from __future__ import annotations

from pathlib import Path

import click

from cortex.errors import NothingFound
from cortex.evals import draft
from cortex.evals.history import size_of, worst
from cortex.evals.smoke import RUNS
from cortex.evals.smoke import smoke as run_smoke
from cortex.substrate.model import Scope
from cortex.surfaces import evaluating, render_evals
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.keeping import keep_run
from cortex.surfaces.options import common, sources
from cortex.surfaces.session import session

FILE = click.Path(path_type=Path)
DEMO = click.option("--demo", "of_demo", is_flag=True, help="Ask the bundled demo project in a brain made on the spot.")


@click.group(cls=MainGroup)
@common
def smoke() -> None:
    """Ask a handful of questions three times over; exit 1 unless each answer is right each time.

    With no CASES it asks evals/smoke.yaml of your brain where there is such a file, else the demo project's own.

    Examples:
      cortex smoke
      cortex smoke evals/smoke.yaml
      cortex smoke init
    """


@smoke.command("run")
@click.argument("cases", type=FILE, required=False)
@DEMO
@click.option("--runs", type=click.IntRange(1, 100), default=RUNS, show_default=True, help="How often each is asked.")
@sources
@common
@click.pass_context
def run(context: click.Context, cases: Path | None, runs: int, sources: Scope, *, of_demo: bool) -> None:
    """Run the gate; `run` may be left out.

    Example:
      cortex smoke run evals/smoke.yaml --json
    """
    here = session()
    path, of_demo = evaluating.chosen(
        cases, own=evaluating.OWN_SMOKE, bundled="smoke.yaml", of_demo=of_demo, named=here.db
    )
    suite = evaluating.load(path)
    with evaluating.brain_of(here, of_demo=of_demo) as brain:
        done, size = run_smoke(brain, suite, scope=sources, runs=runs), size_of(brain)
    keep_run(here, worst(done), command="smoke", passed=done.passed, size=size, of_demo=of_demo)
    if here.json:
        here.print_json(done)
    else:
        click.echo(render_evals.smoke(done))
    context.exit(0 if done.passed else 1)


@smoke.command("init")
@click.option("-o", "--output", type=FILE, default=evaluating.OWN_SMOKE, show_default=True, help="Where to write it.")
@sources
@common
def init(output: Path, sources: Scope) -> None:
    """Draft one question a category from your brain, with its answer, for you to correct.

    What an answer must hold is taken from the fact itself; each question is then asked, and a remark says what the
    brain answers now.

    Example:
      cortex smoke init -o evals/smoke.yaml
    """
    here = session()
    with here.reader() as brain:
        drafted = draft.draft_smoke(brain, scope=sources)
    if not drafted:
        raise NothingFound(here.path, ["no fact to ask about"])
    draft.write_smoke(output, drafted)
    if here.json:
        here.print_json({"file": str(output), "drafted": [one.model_dump(mode="json") for one in drafted]})
        return
    click.echo(render_evals.drafted(drafted, output))

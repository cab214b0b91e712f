"""`cortex smoke`: the gate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cortex.errors import NothingFound
from cortex.evals import draft
from cortex.evals.history import worst
from cortex.substrate.model import Scope
from cortex.surfaces import evaluating, render_evals
from cortex.surfaces.arguments import takes
from cortex.surfaces.contract import run as run_operation
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.keeping import keep_run
from cortex.surfaces.operations import upkeep
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
@takes(upkeep.smoke)
@common
@click.pass_context
def run(context: click.Context, asked: dict[str, Any]) -> None:
    """Run the gate; `run` may be left out.

    Example:
      cortex smoke run evals/smoke.yaml --json
    """
    here = session()
    done = run_operation(upkeep.smoke, here.call(), asked)
    keep_run(here, worst(done), command="smoke", passed=done.passed, size=done.size, of_demo=done.of_demo)
    here.show(done, render_evals.smoke)
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

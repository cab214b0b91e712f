"""`cortex capture` and `cortex feedback`: what was asked, kept only where somebody wants it."""

from __future__ import annotations

from collections.abc import Callable

import click

from cortex.errors import NothingCaptured
from cortex.evals import capture as capturing
from cortex.substrate.ledger import Ledger
from cortex.surfaces import render_evals
from cortex.surfaces.evaluating import feedback_file, ledger
from cortex.surfaces.options import WORDS, common
from cortex.surfaces.session import Session, Shown, session


@click.group()
@common
def capture() -> None:
    """Keep the questions asked and what came of them, for replay; off unless you switch it on.

    Everything stays in a file of this machine beside the brain, secrets taken out, for as many days as you say.

    Examples:
      cortex capture on --days 30
      cortex capture status
    """


@capture.command("on")
@click.option("--days", type=click.IntRange(1, 3650), help="How long each question is kept.  [default: 90]")
@common
def on(days: int | None) -> None:
    """Keep questions from now on.

    Example:
      cortex capture on --days 30
    """
    _switch(on=True, days=days)


@capture.command("off")
@common
def off() -> None:
    """Keep no more questions; those kept stay until they are too old."""
    _switch(on=False)


def _switch(*, on: bool, days: int | None = None) -> None:
    _show(lambda book, here: capturing.switch(book, on=on, days=days, now=here.now()), render_evals.capture)


def _show(act: Callable[[Ledger, Session], Shown], render: Callable[[Shown], str], *, name: str = "") -> None:
    """Print what *act* finds in the ledger beside the brain."""
    here = session()
    with ledger(here) as book:
        found = act(book, here)
    here.show(found, render, name=name)


@capture.command("status")
@common
def status() -> None:
    """Say whether questions are kept, since when and how many."""
    _show(lambda book, _: capturing.capture_status(book), render_evals.capture)


@capture.command("list")
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many at most.")
@common
def list_(limit: int) -> None:
    """List the kept questions, the latest first, with their numbers.

    Example:
      cortex capture list -n 5
    """
    _show(lambda book, _: capturing.captured(book, limit=limit), render_evals.captured, name="captured")


@capture.command("forget")
@common
def forget() -> None:
    """Delete every kept question and every count of use, now."""
    _show(lambda book, here: capturing.forget(book, feedback_file(here)), render_evals.forgotten, name="forgotten")


@click.command()
@click.option("--useful", type=click.Choice(["yes", "no"]), required=True, help="Whether the answer was of use.")
@click.option("--note", type=WORDS, default="", metavar="TEXT", help="What was good or bad about it.")
@click.argument("number", type=click.IntRange(min=1), required=False)
@common
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

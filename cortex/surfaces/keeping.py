"""The ledger beside the brain, and the runs of evals that commands keep in it."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from cortex.errors import BrainError
from cortex.evals import history
from cortex.evals.asking import Evaluation
from cortex.evals.capture import take_in
from cortex.evals.history import Command, Size
from cortex.evals.ledger import Ledger, ledger_path, open_ledger
from cortex.surfaces.evaluating import commit
from cortex.surfaces.journaling import journal_folder
from cortex.surfaces.session import Session


def ledger(here: Session) -> Ledger:
    """The ledger beside the session's brain, created where missing, with the feedback file taken in."""
    book = open_ledger(ledger_path(here.path))
    take_in(book, feedback_file(here), now=here.now())
    return book


def feedback_file(here: Session) -> Path:
    """The file of feedback: private, for it holds questions."""
    return journal_folder(here.path) / "feedback.jsonl"


def keep_run(
    here: Session, done: Evaluation, *, command: Command, passed: bool, size: Size, of_demo: bool
) -> int | None:
    """Add a run to the history; its number. None, and a remark, where it cannot be kept: the verdict stands anyway.

    What was asked of the demo project stands under a name of its own, for it says nothing of the session's brain.
    """
    if of_demo:
        done = done.model_copy(update={"suite": f"{done.suite} (demo)"})
    try:
        with ledger(here) as book:
            return history.keep(
                book, done, command=command, passed=passed, size=size, commit=commit(),
                version=version("cortex-project-memory"), now=here.now(),
            )  # fmt: skip
    except BrainError as error:
        here.remark(f"this run is not kept in the history: {error}")
        return None

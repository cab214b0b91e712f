"""Capturing a question that was just answered, where somebody switched that on."""

from __future__ import annotations

from typing import Final

from cortex.errors import BrainError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope
from cortex.surfaces.contract import Call

ROWS: Final = 30  # how many of the rows that were retrieved are kept


def keep_if_captured(call: Call, brain: Brain, answer: Answer, *, scope: Scope) -> None:
    """Keep *answer* where questions are captured; one that cannot be is remarked on, and answered all the same."""
    path = call.path.with_name(f"{call.path.stem}.evals.db")
    if not path.is_file():
        return
    from cortex.evals.asking import retrieve  # noqa: PLC0415  whoever captures nothing does not wait for it
    from cortex.evals.capture import capture, is_on  # noqa: PLC0415
    from cortex.substrate.ledger import open_ledger  # noqa: PLC0415

    try:
        with open_ledger(path) as ledger:
            if is_on(ledger):
                rows = retrieve(brain, answer.question, scope=scope, limit=ROWS)
                capture(ledger, answer, retrieved=rows, scope=scope, now=call.now)
    except BrainError as error:
        call.remark(f"the question was not captured: {error}")

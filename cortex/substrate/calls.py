"""Calls of models: each is there before it is made, at the most it may cost, and with what it did after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.statements import run


def reserve_call(brain: Brain, call: Mapping[str, object]) -> int | None:
    """The number of a call that the budgets of *call* cover; None where they do not. Call it inside a transaction."""
    made = run(brain, "calls.reserve_call", **call)
    return made.lastrowid if made.rowcount == 1 else None


def taken(brain: Brain, call: Mapping[str, object]) -> tuple[float, float, float]:
    """What calls of the run take of its budget, and what those of the run and of the day took that are over."""
    of_run, run_paid, day_paid = run(brain, "calls.taken", **call).fetchone()
    return of_run, run_paid, day_paid


def settle_call(brain: Brain, result: Mapping[str, object]) -> None:
    """Keep what became of a call. Call it inside a transaction."""
    run(brain, "calls.settle_call", **result)


def spent(brain: Brain, *, since: str, of_run: str | None) -> list[tuple[Any, ...]]:
    """What calls since a day cost by tier and model, the dearest first, as `calls.spent` has it."""
    return run(brain, "calls.spent", since=since, run=of_run).fetchall()

"""The smoke gate: a handful of questions, one a category, right three times over or the gate is shut."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from pydantic import Field

from cortex.evals.asking import Asking, Evaluation, Result, evaluate
from cortex.evals.cases import Suite
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value

RUNS: Final = 3


class Smoke(Value):
    """What the runs of a smoke gate gave."""

    suite: str
    runs: tuple[Evaluation, ...]
    seconds: float

    passed: bool = Field(description="every question right in every run")

    @property
    def failures(self) -> list[tuple[int, Result]]:
        """What was not right, with the number of its run, from 1."""
        return [(n, result) for n, run in enumerate(self.runs, 1) for result in run.results if not result.right]


def smoke(brain: Brain, suite: Suite, *, scope: Scope, runs: int = RUNS, asking: Asking | None = None) -> Smoke:
    """Ask *suite* *runs* times over, each on a new read-only connection so that nothing of one run helps the next.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    started, done = perf_counter(), []
    for _ in range(runs):
        with brain.reader() as reader:
            done.append(evaluate(reader, suite, scope=scope, asking=asking))
    passed = bool(done) and all(result.right for run in done for result in run.results)
    return Smoke(suite=suite.name, runs=tuple(done), seconds=round(perf_counter() - started, 3), passed=passed)

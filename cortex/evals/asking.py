"""Put a suite's questions to a brain: once, or as the smoke gate does, which is shut unless all are right each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Final

from pydantic import Field

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.errors import EmptyQuestion
from cortex.evals.cases import Case, Suite
from cortex.evals.scoring import Rate, Verdict, counted, judge, percentile
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Citation, Hit, Scope, Value

Asking = Callable[[Brain, str], Answer]


class Retrieved(Value):
    """A row that search found for a question, in short."""

    ref: str
    record: str
    title: str
    source: str


class Result(Value):
    """A case, the answer it got, and whether that is right."""

    case: Case
    answer: Answer
    verdict: Verdict
    problems: tuple[str, ...]
    retrieved: tuple[Retrieved, ...] = Field((), description="what search finds, best first; only where not right")

    @property
    def right(self) -> bool:
        """Whether it is."""
        return self.verdict == "right"

    @property
    def ms(self) -> float:
        """How long the answer took."""
        return float(self.answer.timings_ms.get("total", 0.0))


class Evaluation(Value):
    """What a suite's questions got, once each."""

    suite: str
    results: tuple[Result, ...]
    categories: Mapping[str, Rate]
    ms_p50: float | None
    ms_p95: float | None

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(result.right for result in self.results)


def evaluate(
    brain: Brain,
    suite: Suite,
    *,
    scope: Scope,
    asking: Asking | None = None,
    progress: Callable[[str, int, int | None], None] = lambda *_: None,
) -> Evaluation:
    """Ask *brain* every question of *suite* and judge the answers.

    Args:
        asking: what answers; by default `cortex ask`.
    """
    answered = asking or (lambda brain, text: ask(brain, text, scope=scope))
    results = []
    for case in suite.cases:
        answer = answered(brain, case.question)
        judged = judge(suite, case, answer)
        nearest = () if judged.verdict == "right" else retrieve(brain, case.question, scope=scope)
        results.append(Result(case=case, answer=answer, retrieved=nearest, **dict(judged)))
        progress(f"asking {suite.name}", 1, len(suite.cases))
    return summed(suite, results)


def summed(suite: Suite, results: list[Result]) -> Evaluation:
    """*results* with their rates and times."""
    times = [result.ms for result in results]
    categories = counted((one.case.category, one.right) for one in results)
    p50, p95 = (percentile(times, share) for share in (0.5, 0.95))
    return Evaluation(suite=suite.name, results=tuple(results), categories=categories, ms_p50=p50, ms_p95=p95)


def retrieve(brain: Brain, question: str, *, scope: Scope, limit: int = 10) -> tuple[Retrieved, ...]:
    """The rows that search finds for *question*, best first; none when it has no word in it."""
    try:
        return tuple(_shortened(one, one.ref) for one in search(brain, question, scope=scope, limit=limit))
    except EmptyQuestion:
        return ()


def cited_by(answer: Answer) -> tuple[Retrieved, ...]:
    """The rows that *answer* cites, in short."""
    return tuple(_shortened(one, one.handle) for one in answer.citations)


def _shortened(found: Hit | Citation, ref: str) -> Retrieved:
    return Retrieved(ref=ref, record=found.record.ref, title=found.record.title, source=found.source)


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
    """Ask *suite* *runs* times over, each on a new read-only connection so that nothing of one run helps the next."""
    started, done = perf_counter(), []
    for _ in range(runs):
        with brain.reader() as reader:
            done.append(evaluate(reader, suite, scope=scope, asking=asking))
    passed = bool(done) and all(result.right for run in done for result in run.results)
    return Smoke(suite=suite.name, runs=tuple(done), seconds=round(perf_counter() - started, 3), passed=passed)

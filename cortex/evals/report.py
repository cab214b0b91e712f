"""The history of evals as values: suites with their runs, and the regressions with the commits that brought them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from pydantic import Field

from cortex.evals.cases import Case
from cortex.evals.gate import FLOOR
from cortex.evals.history import Kept, Outcome, Run, answer_of, case_of, runs
from cortex.evals.ledger import Ledger
from cortex.substrate.model import Share, Value


class Regression(Value):
    """A category that a run left lower than the run before it."""

    run: int
    at: datetime
    commit: str
    category: str
    before: Share
    after: Share
    cases: tuple[str, ...] = Field(description="right before and not right after")


class CaseHistory(Value):
    """One case over all runs of its suite."""

    case: Case = Field(description="as it was last asked")
    latest: Outcome
    answer: Kept = Field(description="the latest")
    earlier: tuple[tuple[int, Kept], ...] = Field(description="other answers, the latest first, with their last run")
    right: int
    asked: int


class SuiteHistory(Value):
    """Every run of one suite, the oldest first."""

    suite: str
    floor: Share
    runs: tuple[Run, ...]
    regressions: tuple[Regression, ...] = Field(description="the latest first")
    cases: tuple[CaseHistory, ...] = Field(description="in the order of the latest run")


class Report(Value):
    """The history of every suite, the one that ran last first."""

    at: datetime
    suites: tuple[SuiteHistory, ...]


EARLIER = 3


def report(ledger: Ledger, *, now: datetime, suite: str | None = None, floor: float = FLOOR) -> Report:
    """Everything that *ledger* holds of evals, or of one *suite*."""
    by_suite: dict[str, list[Run]] = {}
    for run in runs(ledger, suite=suite):
        by_suite.setdefault(run.suite, []).append(run)
    histories = [_history(ledger, name, found, floor) for name, found in by_suite.items()]
    return Report(at=now, suites=tuple(sorted(histories, key=lambda one: one.runs[-1].at, reverse=True)))


def regressions(found: Sequence[Run]) -> list[Regression]:
    """Where a category fell from one of the runs to the next, the latest first."""
    fallen = []
    for was, run in pairwise(found):
        right = {one.case_id for one in was.outcomes if one.verdict == "right"}
        before = was.categories
        for category, rate in run.categories.items():
            if category in before and rate.share < before[category].share:
                lost = [one.case_id for one in run.outcomes if _is_lost(one, category, right)]
                fallen.append(
                    Regression(
                        run=run.id, at=run.at, commit=run.commit, category=category, before=before[category].share,
                        after=rate.share, cases=tuple(lost),
                    )
                )  # fmt: skip
    return fallen[::-1]


def _is_lost(one: Outcome, category: str, right: Iterable[str]) -> bool:
    return one.category == category and one.verdict != "right" and one.case_id in right


def _history(ledger: Ledger, name: str, found: Sequence[Run], floor: float) -> SuiteHistory:
    by_case: dict[str, list[tuple[int, Outcome]]] = {}
    for run in found:
        for outcome in run.outcomes:
            by_case.setdefault(outcome.case_id, []).append((run.id, outcome))
    latest = [outcome.case_id for outcome in found[-1].outcomes]
    return SuiteHistory(
        suite=name,
        floor=floor,
        runs=tuple(found),
        regressions=tuple(regressions(found)),
        cases=tuple(_case_history(ledger, by_case[case_id]) for case_id in latest),
    )


def _case_history(ledger: Ledger, asked: Sequence[tuple[int, Outcome]]) -> CaseHistory:
    _, latest = asked[-1]
    others: Mapping[int, int] = {
        outcome.answer_text: run for run, outcome in asked if outcome.answer_text != latest.answer_text
    }
    recent = sorted(others.items(), key=lambda pair: -pair[1])[:EARLIER]
    return CaseHistory(
        case=case_of(ledger, latest.case_text),
        latest=latest,
        answer=answer_of(ledger, latest.answer_text),
        earlier=tuple((run, answer_of(ledger, text)) for text, run in recent),
        right=sum(outcome.verdict == "right" for _, outcome in asked),
        asked=len(asked),
    )

"""History: every run of an eval, when and at which commit, by category and by case, and what fell from run to run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field

from cortex.evals.asking import Evaluation, Result, Smoke
from cortex.evals.gate import FLOOR
from cortex.evals.scoring import Rate, counted
from cortex.substrate.ledger import Ledger, put_run, results_of_runs, runs_of_suite
from cortex.substrate.model import Answer, Share, Value
from cortex.substrate.sources import timestamp
from cortex.substrate.status import Size

Command = Literal["eval", "smoke"]
_Verdicts = Mapping[str, tuple[str, bool]]  # category and whether it was right, by case


class Run(Value):
    """One run of a suite."""

    run: int
    command: Command
    at: datetime
    commit: str = Field(description="'+' at its end for changes on top; '' outside of a repository")
    version: str
    size: Size
    right: int
    total: int
    passed: bool
    ms_p50: float | None
    ms_p95: float | None
    categories: dict[str, Rate] = Field(description="in the order of the suite")


class Regression(Value):
    """A category that a run left lower than the run before it."""

    run: int
    at: datetime
    commit: str
    category: str
    before: Share
    after: Share
    cases: tuple[str, ...] = Field(description="right before and not right after")


class SuiteHistory(Value):
    """One suite and its runs, the oldest first."""

    suite: str
    floor: Share = Field(FLOOR, description="share of each category that has to be right")
    runs: tuple[Run, ...]
    regressions: tuple[Regression, ...] = Field(description="where a category fell, the latest first")


def worst(smoke: Smoke) -> Evaluation:
    """The runs of a smoke gate as one: each case as it was when it was not right, else as it was first."""
    by_case = zip(*(run.results for run in smoke.runs), strict=True)
    chosen = [next((one for one in results if not one.right), results[0]) for results in by_case]
    rates = counted((one.case.category, one.right) for one in chosen)
    return smoke.runs[0].model_copy(update={"results": tuple(chosen), "categories": rates})


def keep(
    ledger: Ledger, done: Evaluation, *, command: Command, passed: bool, size: Size, commit: str, version: str,
    now: datetime,
) -> int:  # fmt: skip
    """Add a run to the history; its number."""
    run = {
        "command": command, "suite": done.suite, "at": timestamp(now), "commit_": commit, "version": version,
        **size.model_dump(), "right": done.right, "total": len(done.results), "passed": passed,
        "ms_p50": done.ms_p50, "ms_p95": done.ms_p95,
    }  # fmt: skip
    return put_run(ledger, run, map(_row, done.results))


def _row(result: Result) -> dict[str, Any]:
    return {
        "case_id": result.case.id, "category": result.case.category, "ms": result.ms, "verdict": result.verdict,
        "case_text": _text(result.case.model_dump(mode="json")), "answer_text": _text(_said(result.answer)),
        "problems": json.dumps(result.problems, ensure_ascii=False),
    }  # fmt: skip


def _said(answer: Answer) -> dict[str, Any]:
    cited = [
        {"handle": one.handle, "source": one.source, "excerpt": one.excerpt}
        | one.record.model_dump(mode="json", include={"ref", "title", "url"})
        for one in answer.citations
    ]
    return answer.model_dump(mode="json", include={"answer", "refused", "composer"}) | {"citations": cited}


def _text(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def histories(ledger: Ledger, *, suite: str | None = None) -> list[SuiteHistory]:
    """Every run of *suite*, or of each, the suite that ran last first."""
    verdicts: dict[int, dict[str, tuple[str, bool]]] = {}
    for run, case, category, verdict in results_of_runs(ledger, suite=suite):
        verdicts.setdefault(run, {})[case] = category, verdict == "right"
    by_suite: dict[str, list[Run]] = {}
    for row in runs_of_suite(ledger, suite=suite):
        size = Size(**{name: row.pop(name) for name in Size.model_fields})
        found = by_suite.setdefault(row.pop("suite"), [])
        found.append(Run(**row, size=size, categories=counted(verdicts.get(row["run"], {}).values())))
    histories = [
        SuiteHistory(suite=name, runs=tuple(found), regressions=tuple(_regressions(found, verdicts)))
        for name, found in by_suite.items()
    ]
    return sorted(histories, key=lambda one: one.runs[-1].at, reverse=True)


def _regressions(found: Sequence[Run], verdicts: Mapping[int, _Verdicts]) -> list[Regression]:
    """Where a category fell from one of the runs to the next, the latest first."""
    return [
        Regression(
            run=run.run, at=run.at, commit=run.commit, category=category, before=was.categories[category].share,
            after=rate.share, cases=tuple(_lost(verdicts[was.run], verdicts[run.run], category)),
        )
        for was, run in pairwise(found)
        for category, rate in run.categories.items()
        if category in was.categories and rate.share < was.categories[category].share
    ][::-1]  # fmt: skip


def _lost(before: _Verdicts, after: _Verdicts, category: str) -> list[str]:
    return [
        case for case, verdict in after.items() if verdict == (category, False) and before.get(case, ("", False))[1]
    ]

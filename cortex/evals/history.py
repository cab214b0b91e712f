"""History: every run of an eval, when and at which commit, by category and by case."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from cortex.evals.asking import Evaluation, Result, Smoke
from cortex.evals.cases import Case
from cortex.evals.ledger import Ledger, sql
from cortex.evals.scoring import Rate, Verdict
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Value
from cortex.substrate.sources import timestamp

Command = Literal["eval", "smoke"]


class Size(Value):
    """How much a brain held."""

    records: int
    facts: int
    bytes: int


class Outcome(Value):
    """What one case came to in one run; its texts are kept apart, for most runs share them."""

    case_id: str
    category: str
    verdict: Verdict
    ms: float
    cost_usd: float
    problems: tuple[str, ...]
    case_text: int
    answer_text: int


class Run(Value):
    """One run of a suite."""

    id: int
    command: Command
    suite: str
    at: datetime
    commit: str = Field(description="'+' at its end for changes on top; '' outside of a repository")
    version: str
    size: Size
    right: int
    total: int
    passed: bool
    ms_p50: float | None
    ms_p95: float | None
    cost_usd: float
    outcomes: tuple[Outcome, ...]

    @property
    def categories(self) -> dict[str, Rate]:
        """How many of each category were right, in the order of the suite."""
        found: dict[str, Rate] = {}
        for one in self.outcomes:
            rate = found.get(one.category, Rate(right=0, total=0))
            found[one.category] = Rate(right=rate.right + (one.verdict == "right"), total=rate.total + 1)
        return found


class Kept(Value):
    """An answer as the history has it."""

    answer: str
    refused: bool
    composer: str
    citations: tuple[Mapping[str, Any], ...] = Field(description="handle, source, ref, title, url and excerpt of each")


def size_of(brain: Brain) -> Size:
    """How much *brain* holds now."""
    (records,) = brain.db.execute("select count(*) from records where gone_at is null").fetchone()
    (facts,) = brain.db.execute("select count(*) from facts").fetchone()
    (pages,) = brain.db.execute("pragma page_count").fetchone()
    (page,) = brain.db.execute("pragma page_size").fetchone()
    return Size(records=records, facts=facts, bytes=pages * page)


def worst(smoke: Smoke) -> Evaluation:
    """The runs of a smoke gate as one: each case as it was when it was not right, else as it was first."""
    by_case = zip(*(run.results for run in smoke.runs), strict=True)
    chosen = [next((one for one in results if not one.right), results[0]) for results in by_case]
    first = smoke.runs[0]
    rates: dict[str, Rate] = {}
    for one in chosen:
        rate = rates.get(one.case.category, Rate(right=0, total=0))
        rates[one.case.category] = Rate(right=rate.right + one.right, total=rate.total + 1)
    return first.model_copy(update={"results": tuple(chosen), "categories": rates})


def keep(
    ledger: Ledger, done: Evaluation, *, command: Command, passed: bool, size: Size, commit: str, version: str,
    now: datetime,
) -> int:  # fmt: skip
    """Add a run to the history; its number."""
    with ledger.transaction() as db:
        cursor = db.execute(
            sql("keep_run"),
            {
                "command": command, "suite": done.suite, "at": timestamp(now), "commit_": commit, "version": version,
                **size.model_dump(), "right": done.right, "total": len(done.results), "passed": passed,
                "ms_p50": done.ms_p50, "ms_p95": done.ms_p95, "cost_usd": done.cost_usd,
            },
        )  # fmt: skip
        run = int(cursor.lastrowid or 0)
        db.executemany(sql("keep_result"), [_row(db, run, place, one) for place, one in enumerate(done.results)])
    return run


def _row(db: sqlite3.Connection, run: int, place: int, result: Result) -> dict[str, Any]:
    return {
        "run_id": run, "place": place, "case_id": result.case.id, "category": result.case.category,
        "case_text": _text(db, result.case.model_dump(mode="json")),
        "answer_text": _text(db, _kept(result.answer).model_dump(mode="json")),
        "verdict": result.verdict, "problems": json.dumps(result.problems, ensure_ascii=False), "ms": result.ms,
        "cost_usd": result.cost_usd,
    }  # fmt: skip


def _kept(answer: Answer) -> Kept:
    cited = [
        {
            "handle": one.handle, "source": one.source, "ref": one.record.ref, "title": one.record.title,
            "url": one.record.url, "excerpt": one.excerpt,
        }
        for one in answer.citations
    ]  # fmt: skip
    return Kept(answer=answer.answer, refused=answer.refused, composer=answer.composer, citations=tuple(cited))


def _text(db: sqlite3.Connection, content: Mapping[str, Any]) -> int:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    db.execute("insert into eval_texts (digest, content) values (?, ?) on conflict do nothing", (digest, text))
    (found,) = db.execute("select id from eval_texts where digest = ?", (digest,)).fetchone()
    return int(found)


def runs(ledger: Ledger, *, suite: str | None = None) -> list[Run]:
    """Every run of *suite*, or of all, the oldest first."""
    outcomes: dict[int, list[Outcome]] = {}
    for run_id, *row in ledger.db.execute(sql("results_of_runs"), {"suite": suite}):
        case_id, category, verdict, ms, cost, problems, case_text, answer_text = row
        outcomes.setdefault(run_id, []).append(
            Outcome.model_construct(
                case_id=case_id, category=category, verdict=verdict, ms=ms, cost_usd=cost,
                problems=tuple(json.loads(problems)), case_text=case_text, answer_text=answer_text,
            )
        )  # fmt: skip
    return [_run(row, outcomes) for row in ledger.db.execute(sql("runs_of_suite"), {"suite": suite})]


def _run(row: Sequence[Any], outcomes: Mapping[int, list[Outcome]]) -> Run:
    id_, command, suite, at, commit, version, records, facts, size, right, total, passed, p50, p95, cost = row
    return Run(
        id=id_, command=command, suite=suite, at=at, commit=commit, version=version,
        size=Size(records=records, facts=facts, bytes=size), right=right, total=total, passed=bool(passed),
        ms_p50=p50, ms_p95=p95, cost_usd=cost, outcomes=tuple(outcomes.get(id_, ())),
    )  # fmt: skip


def case_of(ledger: Ledger, text: int) -> Case:
    """The case kept as *text*."""
    return Case.model_validate_json(_content(ledger, text))


def answer_of(ledger: Ledger, text: int) -> Kept:
    """The answer kept as *text*."""
    return Kept.model_validate_json(_content(ledger, text))


def _content(ledger: Ledger, text: int) -> str:
    (content,) = ledger.db.execute("select content from eval_texts where id = ?", (text,)).fetchone()
    return str(content)

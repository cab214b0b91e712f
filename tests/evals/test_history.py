"""Every run is kept beside the brain and shown as it went: rates, what fell and at which commit."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cortex.errors import BrainTooNew, NotABrain
from cortex.evals.asking import Result, summed
from cortex.evals.cases import Case, Suite
from cortex.evals.history import histories, keep
from cortex.evals.scoring import Verdict
from cortex.substrate.ledger import Ledger, ledger_path, open_ledger
from cortex.substrate.model import REFUSAL, Answer
from cortex.substrate.status import Size
from tests.brains import forget, open_file
from tests.surfaces.conftest import Ran
from tests.trees import GIT_IDENTITY

Cortex = Callable[..., Ran]
START = datetime(2026, 1, 1, tzinfo=UTC)
NASTY = "</script><script>alert(1)</script><b>&amp;"
CASES = {
    name: Case(id=name, category=name[:-1], question=f"What of {name}? {NASTY}", cites=("issue:1",), must=(NASTY,))
    for name in ("a1", "a2", "b1")
}
SUITE = Suite(name="cases.yaml", rubric="cases", cases=tuple(CASES.values()))


def ran(ledger: Ledger, day: int, commit: str, *, text: str = "", **verdicts: Verdict) -> int:
    results = [
        Result(
            case=CASES[name],
            verdict=verdict,
            problems=() if verdict == "right" else (f"does not say {NASTY!r}",),
            answer=Answer.model_validate(
                {"question": "q", "class": "A", "answer": REFUSAL, "refused": True, "composer": "x" + text}
                | {"timings_ms": {"total": 10.0 * day + 1}}
            ),
        )
        for name, verdict in verdicts.items()
    ]
    return keep(
        ledger, summed(SUITE, results), command="eval", passed=False, size=Size(records=9, facts=8, bytes=7),
        commit=commit, version="0", now=START + timedelta(days=day),
    )  # fmt: skip


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(tmp_path / "brain.evals.db")


def test_a_run_is_kept_with_when_where_and_what(ledger: Ledger) -> None:
    ran(ledger, 1, "abc", a1="right", a2="wrong", b1="right")
    ((run,),) = (one.runs for one in histories(ledger))
    assert (run.at, run.commit, run.size.records, run.right, run.total) == (START + timedelta(days=1), "abc", 9, 2, 3)
    assert {name: rate.share for name, rate in run.categories.items()} == {"a": 0.5, "b": 1.0}
    assert run.ms_p50 == 11.0


def test_texts_that_do_not_change_are_kept_once(ledger: Ledger) -> None:
    for day in range(20):
        ran(ledger, day, "abc", a1="right", a2="wrong", b1="right")
    (texts,) = ledger.db.execute("select count(*) from eval_texts").fetchone()
    assert texts == len(CASES) + 1


def test_a_regression_carries_the_commit_that_brought_it(ledger: Ledger) -> None:
    ran(ledger, 1, "good", a1="right", a2="right", b1="right")
    ran(ledger, 2, "breaks", a1="right", a2="wrong", b1="right")
    ran(ledger, 3, "still", a1="right", a2="wrong", b1="right")
    ran(ledger, 4, "mends", a1="right", a2="right", b1="right")
    (history,) = histories(ledger)
    (fell,) = history.regressions
    assert (fell.commit, fell.category, fell.before, fell.after, fell.cases) == ("breaks", "a", 1.0, 0.5, ("a2",))


def test_commands_keep_their_runs_and_the_report_shows_them(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    monkeypatch.chdir(repository)
    for command in (["init", "-q"], ["commit", "-qm", "x", "--allow-empty"]):
        subprocess.run(["git", *GIT_IDENTITY, *command], check=True)
    head = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
    assert cortex("eval", "report").out == "No eval has run yet; run one with: cortex eval\n"
    cortex("smoke", "--demo", "--runs", "1")
    cortex("eval", "--demo", "-q")
    ran = cortex("eval", "report", "--json")
    suites = {suite["suite"]: suite["runs"][0] for suite in ran.json["suites"]}
    assert {name: run["total"] for name, run in suites.items()} == {"smoke.yaml (demo)": 7, "demo.yaml (demo)": 30}
    assert {run["commit"] for run in suites.values()} == {head.stdout.strip()}
    assert "smoke.yaml" in cortex("eval", "report").out
    assert "demo.yaml" not in cortex("eval", "report", "--suite", "smoke.yaml (demo)").out


def test_the_history_survives_the_brain(cortex: Cortex, brain: Path) -> None:
    cortex("smoke", "--demo", "--runs", "1")
    forget(brain)
    assert len(cortex("eval", "report", "--json").json["suites"]) == 1


def test_a_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    path = ledger_path(tmp_path / "brain.db")
    open_ledger(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path) -> None:
    open_file(brain := tmp_path / "another.db").close()
    before = brain.read_bytes()
    with pytest.raises(NotABrain):
        open_ledger(brain)
    assert brain.read_bytes() == before
    with open_ledger(tmp_path / "later.evals.db") as ledger:
        ledger.db.execute("pragma user_version = 99")
    with pytest.raises(BrainTooNew):
        open_ledger(tmp_path / "later.evals.db")


def test_a_verdict_stands_where_it_cannot_be_kept(cortex: Cortex, brain: Path) -> None:
    ledger_path(brain).write_bytes(b"no database at all, just words, and more of them " * 99)
    ran = cortex("smoke", "--demo", "--runs", "1")
    assert ran.code == 0
    assert "this run is not kept in the history: " in ran.err

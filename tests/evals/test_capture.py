"""Capture is off until it is switched on, keeps no secret, forgets in time; replay shows what changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.evals import capture as capturing
from cortex.evals.capture import usage
from cortex.substrate.brain import open_brain
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.model import REFUSAL, Scope
from cortex.surfaces.journaling import journal_folder
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
NOW = datetime(2026, 9, 1, tzinfo=UTC)
OWNER = "Who owns the eval harness?"
GATE = "What is the regression gate of the eval harness, per category?"
COST = "How much does the team plan cost per seat?"
TOKEN = "ghp_" + "aB3x7QmZ9k" * 4
pytestmark = pytest.mark.usefixtures("brain")


def kept(cortex: Cortex) -> list[dict[str, object]]:
    found: list[dict[str, object]] = cortex("capture", "list", "--json").json["captured"]
    return found


def test_nothing_is_kept_until_somebody_says_so(cortex: Cortex, brain: Path) -> None:
    cortex("ask", OWNER)
    assert not ledger_path(brain).exists()
    assert kept(cortex) == []
    cortex("ask", OWNER)
    assert kept(cortex) == []
    assert cortex("capture", "status").out.startswith("Capture is off")


def test_a_question_is_kept_with_its_rows_answer_and_times(cortex: Cortex) -> None:
    cortex("capture", "on")
    answer = cortex("ask", OWNER, "--json").json
    (one,) = kept(cortex)
    assert (one["question"], one["answer"], one["composer"]) == (OWNER, answer["answer"], "extractive")
    assert one["timings_ms"] == answer["timings_ms"]
    cited = [citation["record"]["ref"] for citation in answer["citations"]]
    assert [row["record"] for row in one["citations"]] == cited  # type: ignore[attr-defined]
    assert set(cited) <= {row["record"] for row in one["retrieved"]}  # type: ignore[attr-defined]


def test_switching_it_off_keeps_what_there_is_and_adds_nothing(cortex: Cortex) -> None:
    cortex("capture", "on")
    cortex("ask", OWNER)
    cortex("capture", "off")
    cortex("ask", GATE)
    assert [one["question"] for one in kept(cortex)] == [OWNER]
    assert cortex("capture", "forget").out == "Forgot 1 question.\n"
    assert kept(cortex) == []


def test_a_batch_is_not_captured(cortex: Cortex) -> None:
    cortex("capture", "on")
    cortex("ask", "--batch", "-", stdin=json.dumps({"id": 1, "question": OWNER}))
    assert kept(cortex) == []


def test_no_secret_reaches_the_file(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on")
    cortex("ask", f"Who owns the eval harness, token {TOKEN}?")
    cortex("feedback", "--useful", "no", "--note", f"I used {TOKEN}")
    assert kept(cortex)[0]["question"] == "Who owns the eval harness, token [REDACTED:github-token]?"
    files = brain.parent.glob("*.evals.db*")
    assert not any(TOKEN.encode() in path.read_bytes() for path in files)


def test_questions_are_forgotten_when_they_are_too_old(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on", "--days", "30")
    cortex("ask", OWNER)
    with open_ledger(ledger_path(brain)) as ledger, open_brain(brain, read_only=True) as opened:
        answer = ask(opened, GATE, scope=Scope())
        later = datetime.now(UTC) + timedelta(days=31)
        capturing.capture(ledger, answer, retrieved=(), scope=Scope(), now=later)
        assert [one.question for one in capturing.captured(ledger)] == [GATE]


def test_feedback_is_for_the_last_answer_or_the_one_of_that_number(cortex: Cortex) -> None:
    cortex("capture", "on")
    cortex("ask", OWNER)
    cortex("ask", GATE)
    assert cortex("feedback", "--useful", "yes").out == "Kept for question 2: useful, yes.\n"
    cortex("feedback", "--useful", "no", "--note", "too long", "1")
    assert [(one["useful"], one["note"]) for one in kept(cortex)] == [(True, ""), (False, "too long")]
    assert "1 found useful, 1 not" in cortex("capture", "status").out


def test_what_was_said_of_an_answer_outlives_the_ledger_and_goes_when_it_is_to_be_forgotten(
    cortex: Cortex, brain: Path
) -> None:
    cortex("capture", "on")
    cortex("ask", OWNER)
    cortex("ask", GATE)
    cortex("feedback", "--useful", "no", "--note", f"I used {TOKEN}", "1")
    cortex("feedback", "--useful", "yes", "1")
    file = journal_folder(brain) / "feedback.jsonl"
    assert (file.stat().st_mode & 0o777, len(file.read_text().splitlines())) == (0o600, 1)
    assert TOKEN not in file.read_text()
    for path in brain.parent.glob(f"{brain.stem}.evals.db*"):
        path.unlink()
    (one,) = kept(cortex)
    assert (one["question"], one["useful"], one["note"]) == (OWNER, True, "")
    assert kept(cortex) == [one]
    cortex("capture", "forget")
    assert not file.exists()
    assert kept(cortex) == []


def test_feedback_on_nothing_is_a_wrong_use(cortex: Cortex) -> None:
    ran = cortex("feedback", "--useful", "yes")
    assert (ran.code, ran.complaint.partition(";")[0]) == (2, "cortex: no question is kept yet")
    assert cortex("feedback", "--useful", "yes", "7").complaint.startswith("cortex: no question 7 is kept")


def test_an_answer_is_given_even_where_it_cannot_be_kept(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on")
    ledger_path(brain).write_bytes(b"no database at all, just words, and more of them " * 99)
    ran = cortex("ask", OWNER)
    assert ran.code == 0
    assert "pravnkilde" in ran.out
    assert "the question was not captured: " in ran.err


def test_a_replay_shows_a_real_difference(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on")
    for question in (OWNER, GATE, COST):
        cortex("ask", question)
    cortex("feedback", "--useful", "yes", "2")
    assert cortex("eval", "replay", "--json").json["changes"] == {"same": 3}
    with open_brain(brain) as opened:
        opened.db.execute("delete from records where body like '%70 \\%%' escape '\\'")
    ran = cortex("eval", "replay", "--json")
    (changed,) = [one for one in ran.json["questions"] if one["change"] != "same"]
    assert (changed["question"], changed["useful"]) == (GATE, True)
    assert "70 %" in changed["before"]
    assert "doc:docs/eval-harness.md#regression-gate" in changed["dropped"]
    shown = cortex("eval", "replay", COLUMNS="100").out
    assert "before" in shown
    assert "after" in shown
    assert shown.endswith("3 questions replayed: 2 same, 1 " + changed["change"] + "\n")
    assert max(map(len, shown.splitlines())) <= 100


def test_a_replay_tells_refusals_that_began_or_ended(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on")
    cortex("ask", OWNER)
    cortex("ask", COST)
    with open_ledger(ledger_path(brain)) as ledger:
        ledger.db.execute("update captures set refused = 0, answer = 'Ten.' where refused = 1")
        ledger.db.execute("update captures set refused = 1, answer = ? where id = 1", (REFUSAL,))
    assert cortex("eval", "replay", "--json").json["changes"] == {"now refused": 1, "now answered": 1}


def test_a_source_that_is_gone_fails_its_question_alone(cortex: Cortex, brain: Path) -> None:
    cortex("capture", "on")
    cortex("ask", OWNER, "--source", "o8-labs/o8")
    cortex("ask", OWNER)
    with open_ledger(ledger_path(brain)) as ledger:
        ledger.db.execute("""update captures set sources = '["gone"]' where id = 1""")
    replayed = cortex("eval", "replay", "--json").json
    assert replayed["changes"] == {"same": 1, "failed": 1}
    assert "no source 'gone' here" in replayed["questions"][1]["after"]


def test_status_tells_what_is_cited_most(cortex: Cortex) -> None:
    assert "use" not in cortex("status").out.splitlines()
    cortex("capture", "on")
    for _ in range(3):
        cortex("ask", OWNER)
    shown = cortex("status").out
    assert "3×  ownership:.github/CODEOWNERS#5" in shown
    assert cortex("status", "--json").json["usage"]["most_cited"][0]["cited"] == 3


def test_what_no_question_found_is_told_after_half_a_year(brain: Path) -> None:
    with open_ledger(ledger_path(brain)) as ledger, open_brain(brain, read_only=True) as opened:
        capturing.switch(ledger, on=True, now=NOW)
        answer = ask(opened, OWNER, scope=Scope())
        assert usage(ledger, opened, now=NOW + timedelta(days=179)).never_retrieved is None
        capturing.capture(ledger, answer, retrieved=(), scope=Scope(), now=NOW + timedelta(days=20))
        found = usage(ledger, opened, now=NOW + timedelta(days=181))
        assert found.never_retrieved == found.records - len({one.record.ref for one in answer.citations})
        assert usage(ledger, opened, now=NOW + timedelta(days=201)).never_retrieved == found.records

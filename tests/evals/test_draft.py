"""Cases drafted from a brain and from good answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.evals.cases import load_suite
from tests.brains import open_new
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
SIX = ["ownership", "decisions", "processes", "incidents", "specs", "cross-repo"]
OWNER = "Who owns the eval harness?"
COST = "How much does the team plan cost per seat?"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, brain: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert brain.is_file()
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_draft_asks_once_a_category_and_passes_its_own_gate(cortex: Cortex, project: Path) -> None:
    drafted = cortex("smoke", "init", "--json").json["drafted"]
    assert [one["case"]["category"] for one in drafted] == SIX
    suite = load_suite(project / "evals" / "smoke.yaml")
    assert all(case.must and case.cites for case in suite.cases)
    assert cortex("smoke", "--json").json["passed"] is all(one["right"] for one in drafted)
    assert sum(one["right"] for one in drafted) >= 5


def test_a_draft_overwrites_nothing(cortex: Cortex, project: Path) -> None:
    cortex("smoke", "init")
    before = (project / "evals" / "smoke.yaml").read_bytes()
    ran = cortex("smoke", "init")
    assert (ran.code, (project / "evals" / "smoke.yaml").read_bytes()) == (2, before)
    assert "is there already" in ran.complaint


def test_a_brain_without_facts_drafts_nothing(cortex: Cortex, brain: Path, project: Path) -> None:
    with open_new(brain) as opened:
        opened.db.execute("delete from facts")
    assert cortex("smoke", "init").code == 1
    assert not (project / "evals").exists()


def test_a_category_without_facts_is_named(cortex: Cortex, brain: Path) -> None:
    with open_new(brain) as opened:
        opened.db.execute("delete from facts where kind = 'cross_repo'")
    assert "Nothing to ask about cross-repo" in cortex("smoke", "init").out


def test_later_answers_are_held_to_a_good_one(cortex: Cortex, brain: Path, project: Path) -> None:
    cortex("eval", "add", OWNER, "--category", "ownership", "--must", "pravnkilde")
    cortex("eval", "add", COST, "--unanswerable")
    suite = load_suite(project / "evals" / "cases.yaml")
    assert [(case.id, case.answerable) for case in suite.cases] == [("ownership-1", True), ("golden-1", False)]
    assert suite.cases[0].must == ("pravnkilde",)
    assert cortex("eval", "-q").code == 0
    with open_new(brain) as opened:
        opened.db.execute("delete from records where body like '%pravnkilde%'")
    assert cortex("eval", "-q").code == 1


def test_what_stands_in_a_file_of_cases_stays(cortex: Cortex, project: Path) -> None:
    cortex("eval", "add", OWNER)
    path = project / "evals" / "cases.yaml"
    path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
    before = path.read_text("utf-8")
    cortex("eval", "add", OWNER)
    assert path.read_text("utf-8").startswith(before)
    assert [case.id for case in load_suite(path).cases] == ["golden-1", "golden-2"]


@pytest.mark.parametrize("arguments", [[COST], [OWNER, "--unanswerable"]], ids=["refused", "answered"])
def test_an_answer_that_is_not_what_was_meant_is_not_added(cortex: Cortex, project: Path, arguments: list[str]) -> None:
    assert cortex("eval", "add", *arguments).code == 2
    assert not (project / "evals").exists()


def test_an_id_is_used_once(cortex: Cortex) -> None:
    cortex("eval", "add", OWNER, "--id", "x")
    assert "has a case 'x' already" in cortex("eval", "add", OWNER, "--id", "x").complaint

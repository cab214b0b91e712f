"""The gate is open on the demo project, and shut by whatever breaks: retrieval, the composer, the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from cortex.composer import pipeline as asking
from cortex.evals.asking import smoke
from cortex.evals.cases import load_suite
from cortex.substrate.address import is_database
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Answer, Scope
from tests.brains import forget, open_new
from tests.sources import ROOT
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
CASES = ROOT / "evals" / "smoke.yaml"
SIX = ("ownership", "decisions", "processes", "incidents", "specs", "cross-repo")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in that is no project."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def own(elsewhere: Path, brain: Path) -> Path:
    """A project with smoke cases of its own, and the brain it is asked of."""
    (elsewhere / "evals").mkdir()
    (elsewhere / "evals" / "smoke.yaml").write_text(CASES.read_text("utf-8"), "utf-8")
    return brain


@pytest.mark.usefixtures("elsewhere")
def test_out_of_the_box_the_demo_is_right_three_times(cortex: Cortex, tmp_path: Path) -> None:
    started = process_time()
    ran = cortex("smoke", "--demo", "--json")
    assert process_time() - started < 10  # and takes 0.9
    assert ran.code == 0
    assert ran.json["passed"]
    for run in ran.json["runs"]:
        assert {name: run["categories"][name] for name in SIX} == {name: {"right": 1, "total": 1} for name in SIX}
    assert len(ran.json["runs"]) == 3
    assert not (tmp_path / "brain.db").exists()


def test_a_project_with_cases_of_its_own_is_asked_in_its_own_brain(cortex: Cortex, own: Path) -> None:
    with open_new(own) as brain:
        brain.db.execute("delete from facts")
        brain.db.execute("delete from records")
    assert cortex("smoke", "--runs", "1").code == 1
    assert cortex("smoke", "--demo", "--runs", "1").code == 0


def test_the_gate_does_not_fall_back_to_the_demo_when_the_brain_is_missing(cortex: Cortex, own: Path) -> None:
    forget(own)
    ran = cortex("smoke")
    assert (ran.code, ran.out) == (3, "")
    assert "no brain at" in ran.complaint


def emptied(*statements: str) -> Callable[[Path, pytest.MonkeyPatch], None]:
    def breaking(path: Path, _: pytest.MonkeyPatch) -> None:
        with open_new(path) as brain:
            for statement in statements:
                brain.db.execute(statement)

    return breaking


def without_full_text(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_database = ("delete from postings", "update text_sizes set version = version + 1")
    of_file = (
        "insert into records_fts (records_fts) values ('delete-all')",
        "insert into facts_fts (facts_fts) values ('delete-all')",
    )
    emptied(*(of_database if is_database(path) else of_file))(path, monkeypatch)


def replaced(name: str, function: Callable[..., Any]) -> Callable[[Path, pytest.MonkeyPatch], None]:
    def breaking(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        actual = getattr(asking, name)
        monkeypatch.setattr(asking, name, lambda *args, **named: function(actual(*args, **named)))

    return breaking


BROKEN = {
    "index: full text is gone": without_full_text,
    "index: a record is gone": emptied("delete from records where ref = 'directive:seed-process.md#1'"),
    "index: a record changed": emptied("update records set body = upper(title) where ref = 'issue:1093'"),
    "retrieval: nothing is found": replaced("gather", lambda found: found._replace(candidates=[])),
    "retrieval: the best rows are lost": replaced(
        "gather", lambda found: found._replace(candidates=found.candidates[8:])
    ),
    "answer: nothing is extracted": replaced("extract", lambda _: ([], [])),
    "answer: the first statement is lost": replaced("extract", lambda found: (found[0][3:], found[1][3:])),
}


@pytest.mark.parametrize("breaking", BROKEN.values(), ids=BROKEN.keys())
def test_the_gate_shuts_when_something_breaks(
    cortex: Cortex, own: Path, monkeypatch: pytest.MonkeyPatch, breaking: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    breaking(own, monkeypatch)
    ran = cortex("smoke", "--runs", "1")
    assert ran.code == 1
    assert ran.out.splitlines()[-1].startswith("failed")
    for part in ("question", "problem", "expected", "answered", "retrieved", "every run"):
        assert part in ran.out


def test_while_nothing_is_broken_it_is_open(cortex: Cortex, own: Path) -> None:
    assert own.is_file()
    assert cortex("smoke", "--runs", "1").code == 0


def test_a_gate_that_shuts_says_why_as_json_too(cortex: Cortex, own: Path) -> None:
    with open_new(own) as brain:
        brain.db.execute("delete from records where ref = 'directive:seed-process.md#1'")
    broken = cortex("smoke", "--json").json
    assert not broken["passed"]
    assert len(broken["runs"]) == 3
    (wrong,) = [result for result in broken["runs"][2]["results"] if result["verdict"] != "right"]
    assert wrong["problems"]
    assert wrong["retrieved"]


def test_what_is_right_in_two_runs_of_three_is_not_right(demo_brain: Path) -> None:
    asked: Iterator[int] = iter(range(100))

    def fickle(brain: Any, text: str) -> Answer:  # noqa: ANN401
        there = next(asked) != 9
        return asking.ask(brain, text if there else "What is the colour of the moon?", scope=Scope())

    with open_brain(demo_brain, read_only=True) as brain:
        done = smoke(brain, load_suite(CASES), scope=Scope(), asking=fickle)
    assert not done.passed
    assert [(run, result.case.id) for run, result in done.failures] == [(2, "smoke-processes")]


def test_a_file_of_cases_that_is_none_costs_one_line(cortex: Cortex, tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text("- id: one\n")
    ran = cortex("smoke", tmp_path / "cases.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(f"cortex: {tmp_path}/cases.yaml:1: case 'one': category: is missing")


def test_a_brain_that_was_named_is_not_replaced_by_the_demo(
    cortex: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cortex("smoke")
    assert ran.code == 2
    assert "nothing to ask" in ran.complaint

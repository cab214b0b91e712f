"""The full eval: rates by category, and a gate that holds the floor, the last release and a base."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
RIGHT = """\
- id: own-{n}
  category: {category}
  question: Who owns the eval harness?
  must: [pravnkilde]
  cites: ["ownership:.github/CODEOWNERS#5", "doc:docs/eval-harness.md#ownership"]
"""
WRONG = """\
- id: own-{n}
  category: {category}
  question: Who owns the eval harness?
  must: [nobody at all]
  cites: [issue:1]
"""


@pytest.fixture
def cases(brain: Path) -> Callable[..., Path]:
    """Write a file with so many right and wrong cases a category, for the brain in the test's folder."""

    def write(name: str = "cases.yaml", **categories: tuple[int, int]) -> Path:
        items = [
            (RIGHT if n < right else WRONG).format(n=f"{category}-{n}", category=category)
            for category, (right, wrong) in categories.items()
            for n in range(right + wrong)
        ]
        path = brain.with_name(name)
        path.write_text("".join(items), "utf-8")
        return path

    return write


def test_the_gate_shuts_below_the_floor(cortex: Cortex, cases: Callable[..., Path]) -> None:
    path = cases(ownership=(3, 1), specs=(2, 1))
    ran = cortex("eval", path, "--json")
    assert ran.code == 1
    assert ran.json["categories"] == {"ownership": {"right": 3, "total": 4}, "specs": {"right": 2, "total": 3}}
    assert [(one["category"], one["why"]) for one in ran.json["shortfalls"]] == [("specs", "the floor")]
    assert cortex("eval", path, "--floor", "0.6").code == 0


def test_a_category_may_not_fall_below_its_last_release(cortex: Cortex, cases: Callable[..., Path]) -> None:
    path = cases(ownership=(4, 0), specs=(1, 0))
    assert cortex("eval", path, "--release").code == 0
    assert cortex("eval", path).code == 0
    cases(ownership=(3, 1), specs=(1, 0))
    ran = cortex("eval", path)
    assert ran.code == 1
    assert "ownership: 75%, below the last release of 100%" in ran.out


def test_a_release_that_falls_short_is_not_kept(cortex: Cortex, cases: Callable[..., Path]) -> None:
    path = cases(ownership=(1, 3))
    assert cortex("eval", path, "--release").code == 1
    assert not path.with_name("released.yaml").exists()


def test_deleting_the_cases_of_a_category_does_not_open_the_gate(cortex: Cortex, cases: Callable[..., Path]) -> None:
    path = cases(ownership=(2, 0), specs=(2, 0))
    cortex("eval", path, "--release")
    cases(ownership=(2, 0))
    ran = cortex("eval", path)
    assert ran.code == 1
    assert "specs: 0%, below the last release of 100%" in ran.out


def test_releases_of_several_suites_share_a_file(cortex: Cortex, cases: Callable[..., Path]) -> None:
    one, other = cases(ownership=(1, 0)), cases("other.yaml", specs=(4, 1))
    cortex("eval", one, "--release")
    cortex("eval", other, "--release")
    released = one.with_name("released.yaml").read_text("utf-8")
    assert released.endswith("cases.yaml:\n  ownership: 1.0\nother.yaml:\n  specs: 0.8\n")
    assert cortex("eval", one).code == cortex("eval", other).code == 0


@pytest.mark.parametrize("command", ["eval", "smoke"])
def test_a_change_is_held_to_what_its_base_reached(
    cortex: Cortex, cases: Callable[..., Path], tmp_path: Path, command: str
) -> None:
    path, base = cases(ownership=(4, 0)), tmp_path / "base.json"
    base.write_text(cortex(command, path, "--json").out)
    assert cortex("eval", path, "--against", base).code == 0
    cases(ownership=(3, 1))
    ran = cortex("eval", path, "--against", base)
    assert ran.code == 1
    assert "ownership: 75%, below the base of 100%" in ran.out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"categories": 3}', '{"categories": {"a": 1}}', '{"runs": []}'])
@pytest.mark.usefixtures("brain")
def test_a_base_that_is_none_is_a_wrong_use(
    cortex: Cortex, cases: Callable[..., Path], tmp_path: Path, text: str
) -> None:
    (tmp_path / "base.json").write_text(text)
    ran = cortex("eval", cases(ownership=(1, 0)), "--against", tmp_path / "base.json")
    assert (ran.code, ran.out) == (2, "")
    assert "is no result of an eval" in ran.complaint


def test_what_is_not_right_is_listed_and_shown_on_request(cortex: Cortex, cases: Callable[..., Path]) -> None:
    path = cases(ownership=(1, 1))
    assert "not right: own-ownership-1 (wrong)" in " ".join(cortex("eval", path).out.split())
    detailed = cortex("eval", path, "--details").out
    assert "does not say 'nobody at all'" in " ".join(detailed.split())
    assert "retrieved" in detailed


@pytest.mark.usefixtures("brain")
def test_a_question_file_is_measured_without_a_gate(cortex: Cortex, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    asked = [
        ("a", "Who owns the eval harness?", True, ["ownership:.github/CODEOWNERS"], ["pravnkilde"]),
        ("b", "Who owns the eval harness?", True, ["issue:1"], []),
        ("c", "How much does the team plan cost per seat?", False, [], []),
    ]
    names = ("id", "question", "answerable", "gold", "must")
    path.write_text(
        "".join(json.dumps({**dict(zip(names, row, strict=True)), "category": "x"}) + "\n" for row in asked)
    )
    ran = cortex("eval", path, "--json")
    assert ran.code == 0
    measured = ran.json["measured"]
    assert (measured["questions"], measured["missing"], measured["refused_unanswerable"]) == (3, 0, 1.0)
    assert "refused unanswerable" in cortex("eval", path).out
    assert cortex("eval", path, "--floor", "0.9").code == 1


@pytest.mark.usefixtures("brain")
def test_a_gold_file_measures_the_ranking(cortex: Cortex, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "query": "pin top-6 facts above other retrieval rows", "relevant": ["pr:958"]}\n')
    assert cortex("eval", path, "--json").json["recall"]["10"] == 1.0
    assert "nDCG@10" in cortex("eval", path).out

"""The action's own script, run on two checkouts: a change that breaks an answer cannot edit its way past the gate."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from cortex.evals.cases import load_suite
from tests.sources import ROOT
from tests.trees import write
from tests.warm import program

CASES = """\
- id: gate
  category: specs
  question: What is the regression gate of the eval harness, per category?
  must: ["70 %"]
  cites: ["doc:docs/eval-harness.md#regression-gate"]
- id: owner
  category: ownership
  question: Who owns the eval harness?
  must: [pravnkilde]
  cites: ["doc:docs/eval-harness.md#ownership", "ownership:.github/CODEOWNERS#5"]
"""
EASY = """\
- id: gate
  category: specs
  question: How much does the team plan cost per seat?
  answerable: false
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A checkout of the demo project's documents with two questions."""
    folder = Path(shutil.copytree(ROOT / "seeds" / "o8" / "docs", tmp_path / "base"))
    return write(folder, {"evals/smoke.yaml": CASES})


@pytest.fixture
def change(base: Path) -> Path:
    return Path(shutil.copytree(base, base.with_name("change")))


def lose_the_gate(checkout: Path) -> None:
    for page in checkout.rglob("*.md"):
        page.write_text(page.read_text("utf-8").replace("70 %", "a share"), "utf-8")


def gate(tmp_path: Path, *, base: str) -> subprocess.CompletedProcess[str]:
    """Run the script of action.yml as a workflow would."""
    (step,) = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]
    inputs = {"PROJECT": "change", "EXPORT": "", "CASES": "evals/smoke.yaml", "BASE": base, "CORTEX": program()}
    assert set(step["env"]) == set(inputs)
    environment = {**os.environ, **inputs, "RUNNER_TEMP": str(tmp_path)}
    return subprocess.run(
        ["bash", "-c", step["run"]], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        timeout=180,
    )  # fmt: skip


@pytest.mark.usefixtures("change")
def test_a_change_that_keeps_the_answers_passes(tmp_path: Path) -> None:
    done = gate(tmp_path, base="base")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_change_that_loses_an_answer_does_not(tmp_path: Path, change: Path) -> None:
    lose_the_gate(change)
    done = gate(tmp_path, base="")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "failed" in done.stdout


def test_nor_does_one_that_edits_the_question_too(tmp_path: Path, change: Path) -> None:
    lose_the_gate(change)
    write(change, {"evals/smoke.yaml": EASY})
    done = gate(tmp_path, base="base")
    assert done.returncode == 1
    assert "specs: 0%, below the base of 100%" in done.stdout


def test_what_was_broken_before_does_not_keep_a_change_out(tmp_path: Path, base: Path, change: Path) -> None:
    lose_the_gate(base)
    lose_the_gate(change)
    assert gate(tmp_path, base="base").returncode == 0


def test_the_hook_names_a_command_there_is() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("cortex-smoke", "python", False)
    assert "cortex smoke evals/smoke.yaml" in hook["entry"]


def test_the_cases_in_the_guide_load(tmp_path: Path) -> None:
    _, _, rest = (ROOT / "docs" / "evals.md").read_text("utf-8").partition("## A case\n\n```yaml\n")
    path = tmp_path / "cases.yaml"
    path.write_text(rest.partition("```")[0], "utf-8")
    assert [case.answerable for case in load_suite(path).cases] == [True, False]

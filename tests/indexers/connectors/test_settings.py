"""Sections of configuration files become records, for what nobody states elsewhere: days, paths, thresholds."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from cortex.composer.pipeline import ask
from cortex.indexers.connectors import settings
from cortex.indexers.connectors.pages import page
from cortex.substrate.model import Record, Scope, Skipped
from tests.brains import index_records, open_new
from tests.trees import read_tree, write

LOCK = """\
name: Lock inactive closed issues
on:
  schedule:
    - cron: '0 0 * * *'
jobs:
  lock:
    runs-on: ubuntu-latest
    steps:
      - uses: dessant/lock-threads@v5
        with:
          issue-inactive-days: 14
          pr-inactive-days: 14
"""
COVERAGE = "[run]\nomit =\n    owl/legacy.py\n\n[report]\nfail_under = 90\n"


def sections(path: str, text: str) -> list[Record]:
    found = [one for one in settings.read(page(path, text), source="demo") if isinstance(one, Record)]
    assert all(one.body in text for one in found), "verbatim"
    return found


def bodies(path: str, text: str) -> dict[str, str]:
    """The body of each section, by its title."""
    return {one.title: one.body for one in sections(path, text)}


def test_a_table_of_keys_is_a_section() -> None:
    assert bodies(".coveragerc", COVERAGE) == {
        ".coveragerc: settings run": "omit =\n    owl/legacy.py",
        ".coveragerc: settings report": "fail_under = 90",
    }


def test_a_tree_is_cut_into_its_largest_parts_that_are_short_enough() -> None:
    assert [*bodies(".github/workflows/lock.yaml", LOCK)] == [".github/workflows/lock.yaml: settings"]
    steps = "".join(f"      - run: step {n}\n" for n in range(60))
    found = sections(".github/workflows/lock.yaml", f"{LOCK}  many:\n    steps:\n{steps}")
    assert max(one.body.count("\n") for one in found) < settings.MOST
    assert sum(one.body.count("run: step") for one in found) == 60, "nothing is lost or doubled"


def test_what_its_format_does_not_allow_and_what_nobody_wrote_has_no_sections() -> None:
    bombs = "a: &a [x, x]\n" + "".join(f"{n}: &{n} [*{m}, *{m}]\n" for m, n in pairwise("abcdefghijklmnopqrstuvwxyz"))
    for path, text in (("mkdocs.yml", "a: [1\nb: }"), ("owl.toml", "line-length = \n"), ("bomb.yml", bombs)):
        assert bodies(path, text) == {}
        (skipped,) = settings.read(page(path, text), source="demo")
        assert isinstance(skipped, Skipped), "and it is said"
        assert skipped.reason.startswith("not valid ")
    (long,) = settings.read(page("data.yml", "a: 1\n" * settings.LONGEST), source="demo")
    assert isinstance(long, Skipped)
    assert [*settings.read(page(".github/workflows/a.yml", "a: [1\nb: }"), source="demo")] == [], "manifests say so"
    assert [settings.claims(path) for path in ("tox.ini", "src/a.yml", "poetry.lock")] == [True, False, False]


def test_a_number_that_only_a_workflow_holds_is_quoted(tmp_path: Path) -> None:
    files = {
        ".github/workflows/lock.yaml": LOCK,
        ".coveragerc": COVERAGE,
        "README.md": "# Owl\n\nOwl listens at night.\n",
    }
    with open_new(tmp_path / "brain.db") as brain:
        found = [one for one in read_tree(write(tmp_path / "owl", files), source="acme/owl") if isinstance(one, Record)]
        index_records(brain, *found, source="acme/owl", origin="tree")
        answer = ask(brain, "after how many inactive days are issues locked?", scope=Scope())
        assert "issue-inactive-days: 14" in answer.answer
        assert any(one.record.ref.startswith("code:.github/workflows/lock.yaml") for one in answer.citations)

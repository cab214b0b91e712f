"""A number that a commit ends with is an issue's where the export says so, whichever of the two is read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.surfaces.indexing import index
from tests.brains import NOW, open_new
from tests.trees import git, write

ISSUE = (
    '{"number": 4, "title": "Sourdough or yeast?", "state": "closed", "closed_at": "2024-02-01T09:00:00Z", "user":'
    ' {"login": "ada"}, "html_url": "https://github.com/ada/oven/issues/4", "body": "Which one?", "labels": [],'
    ' "assignees": [], "created_at": "2024-01-01T09:00:00Z"}\n'
)
PULL = (
    '{"number": 9, "title": "Knead for ten minutes", "state": "closed", "merged_at": "2024-03-01T09:00:00Z", "user":'
    ' {"login": "ada"}, "html_url": "https://github.com/ada/oven/pull/9", "body": "Implements #4.", "labels": [],'
    ' "assignees": [], "created_at": "2024-02-20T09:00:00Z"}\n'
)


@pytest.fixture
def bakery(tmp_path: Path) -> tuple[Path, Path]:
    """A repository with a commit that names issue #4 as a squash merge names its own, and the export that tells so."""
    root = write(tmp_path / "oven", {"README.md": "# Oven\n\nBread is baked here.\n"})
    git(root, "init")
    git(root, "add", ".")
    for message in ("Decide on sourdough (#4)", "Knead for ten minutes (#9)", "Sift the flour (#12)"):
        git(root, "commit", "--allow-empty", "-m", message)
    return root, write(tmp_path / "export", {"issues.jsonl": ISSUE, "pulls.jsonl": PULL})


def state(brain: Brain) -> tuple[list[tuple[str, ...]], set[tuple[str, str, str]], list[str]]:
    """What is there, what links to or from a thread of the number, and the facts."""
    facts = "select f.statement from facts f join records r on r.id = f.record_id where r.gone_at is null order by 1"
    links = "select case when from_ref glob 'commit:*' then 'commit' else from_ref end, relation, to_ref from links"
    return (
        brain.db.execute("select type, title from records where gone_at is null order by 1, 2").fetchall(),
        {row for row in brain.db.execute(links) if row[2].endswith(":4") or row[0].endswith(":4")},
        [said for (said,) in brain.db.execute(facts)],
    )


def test_an_issue_is_no_pull_request_whichever_is_read_first(bakery: tuple[Path, Path], tmp_path: Path) -> None:
    root, export = bakery
    orders: list[list[dict[str, Path | None]]] = [
        [{"root": root, "export": export}],
        [{"root": root, "export": None}, {"root": None, "export": export}],
        [{"root": None, "export": export}, {"root": root, "export": None}],
        [{"root": root, "export": None}, {"root": root, "export": export}],
    ]
    found = []
    for number, steps in enumerate(orders):
        with open_new(tmp_path / f"{number}.db") as brain:
            for step in steps:
                index(brain, step["root"], export=step["export"], source="oven", now=NOW)
            found.append(state(brain))
            assert not any(
                index(brain, step["root"], export=step["export"], source="oven", now=NOW).changed for step in steps
            )
            index(brain, root, export=export, source="oven", again=True, now=NOW)
            assert state(brain) == found[-1]
            assert not index(brain, root, export=export, source="oven", again=True, now=NOW).changed
    records, links, said = found[0]
    for one in found[1:]:
        assert one == found[0]
    assert [title for type_, title in records if type_ == "pull"] == ["Knead for ten minutes", "Sift the flour"]
    assert ("pull:9", "fixes", "issue:4") in links
    assert not any(relation == "merges" or ref == "pull:4" for _, relation, ref in links)
    assert any('fixed issue #4 "Sourdough or yeast?"' in one for one in said)
    assert any(one.startswith("Commit ") and "Decide on sourdough" in one for one in said)


def test_a_pull_request_that_an_issue_had_the_number_of_is_not_counted(brain: Brain, bakery: tuple[Path, Path]) -> None:
    root, export = bakery
    index(brain, root, source="oven", now=NOW)
    assert "3 in all" in ask(brain, "How many pull requests are merged?", scope=Scope()).answer
    index(brain, root, export=export, source="oven", now=NOW)
    assert "2 in all" in ask(brain, "How many pull requests are merged?", scope=Scope()).answer
    assert "PR #4" not in ask(brain, "Is #4 a pull request?", scope=Scope()).answer


def test_a_later_commit_of_the_number_makes_no_pull_request_either(brain: Brain, bakery: tuple[Path, Path]) -> None:
    root, export = bakery
    index(brain, root, export=export, source="oven", now=NOW)
    git(root, "commit", "--allow-empty", "-m", "Feed the sourdough (#4)")
    index(brain, root, source="oven", now=NOW)
    assert "pull:4" not in {ref for (ref,) in brain.db.execute("select ref from records where gone_at is null")}


def test_only_commits_tell_of_a_pull_request_where_no_export_does(brain: Brain, bakery: tuple[Path, Path]) -> None:
    index(brain, bakery[0], source="oven", now=NOW)
    before = state(brain)
    assert ("pull", "Decide on sourdough") in before[0]
    assert not index(brain, bakery[0], source="oven", again=True, now=NOW).changed
    assert state(brain) == before

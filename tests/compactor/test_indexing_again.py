"""A compaction and the index: what was taken out stays out while its record says the same, and no longer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cortex.compactor.run import compact
from cortex.compactor.undo import undo
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ArchivedFact, ShownFact, show
from cortex.substrate.model import Scope
from tests.brains import open_new

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SAID = "We decided that the reader must never wait for a writer, because agents ask while a nightly run writes."


def issue(number: int, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  whatever a field takes
    return {
        "number": number,
        "title": f"Issue number {number}",
        "body": "",
        "state": "open",
        "user": {"login": "ada"},
        "labels": [],
        "created_at": "2026-05-01T00:00:00Z",
        "updated_at": "2026-05-01T00:00:00Z",
    } | fields


def comment(id_: int, number: int, body: str, login: str = "helper[bot]") -> dict[str, Any]:
    return {
        "id": id_,
        "issue_url": f"https://api.github.com/repos/o/r/issues/{number}",
        "html_url": f"https://github.com/o/r/issues/{number}#issuecomment-{id_}",
        "body": body,
        "user": {"login": login},
        "created_at": "2026-05-02T00:00:00Z",
        "updated_at": "2026-05-02T00:00:00Z",
    }


class Project:
    """A folder of exported rows, and a brain that reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.issues = [issue(1), issue(2)]
        self.comments = [comment(11, 1, SAID), comment(12, 2, SAID)]
        self.brain: Brain = open_new(folder / "brain.db")

    def index(self, now: datetime = NOW) -> bool:
        for name, rows in (("issues", self.issues), ("comments", self.comments)):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (self.folder / f"{name}.jsonl").write_text(lines, "utf-8")
        return index(self.brain, export_feeds(self.folder, "o/r"), source="o/r", now=now).changed

    def compact(self, now: datetime = NOW) -> int:
        return compact(self.brain, now=now).run or 0

    def facts(self) -> list[tuple[Any, ...]]:
        return self.brain.db.execute("select * from facts order by id").fetchall()

    def said(self) -> list[str]:
        """Refs of the records whose fact says SAID."""
        found = "select r.ref from facts f join records r on r.id = f.record_id where f.statement like ? order by 1"
        return [ref for (ref,) in self.brain.db.execute(found, (f"%{SAID}",))]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path)
    made.index()
    assert made.said() == ["comment:1#11", "comment:2#12"]
    yield made
    made.brain.close()


def test_indexing_again_brings_nothing_back_and_writes_nothing(project: Project) -> None:
    project.compact(NOW + timedelta(days=200))
    before = project.facts()
    assert len(project.said()) == 1
    assert not project.index()
    assert project.facts() == before


def test_a_neighbour_that_changes_brings_nothing_back(project: Project) -> None:
    project.compact()
    project.issues[1] |= {"state": "closed", "closed_at": "2026-05-20T00:00:00Z"}
    assert project.index()
    assert project.said() == ["comment:1#11"]


def test_a_record_that_changed_makes_its_facts_anew(project: Project) -> None:
    project.compact()
    project.comments[1]["body"] = "By now: " + SAID
    project.index()
    assert len(project.brain.db.execute("select 1 from facts where statement like '%By now%'").fetchall()) == 1


def test_what_was_merged_speaks_for_itself_when_its_survivor_says_something_else(project: Project) -> None:
    project.compact()
    assert project.said() == ["comment:1#11"]
    project.comments[0]["body"] = "We decided on something else, because the reader is gone from the plan altogether."
    project.index()
    assert project.said() == ["comment:2#12"]


def test_what_was_merged_speaks_for_itself_when_its_survivor_is_gone(project: Project) -> None:
    project.compact()
    del project.comments[0]
    project.index()
    assert project.said() == ["comment:1#11", "comment:2#12"]
    project.compact()
    assert project.said() == ["comment:2#12"]


def test_a_record_that_comes_back_brings_its_facts_back(project: Project) -> None:
    gone = project.comments.pop(0)
    project.index()
    project.compact()
    assert project.said() == ["comment:2#12"]
    project.comments.insert(0, gone)
    project.index()
    assert project.said() == ["comment:1#11", "comment:2#12"]


def test_a_faded_confidence_outlives_an_index_that_changes_nothing(project: Project) -> None:
    project.compact(NOW + timedelta(days=200))
    worn = "select handle, confidence from facts where confidence < base_confidence"
    faded = project.brain.db.execute(worn).fetchall()
    assert faded
    project.issues.append(issue(3))
    project.index()
    for handle, confidence in faded:
        now = project.brain.db.execute("select confidence from facts where handle = ?", (handle,)).fetchone()
        assert now == (confidence,)


def test_a_merged_handle_says_what_stands_for_it(project: Project) -> None:
    (merged,) = project.brain.db.execute("select handle from facts where statement like ? || '%in #2%'", ("helper",))
    project.compact()
    shown = show(project.brain, merged[0], scope=Scope())
    assert isinstance(shown, ArchivedFact)
    assert shown.merged_into
    assert isinstance(show(project.brain, shown.merged_into, scope=Scope()), ShownFact)


def test_undo_after_an_index_that_changed_a_record_says_what_stayed_away(project: Project) -> None:
    run = project.compact()
    project.comments[1]["body"] = "Something else altogether, which nobody decided and which says very little."
    project.index()
    undone = undo(project.brain, run, now=NOW)
    assert (undone.restored, undone.left) == (0, 1)


def test_the_archive_forgets_after_its_time_but_not_what_a_fact_stands_for(project: Project) -> None:
    project.comments.append(comment(13, 2, "We decided to always use something else, because it never waits.", "bob"))
    project.index()
    project.brain.db.execute("update facts set confidence = 0.2, base_confidence = 0.2 where statement like 'bob%'")
    project.compact()
    counted = "select job, count(*) from facts_archive group by job"
    assert dict(project.brain.db.execute(counted)) == {"low_confidence": 1, "near_duplicates": 1}
    assert compact(project.brain, now=NOW + timedelta(days=181)).pruned == 1
    assert dict(project.brain.db.execute(counted)) == {"near_duplicates": 1}

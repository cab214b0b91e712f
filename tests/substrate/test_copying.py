"""Copying a brain: the same rows and answers, however often it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.errors import OtherBrain
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.copying import TABLES, copy
from cortex.substrate.search import search
from cortex.substrate.verify import verify
from tests.brains import dump, index_records, open_demo, open_new, record

DERIVED = {
    "term_frequencies", "_sqlite_migrations", "sqlite_schema", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4",
    "postings", "text_changes", "text_sizes",
}  # fmt: skip


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Brain]:
    with open_demo(tmp_path / "demo.db") as brain:
        yield brain


def test_every_table_is_copied_but_what_the_engine_makes_itself(demo: Brain) -> None:
    held = {name for name in dump(demo) if "_fts" not in name and not name.endswith("_terms")}
    assert held - DERIVED == {*TABLES}


def test_a_copy_holds_the_same_and_finds_the_same(demo: Brain, tmp_path: Path) -> None:
    with open_new(tmp_path / "copy.db") as into:
        done = copy(demo, into)
        assert done.differing == ()
        assert done.rows["facts"] == demo.db.execute("select count(*) from facts").fetchone()[0] > 0
        assert verify(into).holds
        for query in ("who owns the brain", "empty state"):
            assert search(into.db, "passages", query, sources=None) == search(demo.db, "passages", query, sources=None)
        assert copy(demo, into).rows == {}


def test_a_copy_that_was_stopped_goes_on_where_it_stood(demo: Brain, tmp_path: Path) -> None:
    def stop(stage: str, _done: int, _total: int | None) -> None:
        if stage == "copying facts":
            raise KeyboardInterrupt

    with open_new(tmp_path / "copy.db") as into:
        with pytest.raises(KeyboardInterrupt):
            copy(demo, into, progress=stop)
        done = copy(demo, into)
        assert "records" not in done.rows
        assert done.differing == ()


def test_what_was_written_meanwhile_is_told(demo: Brain, tmp_path: Path) -> None:
    with open_new(tmp_path / "copy.db") as into:
        copy(demo, into)
        demo.db.execute("update records set title = 'Another' where id = 1")
        assert copy(demo, into).differing == ("records",)


def test_a_brain_that_holds_something_else_is_left_as_it_is(demo: Brain, tmp_path: Path) -> None:
    with open_new(tmp_path / "copy.db") as into:
        index_records(into, record("issue:1", "Lost leases"), source="acme/other")
        before = dump(into)
        with pytest.raises(OtherBrain):
            copy(demo, into)
        assert dump(into) == before


def test_a_brain_is_not_copied_into_itself(demo: Brain) -> None:
    with open_brain(demo.path) as into:
        assert copy(demo, into).rows == {}

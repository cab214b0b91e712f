"""Statements are asked for by noun and name, and take collections as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.statements import run, sql, statements
from tests.tables import walk


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    """A brain that tells what it runs: a file."""
    with open_brain(tmp_path / "brain.db") as brain:
        yield brain


def told(brain: Brain, name: str, **values: object) -> str:
    """What SQLite ran, its values filled in."""
    seen: list[str] = []
    brain.db.set_trace_callback(seen.append)
    run(brain, name, **values).fetchall()
    brain.db.set_trace_callback(None)
    return "\n".join(seen)


@walk(
    "sources",
    [[1, 2], (1, 2), {1: "web", 2: "api"}, (number for number in (1, 2)), {1: "web", 2: "api"}.keys(), "[1, 2]"],
    ids=["list", "tuple", "mapping", "generator", "view", "text that is JSON already"],
)
def test_a_collection_reaches_sql_as_an_array(brain: Brain, sources: object) -> None:
    assert "json_each('[1, 2]')" in told(brain, "facts.count_facts", sources=sources)


def test_what_sqlite_runs_begins_with_the_name_of_the_statement(brain: Brain) -> None:
    assert told(brain, "facts.count_facts", sources=[]).startswith("-- name: count_facts\n-- How many facts")


def test_a_file_is_read_once_and_for_its_own_noun_alone() -> None:
    statements.cache_clear()
    sql.cache_clear()
    assert sql("queue.jobs") == sql("queue.jobs") == statements("queue")["jobs"]
    assert (statements.cache_info().misses, statements.cache_info().currsize) == (1, 1)


@pytest.mark.parametrize("name", ["queue.nothing", "nothing.jobs"], ids=["statement", "noun"])
def test_a_name_that_nothing_has_is_an_error(name: str) -> None:
    with pytest.raises((KeyError, FileNotFoundError)):
        sql(name)

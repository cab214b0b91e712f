"""Readers of a PostgreSQL database get no row of a source they may not read, though a statement forgets its filter."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from cortex.errors import BrainTooOld, BrainUnwritable, CortexError
from cortex.indexers.run import due_sources
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.copying import copy
from cortex.substrate.model import Scope
from cortex.substrate.queue import jobs
from cortex.substrate.sources import readable
from cortex.substrate.status import first_indexed, last_indexed, size_of, status
from cortex.substrate.tasks import enqueue, tasks
from cortex.substrate.verify import verify
from cortex.surfaces.contract import run
from cortex.surfaces.encoding import Readers
from cortex.surfaces.operations import every, named
from tests import postgres
from tests.brains import NOW, index_demo, open_new
from tests.surfaces.mcp_clients import call

OURS, THEIRS = "o8-labs/o8", "o8-labs/o8-runner"
OF_NO_SOURCE = {"calls", "compactions", "deliveries", "sources", "tokens", "vector_blocks"}
COPIED = ("records", "facts", "passages", "links", "runs", "cursors")
ELSEWHERE = {"doctor", "evals", "smoke", "tiers"}
"""Read operations that only the operator has, of every source, or that read another file."""

ASKED: Mapping[str, Mapping[str, object]] = {
    "ask": {"question": "why does the runner retry a lease?"},
    "brief": {"task": "change how the runner retries a lease", "paths": ["src/lease.ts"]},
    "decisions": {"topic": "lease of a runner", "state": "all"},
    "facts": {"limit": 500},
    "owners": {"subject": "the runner"},
    "precedents": {"task": "retry a lease in the runner"},
    "search": {"query": "runner lease retry"},
}
BY_NAME = {"history": "handle", "get": "name"}


@pytest.fixture(scope="module")
def brain() -> Iterator[Brain]:
    """The demo project, which has two sources."""
    with postgres.postgres_brain() as brain:
        index_demo(brain)
        brain.db.execute("insert into runs (command, started_at) values ('compact', '2026-01-01T00:00:00Z')")
        yield brain


@pytest.fixture
def reader(brain: Brain) -> Iterator[Brain]:
    """A reader of it."""
    with open_brain(brain.path, read_only=True) as reader:
        yield reader


def count(brain: Brain, table: str) -> int:
    return int(brain.db.execute(f"select count(*) from {table}").fetchone()[0])  # noqa: S608


def tables(brain: Brain) -> list[str]:
    return [name for (name,) in brain.db.execute("select tablename from pg_tables where schemaname = 'public'")]


def test_every_table_with_a_source_is_secured(brain: Brain) -> None:
    unsecured = "select tablename from pg_tables where schemaname = 'public' and not rowsecurity"
    assert {name for (name,) in brain.db.execute(unsecured)} == OF_NO_SOURCE


def test_a_reader_sees_no_row_before_a_scope_and_then_those_of_its_sources(brain: Brain, reader: Brain) -> None:
    filled = set[str]()
    for table in {*tables(brain)} - OF_NO_SOURCE:
        seen = []
        for sources in ((), (OURS,), (THEIRS,), (OURS, THEIRS)):
            readable(reader, Scope(sources=sources))
            seen.append(count(reader, table))
        of_all = count(brain, table) - (table == "runs")
        assert (seen[0], seen[1] + seen[2], seen[3]) == (0, of_all, of_all), table
        filled |= {table} if seen[1] and seen[2] else set()
    assert filled >= {"records", "facts", "passages", "links", "postings", "text_sizes", "promotions", "runs"}


def test_a_reader_that_names_no_scope_gets_nothing(reader: Brain) -> None:
    assert [count(reader, table) for table in ("records", "facts", "passages", "postings", "closings")] == [0] * 5


def test_before_there_is_a_source_a_reader_of_all_sees_what_waits_for_one() -> None:
    with postgres.postgres_brain() as made:
        enqueue(made, "index", source_id=0, key="index demo", now=NOW)
        with made.reader() as reader:
            assert [task.key for task in tasks(reader, scope=Scope())] == ["index demo"]


def test_a_scope_outlasts_the_snapshot_it_was_set_in(reader: Brain) -> None:
    with reader.snapshot():
        readable(reader, Scope(sources=(OURS,)))
        inside = count(reader, "records")
    assert count(reader, "records") == inside > 0


def test_what_is_read_of_every_source_leaves_the_scope_as_it_was(brain: Brain, reader: Brain) -> None:
    readable(reader, Scope(sources=(OURS,)))
    ours = count(reader, "records")
    with reader.unrestricted():
        assert count(reader, "records") == count(brain, "records") > ours
    assert count(reader, "records") == ours


def test_policies_of_an_earlier_cortex_are_made_anew() -> None:
    with postgres.postgres_brain() as brain:
        index_demo(brain)
        brain.db.execute("drop function cortex_sql.marked_sources(text) cascade")
        with pytest.raises(BrainTooOld):
            open_brain(brain.path, read_only=True)
        open_brain(brain.path).close()
        with open_brain(brain.path, read_only=True) as reader:
            assert count(reader, "records") == 0
            readable(reader, Scope(sources=(OURS,)))
            assert 0 < count(reader, "records") < count(brain, "records")


@pytest.mark.parametrize("marks", ["{1}", "01", "011"], ids=["as earlier readers set it", "one", "two"])
def test_a_reader_sees_the_sources_that_are_marked(reader: Brain, marks: str) -> None:
    reader.db.execute("select set_config('cortex.sources', ?, false)", (marks,))
    seen = {source for (source,) in reader.db.execute("select distinct source_id from records")}
    assert seen == ({1, 2} if marks == "011" else {1})


@pytest.mark.parametrize("statement", ["delete from facts", "create table notes (said text)"])
def test_a_reader_cannot_write_and_is_told_who_can(reader: Brain, statement: str) -> None:
    with pytest.raises(BrainUnwritable) as refused:
        reader.db.execute(statement)
    assert "\n" not in str(refused.value)
    assert refused.value.hint == "connect as the owner of its tables, at a server that takes writes"


@pytest.mark.parametrize("asked", [status, verify, last_indexed, first_indexed, size_of, jobs, due_sources])
def test_what_counts_the_whole_brain_reads_every_source(
    brain: Brain, reader: Brain, asked: Callable[[Brain], object]
) -> None:
    assert asked(reader) == asked(brain)


def test_a_reader_is_lent_without_the_scope_of_who_had_it(brain: Brain) -> None:
    readers = Readers(brain.path)
    with readers.lent() as reader:
        readable(reader, Scope())
        assert count(reader, "records")
    with readers.lent() as again:
        assert (again, count(again, "records")) == (reader, 0)
    readers.close()


def test_a_reader_that_the_server_ended_meanwhile_is_not_lent(brain: Brain) -> None:
    readers = Readers(brain.path)
    with readers.lent() as reader:
        served = reader.db.execute("select pg_backend_pid()").fetchone()
    brain.db.execute("select pg_terminate_backend(?::int4, 10000)", served)
    with readers.lent() as another:
        assert status(another) == status(brain)
    assert another is not reader
    readers.close()


def test_a_copy_of_a_database_holds_every_source(brain: Brain, reader: Brain, tmp_path: Path) -> None:
    with open_new(tmp_path / "copy.db") as copied:
        copy(reader, copied)
        assert [count(copied, table) for table in COPIED] == [count(brain, table) for table in COPIED]


def unfiltered(brain: Brain, ids: Mapping[int, str], seen: list[object]) -> None:
    """Have statements of *brain* ask for every source, whatever they were to filter by, and note what they give."""
    from psycopg.rows import tuple_row  # noqa: PLC0415  an extra

    connection, run_ = brain.db, brain.db._run  # type: ignore[attr-defined]
    wanted: dict[str, Any] = {"sources": json.dumps([*ids]), "every": True}

    def unlimited(text: str, parameters: Any = ()) -> Any:  # noqa: ANN401
        if isinstance(parameters, dict):
            same = {name: value for name, value in wanted.items() if isinstance(parameters.get(name), type(value))}
            parameters |= same
            if isinstance(parameters.get("sources"), list):
                parameters["sources"] = [*ids]
        text = re.sub(r"(\w+\.)?source_id = (%\(source_id\)s|any\(%\(in_scope\)s\))", "true", text)
        return run_(text, parameters)

    def noting(cursor: Any) -> Callable[[Any], Any]:  # noqa: ANN401
        make = tuple_row(cursor)

        def note(values: Any) -> Any:  # noqa: ANN401
            seen.extend(values)
            return make(values)

        return note

    connection._run = unlimited  # type: ignore[attr-defined]
    connection._postgres.row_factory = noting  # type: ignore[attr-defined]


def texts(brain: Brain, source: str) -> set[str]:
    """What only records and facts of *source* say."""
    said = "select {} from {} r join sources s on s.id = r.source_id where s.name {} ?"
    of_records, of_facts = (("body", "records"), ("title", "records")), (("statement", "facts"), ("handle", "facts"))

    def of(sign: str) -> set[str]:
        columns = (*of_records, *of_facts, ("body", "passages"))
        return {text for one in columns for (text,) in brain.db.execute(said.format(*one, sign), (source,))}

    return of("=") - of("<>") - {""}


def asked_of(brain: Brain, name: str) -> list[dict[str, object]]:
    if name not in BY_NAME:
        return [dict(ASKED.get(name, {}))]
    one = "select min(handle) from facts f join sources s on s.id = f.source_id where s.name = ?"
    return [{BY_NAME[name]: brain.db.execute(one, (source,)).fetchone()[0]} for source in (OURS, THEIRS)]


READ = sorted(one.name for one in every() if one.effect == "read" and one.name not in ELSEWHERE)


@pytest.mark.parametrize("secured", [True, False], ids=["policies on", "policies off"])
@pytest.mark.parametrize("name", READ)
def test_no_read_operation_gets_a_row_of_another_source_where_no_statement_filters(
    brain: Brain, reader: Brain, name: str, *, secured: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept in ("_held", "_scopes"):  # what was read without policies is no other's
        monkeypatch.setattr(f"cortex.substrate.postgres.kept.{kept}", OrderedDict())
    if not secured:
        reader.db.execute("reset role")
    theirs, seen = texts(brain, THEIRS), list[object]()
    unfiltered(reader, readable(brain, Scope()), seen)
    of_ours = call(tmp_path / "brain.db", "agent", sources=(OURS,), lent=lambda: nullcontext(reader))
    for asked in asked_of(brain, name):
        with suppress(CortexError, *(() if secured else (KeyError, StopIteration))):
            run(named(name), of_ours, asked)
    leaked = theirs.intersection(one for one in seen if isinstance(one, str))
    assert seen
    if secured:
        assert not leaked
    elif name in LEAKS:
        assert leaked


LEAKS = {"ask", "brief", "decisions", "facts", "history", "owners", "precedents", "search", "get"}
"""Operations that give texts."""

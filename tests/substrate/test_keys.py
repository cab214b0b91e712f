"""Keys of PostgreSQL's tables lead with the source; what is about some sources asks for rows of those alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from cortex.compactor.run import JOBS, compact
from cortex.errors import BrainFailed, CortexError
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.copying import copy
from cortex.surfaces.contract import run
from cortex.surfaces.operations import named
from tests import postgres
from tests.brains import index_demo
from tests.substrate.test_isolation import OURS, READ, asked_of
from tests.surfaces.mcp_clients import call

keys = pytest.importorskip("cortex.substrate.postgres.keys")

CONDITIONS: Final = ("Index Cond", "Recheck Cond", "Filter", "Join Filter", "Hash Cond", "Merge Cond")
OF_EVERY_SOURCE: Final = {
    "select exists (select 1 from text_changes)": "whether anything waits to be taken in",
    "delete from text_changes": "all of it was taken in",
    "select exists (select 1 from comparisons)": "whether anything was ever compared",
    "select abs(c.reltuples - s.rows)": "whether the server knows how large a table is",
    "delete from confidence_before where run_id": "of a run that may be of every source",
    "delete from facts_revived where revived_by": "of a run that may be of every source",
}
"""Statements of a scope that ask for rows of any source, by how they begin, each with what it is about."""


@pytest.fixture(scope="module")
def brain() -> Iterator[Brain]:
    """The demo project, which has two sources."""
    with postgres.postgres_brain() as brain:
        index_demo(brain)
        brain.db.execute("analyze")
        yield brain


def keys_of(brain: Brain) -> list[tuple[str, str, str, str]]:
    """Each key and unique index: its table, the table it refers to or '', its columns, the first of them."""
    asked = """
        select
            k.conrelid::regclass::text as name, coalesce(nullif(k.confrelid, 0)::regclass::text, '') as refers_to,
            k.conkey as columns
        from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f')
        union all
        select i.indrelid::regclass::text, '', i.indkey::int2[] from pg_index i join pg_class c on c.oid = i.indrelid
        where i.indisunique and c.relnamespace = 'public'::regnamespace
    """
    names = (
        "select string_agg(attname, ', ' order by place) from unnest(k.columns) with ordinality as u (number, place)"
    )
    column = "join pg_attribute a on a.attrelid = k.name::regclass and a.attnum = u.number"
    asked = f"select name, refers_to, ({names} {column}) from ({asked}) k"  # noqa: S608  of this test
    db: Any = brain.db
    return [(*row, row[2].partition(", ")[0]) for row in db._postgres.execute(asked).fetchall()]


def test_every_table_is_listed_as_one_that_is_sharded_or_as_one_that_is_not(brain: Brain) -> None:
    made = {name for (name,) in brain.db.execute("select tablename from pg_tables where schemaname = 'public'")}
    assert made == keys.SHARDED | keys.REFERENCES.keys()
    assert not keys.SHARDED & keys.REFERENCES.keys()
    assert all(keys.REFERENCES.values())


def test_the_layout_for_citus_names_every_table() -> None:
    text = Path("docs/operating.md").read_text("utf-8")
    layout = re.findall(r"create_(\w+)_table\('(\w+)'", text)
    assert {name for how, name in layout if how == "reference"} == keys.REFERENCES.keys()
    assert {name for how, name in layout if how == "distributed"} == keys.SHARDED


def test_every_key_leads_with_the_source_but_those_of_tables_without_one(brain: Brain) -> None:
    found = keys_of(brain)
    assert {table for table, *_ in found} == (keys.SHARDED | keys.REFERENCES.keys())
    wrong = [
        (table, columns)
        for table, refers_to, columns, first in found
        if table in keys.SHARDED and refers_to not in keys.REFERENCES and first != "source_id"
    ]
    assert not wrong


def test_a_foreign_key_names_the_source_of_both_its_ends(brain: Brain) -> None:
    asked = """
        select conrelid::regclass::text, a.attname from pg_constraint k
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = k.confkey[1]
        where k.contype = 'f' and connamespace = 'public'::regnamespace
    """
    db: Any = brain.db
    ends = {(table, first) for table, first in db._postgres.execute(asked).fetchall()}
    assert {("facts", "source_id"), ("lineage", "source_id"), ("promotions", "source_id")} <= ends
    assert {first for _, first in ends} == {"source_id", "id"}  # the id of a source or of a run


@pytest.mark.parametrize(
    ("table", "column", "parent"),
    [
        ("promotions", "record_id", "records"), ("changes_read", "record_id", "records"),
        ("compared", "fact_id", "facts"), ("comparisons", "fact_id", "facts"),
    ],
)  # fmt: skip
def test_every_row_has_the_source_of_what_it_belongs_to(brain: Brain, table: str, column: str, parent: str) -> None:
    asked = f"select t.source_id, p.source_id from {table} t join {parent} p on p.id + 0 = t.{column}"  # noqa: S608
    compact(brain, now=datetime(2027, 1, 1, tzinfo=UTC))
    found = brain.db.execute(asked).fetchall()
    assert {one for one, _ in found} == {1, 2}
    assert all(one == other for one, other in found)


def test_a_row_of_what_is_not_there_is_refused(brain: Brain) -> None:
    with pytest.raises(BrainFailed, match="source_id"):
        brain.db.execute("insert into promotions (record_id, facts) values (0, 1)")


def test_a_copy_out_of_a_file_gives_each_row_its_source(tmp_path: Path) -> None:
    with open_brain(tmp_path / "demo.db") as file, postgres.postgres_brain() as database:
        index_demo(file)
        assert copy(file, database).differing == ()
        assert {*database.db.execute("select distinct source_id from promotions")} == {(1,), (2,)}


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def of_any_source(plan: Mapping[str, Any]) -> set[str]:
    """The tables of which *plan* reads rows without a condition on their source, their own or that of a join."""
    every = [*nodes(plan)]
    free = {
        one["Alias"]: one["Relation Name"]
        for one in every
        if one.get("Relation Name") in keys.SHARDED and one["Node Type"] != "ModifyTable"
    }
    said = " ".join(one[condition] for one in every for condition in CONDITIONS if condition in one)
    pairs = {(one, other) for one, other in re.findall(r"([\w.$]+) = '?([\w.$]+)", said)}
    pairs |= {(other, one) for one, other in pairs}
    while bound := {
        alias
        for alias in free
        for one, other in pairs
        if one == f"{alias}.source_id" and other.removesuffix(".source_id") not in free
    }:
        free = {alias: table for alias, table in free.items() if alias not in bound}
    return {*free.values()}


@contextmanager
def explained(brain: Brain) -> Iterator[dict[str, set[str]]]:
    """Of which tables the statements of a scope read rows of any source, by their text."""
    found: dict[str, set[str]] = {}
    connection: Any = brain.db
    run_ = connection._run

    def explaining(text: str, parameters: Any = ()) -> Any:  # noqa: ANN401
        if connection.scope is not None and re.match(r"(with|select|insert|update|delete)\b", text):
            ((plan,),) = run_(f"explain (verbose, format json) {text}", parameters).fetchall()
            found[" ".join(text.split())] = of_any_source(json.loads(plan)[0]["Plan"])
        return run_(text, parameters)

    connection._run = explaining
    try:
        yield found
    finally:
        connection._run = run_


def assert_of_a_source(found: Mapping[str, set[str]], least: int) -> None:
    crossing = {text: tables for text, tables in found.items() if tables and not text.startswith((*OF_EVERY_SOURCE,))}
    assert not crossing
    assert len(found) >= least


@pytest.mark.parametrize("name", READ)
def test_what_a_scope_reads_is_asked_of_its_sources_by_each_statement(brain: Brain, name: str, tmp_path: Path) -> None:
    with open_brain(brain.path, read_only=True) as reader:
        reader.db.execute("reset role")  # so that no plan has conditions of row security
        of_ours = call(tmp_path / "brain.db", "agent", sources=(OURS,), lent=lambda: nullcontext(reader))
        with explained(reader) as found:
            for asked in asked_of(brain, name):
                with suppress(CortexError):
                    run(named(name), of_ours, asked)
    assert_of_a_source(found, 1)


def test_a_compaction_of_a_source_touches_no_other(brain: Brain) -> None:
    with explained(brain) as found:
        compact(brain, source=OURS, jobs=[*JOBS], now=datetime(2027, 3, 1, tzinfo=UTC))
    assert_of_a_source(found, 40)


def test_a_plan_that_reads_a_table_whole_is_seen(brain: Brain) -> None:
    crossing = "select 1 from facts f join records r on r.id + 0 = f.record_id where f.source_id = 1"
    with explained(brain) as found, brain.about(1):
        brain.db.execute(crossing)
    assert found == {crossing: {"records"}}


@pytest.mark.parametrize(("scope", "found"), [([1], 1), ([1, 2], 2), ([], 0), (None, 2)])
def test_numbers_of_any_size_are_asked_for_in_any_scope(brain: Brain, scope: list[int] | None, found: int) -> None:
    asked = [40_000, *(id_ for (id_,) in brain.db.execute("select min(id) from records group by source_id"))]
    with open_brain(brain.path, read_only=True) as reader:
        reader.restrict(scope)
        assert reader.db.execute(
            "select count(*) from records where id = any(:numbered)", {"numbered": asked}
        ).fetchone() == (found,)

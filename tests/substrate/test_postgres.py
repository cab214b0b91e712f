"""A brain in a PostgreSQL database holds and answers what one in a file does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cortex.errors import BrainFailed, BrainMissing, Interrupted, NotABrain, ServerAway
from cortex.substrate.address import located, shown
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.search import search
from cortex.substrate.verify import verify
from tests import postgres
from tests.brains import index_demo, open_file

QUESTIONS = ("lease timeout", "who owns the runner", "why sqlite", "decision", "open brain", "how are retries done")
KEPT = {
    "records": "select s.name, ref, type, title, body, state, labels, vouched, blocks, content_hash, r.id",
    "links": "select s.name, from_ref, relation, to_source, to_ref, derived",
    "facts": "select s.name, handle, kind, statement, excerpt, confidence, valid_from, valid_until, parts, r.id",
    "passages": "select s.name, record_id, start, end_, context, body, parts, r.id",
    "changes": "select s.name, record_id, op, subject, old, new, scope, certainty, day, target_ref, stems",
    "lineage": "select s.name, record_id, state, by_record_id, certainty, since, until",
    "facts_queue": "select s.name, record_id, path, state, produced, closes, distiller",
}


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Brain, Brain]]:
    """The demo project in a file and in a database."""
    file = open_file(tmp_path_factory.mktemp("engines") / "brain.db")
    with file, postgres.postgres_brain() as database:
        index_demo(file)
        index_demo(database)
        yield file, database


@pytest.mark.parametrize("table", KEPT)
def test_what_an_index_run_writes_is_the_same_row_for_row(brains: tuple[Brain, Brain], table: str) -> None:
    asked = f"{KEPT[table]} from {table} r join sources s on s.id = r.source_id"
    file, database = (sorted(map(tuple, brain.db.execute(asked)), key=repr) for brain in brains)
    assert file
    assert file == database


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_ten_best_rows_of_a_question_are_the_same(brains: tuple[Brain, Brain], question: str) -> None:
    file, database = (
        [
            (name, match.rowid, round(match.score, 6))
            for name in ("facts", "passages")
            for match in search(brain.db, name, question, sources=None)[:10]
        ]
        for brain in brains
    )
    assert file
    assert file == database


def test_what_is_in_a_database_holds(brains: tuple[Brain, Brain]) -> None:
    assert verify(brains[1]).failures == ()


def test_indexing_again_changes_nothing(brains: tuple[Brain, Brain]) -> None:
    before = brains[1].db.execute("select count(*), max(id) from facts").fetchone()
    index_demo(brains[1], now=datetime(2026, 3, 1, tzinfo=UTC))
    assert brains[1].db.execute("select count(*), max(id) from facts").fetchone() == before


def test_what_runs_too_long_is_interrupted(brains: tuple[Brain, Brain]) -> None:
    with pytest.raises(Interrupted), brains[1].until(lambda: True):
        brains[1].db.execute("select pg_sleep(60)")


def test_a_transaction_that_fails_leaves_nothing(brains: tuple[Brain, Brain]) -> None:
    put = "insert into sources (name, created_at) values ('none', '')"
    with pytest.raises(BrainFailed, match="duplicate key"), brains[1].transaction() as db:
        db.executemany(put, [(), ()])
    assert brains[1].db.execute("select count(*) from sources where name = 'none'").fetchone() == (0,)


def test_where_nothing_was_indexed_there_is_no_brain() -> None:
    if reason := postgres.unreachable():
        pytest.skip(reason)
    with pytest.raises(BrainMissing):
        open_brain(located(f"{postgres.SERVER}/template1", Path("/nonexistent")), read_only=True)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    path = located("postgresql://ada:secret@127.0.0.1:1/notes", Path("/nonexistent"))
    with pytest.raises(ServerAway, match=r"cannot reach the database postgresql://ada@127\.0\.0\.1:1/notes") as caught:
        open_brain(path)
    assert "secret" not in str(caught.value)
    assert shown(path) == "postgresql://ada@127.0.0.1:1/notes"


def test_a_name_that_no_database_has_is_told() -> None:
    if reason := postgres.unreachable():
        pytest.skip(reason)
    with pytest.raises(ServerAway, match='database "nowhere" does not exist'):
        open_brain(located(f"{postgres.SERVER}/nowhere", Path("/nonexistent")))


def test_an_address_that_is_none_is_told_without_its_password() -> None:
    with pytest.raises(NotABrain, match="postgresql://ada@db:five/notes is not a brain: it is no address") as caught:
        located("postgresql://ada:secret@db:five/notes", Path("/nonexistent"))
    assert "secret" not in str(caught.value)


def test_a_statement_that_the_server_refuses_is_told_with_what_to_try(brains: tuple[Brain, Brain]) -> None:
    with pytest.raises(BrainFailed, match='relation "nothing" does not exist; check it with: cortex verify'):
        brains[1].db.execute("select 1 from nothing")


@pytest.mark.parametrize("inside", [True, False], ids=["of one moment", "alone"])
def test_many_rows_are_read_in_parts(brains: tuple[Brain, Brain], *, inside: bool) -> None:
    asked = "select id, ref from records where type <> ? order by id"
    file, database = brains
    with database.snapshot() if inside else nullcontext(), database.reading(asked, ("commit",)) as rows:
        assert [column[0] for column in rows.description] == ["id", "ref"]
        first, rest = rows.fetchmany(3), [*rows]
    assert first + rest == file.db.execute(asked, ("commit",)).fetchall()
    assert len(first) == 3


def test_a_server_that_goes_away_within_a_snapshot_is_told(brains: tuple[Brain, Brain]) -> None:
    _, database = brains

    def asked() -> None:
        with reader.snapshot():
            served = reader.db.execute("select pg_backend_pid()").fetchone()
            database.db.execute("select pg_terminate_backend(?::int4, 10000)", served)
            reader.db.execute("select 1")

    with open_brain(database.path, read_only=True) as reader, pytest.raises(ServerAway):
        asked()


def test_statements_are_planned_once(brains: tuple[Brain, Brain]) -> None:
    _, database = brains

    def double(number: int) -> int:
        return 2 * number

    def asked() -> set[tuple[object, ...]]:
        with database.snapshot():
            assert database.db.execute("select count(*) from sources where id < double(1000)").fetchone() == (2,)
        return {*database.db.execute("select name, statement from pg_prepared_statements")}

    database.define(double=double)
    assert asked() <= asked()

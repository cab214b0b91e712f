"""Retrievers run at once, each with a connection of its own; who is late is left out and named."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator

import pytest

from cortex.composer.ask import ask
from cortex.composer.retrieve.together import Retrievers, retrievers_of
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from cortex.substrate.stems import Stemmer
from tests.brains import index_records, record

ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"


@pytest.fixture
def retrievers(brain: Brain) -> Iterator[Retrievers]:
    made = Retrievers(brain, deadline_s=5.0)
    yield made
    made.close()


@pytest.fixture
def hasty(brain: Brain) -> Iterator[Retrievers]:
    made = Retrievers(brain, deadline_s=0.2)
    yield made
    made.close()


def count(reader: Brain, _: Stemmer) -> int:
    (found,) = reader.db.execute("select count(*) from records").fetchone()
    return int(found)


def test_all_run_at_the_same_time(retrievers: Retrievers) -> None:
    meeting = threading.Barrier(3, timeout=4)

    def meet(_: Brain, __: Stemmer) -> int:
        return meeting.wait()

    came = retrievers.run({"facts": meet, "text": meet, "sql": meet})
    assert sorted(came.found.values()) == [0, 1, 2]
    assert came.took_ms.keys() == {"facts", "text", "sql"}


def test_each_has_a_read_only_connection_and_a_stemmer_that_no_other_has(brain: Brain, retrievers: Retrievers) -> None:
    def own(reader: Brain, stemmer: Stemmer) -> tuple[int, int, bool]:
        return id(reader.db), id(stemmer), reader.read_only

    found = retrievers.run({"facts": own, "text": own}).found
    assert found["facts"][:2] != found["text"][:2]
    assert id(brain.db) not in {one[0] for one in found.values()}
    assert all(read_only for *_, read_only in found.values())
    assert retrievers.run({"facts": own, "text": own}).found == found


def test_a_connection_refuses_to_write(retrievers: Retrievers) -> None:
    def write(reader: Brain, _: Stemmer) -> None:
        reader.db.execute("delete from records")

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        retrievers.run({"facts": write})


def test_who_is_late_is_left_out_and_named_and_answers_the_next_time(brain: Brain, hasty: Retrievers) -> None:
    index_records(brain, record("issue:1", "The queue is full", state="open"))

    def late(reader: Brain, _: Stemmer) -> object:
        return reader.db.execute(ENDLESS).fetchone()

    came = hasty.run({"text": late, "facts": count})
    assert came.found == {"facts": 1}
    assert came.took_ms.keys() == {"facts", "text (late)"}
    again = hasty.run({"text": count, "facts": count})
    assert again.found == {"text": 1, "facts": 1}


def test_what_a_late_one_asked_is_stopped(hasty: Retrievers) -> None:
    stopped = threading.Event()

    def late(reader: Brain, _: Stemmer) -> None:
        try:
            reader.db.execute(ENDLESS).fetchone()
        except sqlite3.OperationalError:
            stopped.set()
            raise

    hasty.run({"text": late})
    assert stopped.wait(timeout=4)


def test_an_error_in_one_is_raised_and_the_next_question_is_answered(brain: Brain, retrievers: Retrievers) -> None:
    index_records(brain, record("issue:1", "The queue is full", state="open"))

    def broken(reader: Brain, _: Stemmer) -> None:
        reader.db.execute("select 1 from nowhere")

    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        retrievers.run({"facts": broken, "text": count})
    assert retrievers.run({"facts": count, "text": count}).found == {"facts": 1, "text": 1}


def test_closing_the_brain_closes_the_connections_and_ends_the_threads(brain: Brain) -> None:
    index_records(brain, record("issue:1", "The queue is full because nobody reads it", state="open"))
    before = {*threading.enumerate()}
    with open_brain(brain.path, read_only=True) as asked:
        ask(asked, "Why is the queue full?", scope=Scope())
        found = retrievers_of(asked).run({name: lambda reader, _: reader for name in ("facts", "text", "sql", "graph")})
        readers: list[Brain] = list(found.found.values())
        started = {thread.name for thread in threading.enumerate() if thread not in before}
        assert {name.partition("_")[0] for name in started} == {f"cortex-{name}" for name in found.found}
        assert len({id(reader.db) for reader in readers}) == 4
    for reader in readers:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            reader.db.execute("select 1")
    assert {*threading.enumerate()} <= before


def test_a_brain_keeps_its_retrievers(brain: Brain) -> None:
    assert retrievers_of(brain) is retrievers_of(brain)


def test_an_answer_tells_how_long_each_retriever_took(demo: Brain, stemmer: Stemmer) -> None:
    answer = ask(demo, "Who owns the eval harness?", scope=Scope(), stemmer=stemmer)
    assert {"facts", "text", "sql", "graph", "total"} <= answer.timings_ms.keys()


def test_an_answer_leaves_out_who_is_late_and_says_so(brain: Brain) -> None:
    index_records(brain, record("issue:1", "The lock\n\nThe frobnicator holds the lock for 30 seconds.", state="open"))
    with open_brain(brain.path, read_only=True) as asked:
        made = Retrievers(asked, deadline_s=0.3)
        asked.beside["retrievers"] = made
        question = "How long does the frobnicator hold the lock?"
        assert "30 seconds" in ask(asked, question, scope=Scope()).answer
        held = threading.Event()
        made._own["facts"].thread.submit(held.wait, 5)  # somebody else's question, still running
        answer = ask(asked, question, scope=Scope())
        held.set()
    assert "facts (late)" in answer.timings_ms
    assert "facts" not in answer.timings_ms
    assert "30 seconds" in answer.answer

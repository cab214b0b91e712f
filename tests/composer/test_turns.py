"""Retrievers take turns, each under a deadline; who is late is left out and named."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import pytest

from cortex.composer import gathering
from cortex.composer.ask import ask
from cortex.composer.question import Question
from cortex.composer.retrieve.passages import find_passages
from cortex.composer.retrieve.turns import run
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"


def endless(brain: Brain) -> object:
    return brain.db.execute(ENDLESS).fetchone()


def count(brain: Brain) -> int:
    (found,) = brain.db.execute("select count(*) from records").fetchone()
    return int(found)


def test_who_is_late_is_left_out_and_named_and_the_next_has_its_own_time(brain: Brain) -> None:
    jobs = {"text": lambda: endless(brain), "facts": lambda: count(brain)}
    came = run(brain, jobs, deadline_s=0.2)
    assert came.found == {"facts": 0}
    assert came.took_ms.keys() == {"text (late)", "facts"}
    assert 200 <= came.took_ms["text (late)"] < 5000


def test_a_deadline_ends_with_its_retriever(brain: Brain) -> None:
    index_records(brain, record("issue:1", "The queue is full", state="open"))
    run(brain, {"text": lambda: count(brain)}, deadline_s=0.0)
    counted = "with recursive n (i) as (select 1 union all select i + 1 from n limit 100000) select count(*) from n"
    assert brain.db.execute(counted).fetchone() == (100_000,)


def test_an_error_in_one_is_raised_and_the_next_question_is_answered(brain: Brain) -> None:
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        run(brain, {"facts": lambda: brain.db.execute("select 1 from nowhere")}, deadline_s=5.0)
    assert run(brain, {"facts": lambda: count(brain)}, deadline_s=5.0).found == {"facts": 0}


def test_an_answer_tells_how_long_each_retriever_took(demo: Brain) -> None:
    answer = ask(demo, "Who owns the eval harness?", scope=Scope())
    assert {"facts", "text", "sql", "graph", "total"} <= answer.timings_ms.keys()


def test_an_answer_leaves_out_who_is_late_and_says_so(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(brain: Brain, *_: object, **__: object) -> object:
        return endless(brain)

    index_records(brain, record("issue:1", "The lock\n\nThe frobnicator holds the lock for 30 seconds.", state="open"))
    monkeypatch.setattr(gathering, "find_facts", slow)
    monkeypatch.setattr(gathering, "DEADLINE_S", 0.2)
    with open_brain(brain.path, read_only=True) as asked:
        answer = ask(asked, "How long does the frobnicator hold the lock?", scope=Scope())
    assert "facts (late)" in answer.timings_ms
    assert "facts" not in answer.timings_ms
    assert "30 seconds" in answer.answer


def test_an_answer_is_of_one_moment(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def written_meanwhile(reader: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> object:
        with brain.transaction() as db:
            db.execute("update records set gone_at = '2026-01-01T00:00:00Z'")
        seen.append(count(reader))
        return find_passages(reader, question, stemmer, sources=sources)

    index_records(brain, record("issue:1", "The lock\n\nThe frobnicator holds the lock for 30 seconds.", state="open"))
    monkeypatch.setattr(gathering, "find_passages", written_meanwhile)
    with open_brain(brain.path, read_only=True) as asked:
        assert "30 seconds" in ask(asked, "How long does the frobnicator hold the lock?", scope=Scope()).answer
        assert ask(asked, "How long does the frobnicator hold the lock?", scope=Scope()).refused
    assert seen == [1, 1]

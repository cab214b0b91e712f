"""A retriever, a feature and a re-ranker are each added in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cortex.composer.pipeline import ask
from cortex.composer.query.matching import Matcher
from cortex.composer.query.understand import understand
from cortex.composer.rank import features
from cortex.composer.retrieve import gather
from cortex.composer.values import Candidate, Query, Reason
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.reading import Reader
from tests.brains import index_records, record

QUESTION = "How long is a lease?"
LEASES = record("issue:1", "A lease is 30 seconds long", state="closed", association="OWNER")
KETTLE = record("issue:2", "The kettle boils", state="closed", association="OWNER")


def test_a_retriever_is_registered_in_one_line(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    def newest(reader: Reader, _: Query, __: Matcher) -> Sequence[Candidate]:
        return [Candidate(row, Reason.TEXT, scores={"newest": 1.0}) for row in reader.first_rows([2]).values()]

    index_records(brain, LEASES, KETTLE)
    monkeypatch.setitem(gather.RETRIEVERS, "newest", (newest, 1.0))
    reader = Reader(brain, {1: "demo"})
    query = understand(reader, QUESTION, brain.stemmer)
    found = gather.gather(reader, query, Matcher(query, brain.stemmer))
    assert "issue:2" in {one.row.ref for one in found.candidates}
    assert found.ranks["newest"] == [2]


def test_a_feature_is_registered_in_one_line(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    from cortex.composer.rank import rank  # noqa: PLC0415

    index_records(brain, LEASES, record("issue:2", "A lease is long, said the kettle", state="closed"))
    monkeypatch.setitem(features.FEATURES, "kettle", lambda seen: float("kettle" in seen.text))
    monkeypatch.setattr(rank, "weights", lambda _: {"titled": 1.0, "kettle": 50.0})
    assert ask(brain, QUESTION, scope=Scope(), refuse_below=0).citations[0].record.ref == "issue:2"


def test_a_reranker_decides_between_rows_that_are_alike(brain: Brain) -> None:
    class Sheds:
        name = "sheds"

        def scores(self, question: str, texts: Sequence[str]) -> list[float]:
            assert question == QUESTION
            return [9.0 if "shed" in text else -9.0 for text in texts]

    other = record("issue:2", "A lease is 40 seconds long in the shed by the sea", state="closed", association="OWNER")
    index_records(brain, LEASES, other)
    brain.encoding(lambda: None, Sheds)
    assert ask(brain, QUESTION, scope=Scope(), refuse_below=0).citations[0].record.ref == "issue:2"

"""What somebody said is told in their own words, and in nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


def day(number: int) -> datetime:
    return datetime(2024, 3, number, tzinfo=UTC)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("said") / "brain.db") as opened:
        index_records(
            opened,
            record("issue:5", "How big is the cache?", author="ada", state="open", created_at=day(1)),
            record(
                "comment:5#1", "It should hold five hundred entries at most.", author="Carl", thread="issue:5",
                title="How big is the cache?", created_at=day(2),
            ),
            record(
                "comment:5#2", "Memory is cheap, so let the cache grow.", author="bert", thread="issue:5",
                title="How big is the cache?", created_at=day(3),
            ),
            record("issue:6", "Uploads are slow on Mondays", author="bert", state="open", created_at=day(4)),
            record("pull:7", "Send uploads in parts", author="Carl", state="open", created_at=day(5)),
        )  # fmt: skip
        yield opened


@pytest.mark.parametrize(
    ("question", "refs"),
    [
        ("What did carl say on #5?", ["comment:5#1"]),
        ("What did @bert say about #5?", ["comment:5#2"]),
        ("What did ada say on #5?", ["issue:5"]),
        ("What is Carl's opinion on #5?", ["comment:5#1"]),
        ("What did carl say about the cache?", ["comment:5#1"]),
        ("According to bert, may the cache grow?", ["comment:5#2"]),
        ("What was said by bert about the cache?", ["comment:5#2"]),
    ],
)
def test_only_their_own_words_are_cited(brain: Brain, question: str, refs: list[str]) -> None:
    answer = ask(brain, question, scope=Scope())
    assert [one.record.ref for one in answer.citations] == refs
    assert answer.evidence == "strong"


@pytest.mark.parametrize(
    "question", ["What did bert say on #7?", "What did carl say about Mondays?", "What did carl say on issue 6?"]
)
def test_who_said_nothing_of_it_is_not_quoted(brain: Brain, question: str) -> None:
    assert ask(brain, question, scope=Scope()).refused


def test_as_of_a_day_it_was_not_said_yet(brain: Brain) -> None:
    assert ask(brain, "What did carl say on #5?", scope=Scope(), as_of=day(1)).refused


def test_whom_nobody_knows_is_no_reason_to_refuse(brain: Brain) -> None:
    answer = ask(brain, "What did we say about how many entries the cache should hold at most?", scope=Scope())
    assert "comment:5#1" in [one.record.ref for one in answer.citations]

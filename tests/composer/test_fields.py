"""Who did what to a record, and when: told where it is known of the record that is named, else refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Scope
from tests.brains import index_records, record


def day(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("fields") / "brain.db") as opened:
        index_records(
            opened,
            record(
                "issue:1", "The cache fills the disk", author="ada", assignees=("bob", "eve"), state="open",
                created_at=day(1), labels=("storage",),
            ),
            record(
                "issue:2", "The parser loses comments", author="ada", state="closed", created_at=day(2),
                closed_at=day(3),
            ),
            record(
                "issue:3", "The index is rebuilt at every start", author="bob", state="closed", closed_by="carol",
                created_at=day(2), closed_at=day(4),
            ),
            record(
                "pull:4", "Rebuild the index when it is stale", author="bob", state="merged", merged_by="carol",
                created_at=day(3), merged_at=day(4), closed_at=day(4),
            ),
            record(
                "pull:5", "Write the cache to memory", author="eve", state="closed", created_at=day(3), closed_at=day(5)
            ),
        )  # fmt: skip
        yield opened


def asked(brain: Brain, question: str) -> Answer:
    return ask(brain, question, scope=Scope())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is assigned to #1?", "assigned to bob and to eve"),
        ("Who are the assignees of issue 1?", "assigned to bob and to eve"),
        ("Who opened #1?", "reported by ada"),
        ("When was #1 opened?", "open since 2024-01-01"),
        ("When was #2 opened?", "opened by ada on 2024-02-01"),
        ("When was #2 closed?", "closed 2024-03-01"),
        ("Who closed #3?", "by carol"),
        ("Who merged #4?", "by carol"),
        ("By whom was #4 merged?", "by carol"),
        ("When was #4 created?", "opened by bob on 2024-03-01"),
        ("Which labels does #1 have?", "storage"),
        ("When was #5 closed?", "closed unmerged 2024-05-01"),
    ],
)
def test_what_is_asked_of_a_record_is_in_the_line_that_answers(brain: Brain, question: str, told: str) -> None:
    answer = asked(brain, question)
    assert told in answer.answer.splitlines()[0]
    assert answer.evidence == "strong"


@pytest.mark.parametrize(
    "question",
    [
        "Who is assigned to #2?", "Who closed #2?", "When was #1 closed?", "Who closed #1?", "Who merged #5?",
        "When was #5 merged?", "Which labels does #2 have?", "When was #1 merged?",
    ],
)  # fmt: skip
def test_what_is_not_known_of_a_record_is_refused_and_it_is_named_as_nearest(brain: Brain, question: str) -> None:
    answer = asked(brain, question)
    assert answer.refused
    assert answer.considered


@pytest.mark.parametrize("question", ["And who merged it?", "Was it merged?", "When was it closed?"])
def test_what_names_no_record_is_refused_where_nothing_was_said_before(brain: Brain, question: str) -> None:
    assert asked(brain, question).refused


def test_as_of_a_day_nobody_had_merged_it(brain: Brain) -> None:
    assert ask(brain, "Who merged #4?", scope=Scope(), as_of=datetime(2024, 3, 15, tzinfo=UTC)).refused


def test_a_pull_request_that_was_closed_is_said_to_be_unmerged(brain: Brain) -> None:
    answer = asked(brain, "Why write the cache to memory?")
    assert "PR #5 by eve, closed unmerged (2024-05-01)" in answer.answer


def test_a_document_that_is_only_proposed_says_so(brain: Brain) -> None:
    text = "Sessions are kept in a table so that restarts lose none of them."
    index_records(brain, record("doc:1.md", text, title="Sessions", path="1.md", state="proposed"), origin="markdown")
    assert "Sessions, proposed" in asked(brain, "Why are sessions kept in a table?").answer

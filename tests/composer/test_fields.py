"""Who did what to a record, and when: told where it is known of the record that is named, else refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.gathering import retrieve
from cortex.composer.understanding import understand
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
            record("issue:6", ".", author="dee", state="closed", created_at=day(2), closed_at=day(3)),
            record("pull:7", "Sort the rows by key", author="eve", state="merged", created_at=day(3), merged_at=day(4)),
            record("comment:7#1", "LGTM. I approved the issue of it too.", author="bob", thread="pull:7"),
            record("comment:7#2", "ACK, the issue was reviewed.", author="bob", thread="pull:7"),
            record(
                "pull:8", "Reverted the issue with the rows\n\nThe rows were reverted for the issue.", author="bob",
                state="merged", created_at=day(4), merged_at=day(4),
            ),
            record("comment:8#1", "The issue was reverted by me.", author="bob", thread="pull:8"),
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
        ("When was #6 opened?", "Issue #6 was opened by dee on 2024-02-01 [CITATION:"),
        ("When was issue #4 merged?", "PR #4 (merged 2024-04-01"),
        ("Who merged GH-4?", "by carol"),
        ("When was gh-4 opened?", "opened by bob on 2024-03-01"),
        ("When was PR-4 created?", "opened by bob on 2024-03-01"),
        ("Who closed issue no. 3?", "by carol"),
        ("Who closed issue number 3?", "by carol"),
        ("When was pull/5 closed?", "closed unmerged 2024-05-01"),
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
        "When was #5 merged?", "Which labels does #2 have?", "When was #1 merged?", "When was PR #6 merged?",
        "Who approved issue #1?", "Who reviewed issue #1?", "Who reviewed GH-3?",
        "Who assigned #1?", "What fixed #4?",
    ],
)  # fmt: skip
def test_what_is_not_known_of_a_record_is_refused_and_it_is_named_as_nearest(brain: Brain, question: str) -> None:
    answer = asked(brain, question)
    assert answer.refused
    assert answer.considered


@pytest.mark.parametrize("number", ["GH-99", "issue no. 99", "PR-99", "pull/99"])
def test_of_a_number_that_nothing_has_nothing_is_told(brain: Brain, number: str) -> None:
    assert asked(brain, f"When was {number} opened?").refused


def test_whether_one_thread_was_reverted_is_not_told_of_others(brain: Brain) -> None:
    answer = asked(brain, "Was #7 reverted?")
    assert answer.evidence == "moderate"
    assert {one.record.ref.partition("#")[0] for one in answer.citations} <= {"pull:7", "comment:7"}
    found = retrieve(brain, understand(brain, answer.question, brain.stemmer), brain.stemmer, sources=[1])
    assert {one.row.about for one in found} == {"pull:7"}


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

"""A review counts in whatever state it was given, and whether somebody reviewed is told by their own words alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.retrieve.said import reviewers
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def day(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)


def pull(number: int, author: str, month: int) -> Record:
    return record(
        f"pull:{number}", f"Change of {number}", author=author, state="merged", created_at=day(month),
        merged_at=day(month), merged_by="ada",
    )  # fmt: skip


def said(number: int, identity: int, author: str, text: str, state: str = "", *, month: int) -> Record:
    verdict = (Link(relation="reviews", to_ref=f"pull:{number}"),) if state == "approved" else ()
    return record(
        f"comment:{number}#{identity}", text, title=f"Change of {number}", author=author, association="MEMBER",
        state=state, thread=f"pull:{number}", created_at=day(month), links=verdict,
    )  # fmt: skip


@pytest.fixture(scope="module")
def reviews(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("reviews") / "brain.db") as brain:
        index_records(
            brain,
            pull(5, "ada", 3), pull(6, "ada", 4), pull(7, "cy", 5),
            said(5, 1, "cy", "Went through the interface only.", "commented", month=2),
            said(5, 2, "dora", "Code review ACK, all of it.", month=2),
            said(5, 3, "ada", "Ready for more review, I think.", month=2),
            said(5, 4, "ada", "I answered those below.", "commented", month=2),
            said(5, 5, "bob", "APPROVED", "approved", month=3),
            said(5, 6, "bob", "One more nit.", "commented", month=3),
            said(5, 7, "eli", "Nice weather.", month=3),
            said(6, 8, "cy", "APPROVED", "approved", month=4),
        )  # fmt: skip
        yield brain


def answers(brain: Brain, question: str) -> list[str]:
    return [one.record.ref for one in ask(brain, question, scope=Scope()).citations]


@pytest.mark.parametrize(
    ("question", "refs"),
    [
        ("How many PRs were reviewed by cy?", ["comment:6#8", "comment:5#1"]),
        ("Which PRs did bob review?", ["comment:5#6"]),
        ("Which PRs were approved by cy?", ["comment:6#8"]),
        ("Which PRs were never reviewed?", ["pull:7"]),
        ("Who reviewed #5?", ["comment:5#5", "comment:5#1"]),
        ("Did cy review #5?", ["comment:5#1"]),
        ("Was #5 reviewed by bob?", ["comment:5#5"]),
        ("Did dora review #5?", ["comment:5#2"]),
        ("Did cy and bob review #5?", ["comment:5#5", "comment:5#1"]),
        ("Which open PRs did cy review?", []),
        ("Which merged PRs did cy review?", ["comment:6#8", "comment:5#1"]),
        ("Did eli review #5?", []),
        ("Did ada review #5?", []),
        ("Did cy approve #7?", []),
        ("Did zorg review #5?", []),
        ("When did cy review #5?", ["comment:5#1"]),
        ("When did eli approve #5?", []),
        ("Did anybody review #5?", ["comment:5#5", "comment:5#1"]),
    ],
)
def test_a_review_is_one_in_any_state_and_only_theirs_who_are_asked_for(
    reviews: Brain, question: str, refs: list[str]
) -> None:
    assert answers(reviews, question) == refs


def test_why_somebody_approved_is_not_told_by_that_they_did(reviews: Brain) -> None:
    assert reviewers(understand(reviews, "Did dora approve #5?", reviews.stemmer)) == {"dora"}
    assert not reviewers(understand(reviews, "Why did dora approve #5?", reviews.stemmer))


@pytest.mark.parametrize(
    "question",
    [
        "How many commits are there?",
        "How many commits did ada make?",
        "How many drafts are there?",
        "How many reviews were written in 2024?",
        "List all comments.",
    ],
)
def test_what_no_list_is_made_of_is_refused_and_not_answered_by_words(reviews: Brain, question: str) -> None:
    assert ask(reviews, question, scope=Scope()).refused

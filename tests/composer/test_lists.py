"""Lists by label, milestone, verdict and time are what the metadata says, and no word of the question is left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def day(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def issue(number: int, author: str, *labels: str, opened: datetime, closed: datetime | None = None) -> Record:
    return record(
        f"issue:{number}", f"Title of {number}", author=author, labels=labels, state="closed" if closed else "open",
        created_at=opened, closed_at=closed,
    )  # fmt: skip


def pull(number: int, author: str, by: str, *, opened: datetime, merged: datetime | None, fixes: int = 0) -> Record:
    return record(
        f"pull:{number}", f"Change of {number}", author=author, state="merged" if merged else "open",
        created_at=opened, merged_at=merged, closed_at=merged, merged_by=by if merged else "",
        links=(Link(relation="fixes", to_ref=f"issue:{fixes}"),) if fixes else (),
    )  # fmt: skip


def review(pull: int, number: int, author: str, state: str, then: datetime) -> Record:
    return record(
        f"comment:{pull}#{number}", state.upper(), author=author, state=state, thread=f"pull:{pull}",
        created_at=then, links=(Link(relation="reviews", to_ref=f"pull:{pull}"),),
    )  # fmt: skip


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("lists") / "brain.db") as brain:
        index_records(
            brain,
            issue(1, "ada", "bug", "milestone: 4.0", opened=day(2023, 1)),
            issue(2, "ada", "enhancement", opened=day(2023, 3)),
            issue(3, "bob-b", "bug", "good first issue", opened=day(2023, 5), closed=day(2024, 2)),
            issue(4, "carol", "enhancement", "milestone: 4.0", opened=day(2024, 1), closed=day(2024, 8)),
            pull(10, "ada", "bob-b", opened=day(2024, 1), merged=day(2024, 2), fixes=3),
            pull(11, "bob-b", "carol", opened=day(2024, 5), merged=day(2024, 9)),
            pull(12, "ada", "", opened=day(2024, 6), merged=None),
            review(10, 1, "bob-b", "approved", day(2024, 2)),
            review(12, 2, "bob-b", "approved", day(2024, 6)),
            review(12, 3, "bob-b", "changes_requested", day(2024, 7)),
            record("doc:docs/branches.md", "# Branches\n\nBranches older than two weeks are merged without review.",
                   path="docs/branches.md"),
            record("doc:docs/labels.md", "# Greeting\n\nThe bot approves and merges what has a milestone.",
                   path="docs/labels.md"),
        )  # fmt: skip
        yield brain


def threads(brain: Brain, text: str) -> list[str]:
    """Of which threads the records are that answer."""
    answer = ask(brain, text, scope=Scope())
    return [one.record.ref.partition("#")[0].partition(":")[2] for one in answer.citations]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Which open issues are bugs?", ["1"]),
        ("How many open issues are bugs?", ["1"]),
        ("Which closed issues are bugs?", ["3"]),
        ("Which open issues are enhancements?", ["2"]),
        ("Which issues are not bugs?", ["4", "2"]),
        ("Which issues are labelled good first issue?", ["3"]),
        ("Which issues are in milestone 4.0?", ["4", "1"]),
        ("Which open issues are in the 4.0 milestone?", ["1"]),
        ("Which PRs did bob-b approve?", ["10"]),
        ("Which PRs were approved?", ["10"]),
        ("Which PRs were approved in February 2024?", ["10"]),
        ("Which PRs were reviewed by bob-b?", ["12", "10"]),
        ("Which PRs have changes requested?", ["12"]),
        ("Which PRs were never reviewed?", ["11"]),
        ("Which merged PRs were not approved?", ["11"]),
        ("Which PRs were merged in the second half of 2024?", ["11"]),
        ("Which PRs were merged in H1 2024?", ["10"]),
        ("Which PRs were merged in Q3 2024?", ["11"]),
        ("Which PRs were merged in the first quarter of 2024?", ["10"]),
        ("What did carol merge?", ["11"]),
        ("Who reported issues in 2023?", ["3", "2"]),
        ("Who merged PRs in 2024?", ["11", "10"]),
        ("What are the two oldest issues?", ["1", "2"]),
        ("What are the last two issues?", ["4", "3"]),
        ("Which issues were open at the end of 2023?", ["3", "2", "1"]),
        ("Which PRs were open on 2024-06-15?", ["11", "12"]),
        ("Which issues were closed by a PR?", ["3"]),
        ("Which issues were closed without a PR?", ["4"]),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_list_is_what_the_metadata_says(lists: Brain, text: str, numbers: list[str]) -> None:
    assert threads(lists, text) == numbers


def test_how_many_did_something_counts_everybody_once(lists: Brain) -> None:
    assert ask(lists, "How many people reported issues?", scope=Scope()).answer.startswith("3 in all: ")


def test_a_count_by_reviews_says_that_it_counts_these(lists: Brain) -> None:
    for question in ("How many PRs were reviewed by bob-b?", "How many PRs did bob-b review?"):
        assert ask(lists, question, scope=Scope()).answer.startswith("2 in all, by reviews on GitHub: ")


@pytest.mark.parametrize(
    "text",
    [
        "Which PRs were merged within two weeks?", "Which issues have been open for more than two years?",
        "Which PRs were merged by their author?", "Which PRs wait for review?", "Which issues have no comments?",
        "Which issues are in milestone 5.0?", "Which PRs did carol approve?",
        "Which PRs were approved in 2023?", "Which issues were open in 2023?",
        "Which PRs were merged in early 2024?", "Who has not commented on #1?", "Who approved most PRs?",
        "Which issues did neither ada nor carol report?", "How many issues are regressions?",
    ],
)  # fmt: skip
def test_what_no_filter_holds_is_no_list_and_no_text_tells_it(lists: Brain, text: str) -> None:
    assert ask(lists, text, scope=Scope()).refused

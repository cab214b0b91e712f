"""A search keeps what the project's own links lead to in its place, and puts what only outsiders claim last."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from cortex.composer.search import search
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import NOW, index_records, record

ISSUE = "The gateway loses its lease at midnight"


def refs(brain: Brain) -> list[str]:
    return [hit.record.ref for hit in search(brain, ISSUE, scope=Scope())]


def thread(author: str, association: str) -> list[Record]:
    made = {"author": author, "association": association, "created_at": NOW}
    return [
        record("issue:1", ISSUE, state="open", author="ada", association="MEMBER", created_at=NOW),
        record(
            "issue:9", "Clock of the gateway drifts", state="open", author="eve", association="NONE", created_at=NOW
        ),
        record("comment:1#2", "Duplicate of #9.", title=ISSUE, thread="issue:1", **made),
        record("issue:5", "The gateway loses power", state="open", author="ada", association="MEMBER", created_at=NOW),
    ]


@pytest.mark.parametrize("closed_at", [NOW + timedelta(days=1), None], ids=["closed", "still open"])
def test_a_merged_pull_request_of_an_outsider_stands_by_the_issue_that_it_closed(
    brain: Brain, closed_at: datetime | None
) -> None:
    fix = record(
        "pull:2", "Renew earlier\n\nFixes #1.", state="merged", author="eve", association="CONTRIBUTOR",
        merged_by="ada", created_at=NOW, merged_at=NOW + timedelta(days=1),
        links=(Link(relation="fixes", to_ref="issue:1"),),
    )  # fmt: skip
    issue, *others = thread("ada", "MEMBER")
    index_records(brain, issue.model_copy(update={"closed_at": closed_at}), *others, fix)
    found = refs(brain)
    assert (found.index("pull:2") < found.index("issue:5")) is (closed_at is not None)


@pytest.mark.parametrize(("author", "association", "first"), [("ada", "MEMBER", True), ("eve", "NONE", False)])
def test_a_duplicate_stands_before_others_where_the_project_says_so(
    brain: Brain, author: str, association: str, *, first: bool
) -> None:
    index_records(brain, *thread(author, association))
    found = refs(brain)
    assert (found.index("issue:9") < found.index("issue:5")) is first

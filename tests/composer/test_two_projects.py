"""Of two projects in one brain each answer says whose a number is that both have, whatever it is of in each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

MAY = datetime(2024, 5, 1, tzinfo=UTC)


def pull(number: int, title: str) -> Record:
    return record(f"pull:{number}", title, author="ada", state="merged", merged_by="ada", created_at=MAY, merged_at=MAY)


@pytest.fixture
def two(brain: Brain) -> Brain:
    index_records(brain, pull(9, "Warm the soil sensor"), pull(11, "Water the moss"), source="acme/sprout")
    index_records(
        brain,
        record("issue:9", "Receipts round the currency", author="bob", state="open", created_at=MAY),
        record("comment:9#1", "Receipts round the wrong currency.", author="eve", thread="issue:9", created_at=MAY),
        source="acme/ferry",
    )
    return brain


@pytest.mark.parametrize("question", ["Was #9 merged?", "What is #9?", "Who merged #9?"])
def test_an_issue_and_a_pull_request_of_one_number_name_their_projects(two: Brain, question: str) -> None:
    lines = [line for line in ask(two, question, scope=Scope()).answer.splitlines() if "#9" in line]
    assert lines
    for line in lines:
        assert ("acme/sprout" if "soil" in line else "acme/ferry") in line


def test_a_comment_names_the_project_of_its_number(two: Brain) -> None:
    answer = ask(two, "Which currency do receipts round?", scope=Scope()).answer
    assert "eve on #9, in acme/ferry" in answer


def test_a_number_that_one_project_has_or_that_is_read_alone_needs_no_name(two: Brain) -> None:
    assert "acme/" not in ask(two, "Was #11 merged?", scope=Scope()).answer
    assert "acme/" not in ask(two, "Was #9 merged?", scope=Scope(sources=("acme/sprout",))).answer

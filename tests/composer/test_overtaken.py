"""Where a merged pull request changed later how a thing is, no older text alone tells how it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record


def merged(number: int, title: str, year: int) -> Record:
    at = datetime(year, 3, 1, tzinfo=UTC)
    body = f"{title}\n\nAsked for by users."
    return record(f"pull:{number}", body, author="tolu", state="merged", created_at=at, merged_at=at)


FILLER = [
    merged(100 + at, f"Refactor the {name}", 2020)
    for at, name in enumerate("parser router widget chart sidebar footer lexer invoice login".split())
]
LIMIT = merged(1, "The upload limit is 20 MB", 2021)
RAISED = merged(2, "Raise the upload limit to 50 MB", 2023)


def asked(brain: Brain, question: str, *records: Record) -> Answer:
    index_records(brain, *FILLER, *records)
    return ask(brain, question, scope=Scope())


@pytest.mark.parametrize(
    "question",
    [
        "Is the upload limit still 20 MB?",
        "Is the upload limit 20 MB?",
        "Is the upload limit 20 MB now?",
        "What is the upload limit?",
    ],
)
def test_the_value_that_was_merged_last_is_told_before_the_one_that_is_asked(brain: Brain, question: str) -> None:
    first, second = asked(brain, question, LIMIT, RAISED).answer.splitlines()[:2]
    assert "50 MB" in first
    assert "20 MB" in second


def test_a_document_of_unknown_age_is_no_strong_answer_beside_a_pull_request_with_another_value(brain: Brain) -> None:
    guide = record(
        "doc:GUIDE.md#limits", "## Limits\n\nThe upload limit is 20 MB.", title="Guide › Limits", path="GUIDE.md"
    )
    answer = asked(brain, "Is the upload limit still 20 MB?", guide, RAISED)
    first, second = answer.answer.splitlines()[:2]
    assert ("20 MB" in first, "50 MB" in second, answer.evidence) == (True, True, "moderate")


@pytest.mark.parametrize(
    ("old", "new", "question", "told"),
    [
        ("The theme is blue", "Make the theme green", "Is the theme still blue?", "green"),
        ("Emails are sent at midnight", "Send emails at 6 am", "Are emails still sent at midnight?", "6 am"),
        ("Distances are in miles", "Distances in kilometres", "Are distances still in miles?", "kilometres"),
        (
            "Mail is sent through Mailgun",
            "Switch mail from Mailgun to Postmark",
            "Is mail sent through Mailgun?",
            "Postmark",
        ),
    ],
)
def test_another_word_in_the_place_of_the_one_asked_is_told_beside_it_and_nothing_is_sure(
    brain: Brain, old: str, new: str, question: str, told: str
) -> None:
    answer = asked(brain, question, merged(1, old, 2021), merged(2, new, 2023))
    assert any(told in line for line in answer.answer.splitlines()[:2])
    assert answer.evidence == "moderate" or told in answer.answer.splitlines()[0]


@pytest.mark.parametrize(
    "later",
    [
        merged(3, "Raise the upload limit back to 20 MB", 2024),
        merged(3, "Wait 50 seconds for the login", 2024),
    ],
    ids=["changed back", "of another thing"],
)
def test_what_was_changed_back_or_is_of_another_thing_leaves_the_value_first(brain: Brain, later: Record) -> None:
    records = [LIMIT, RAISED, later] if "back" in later.title else [LIMIT, later]
    assert "20 MB" in asked(brain, "Is the upload limit still 20 MB?", *records).answer.splitlines()[0]


def test_who_asks_how_it_was_is_told_what_was(brain: Brain) -> None:
    assert "20 MB" in asked(brain, "Was the upload limit 20 MB?", LIMIT, RAISED).answer.splitlines()[0]

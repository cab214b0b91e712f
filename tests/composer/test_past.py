"""What asks for a value of a past time is told what was valid then, never surely what is valid now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.past import asked_of_past
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def merged(number: int, title: str, year: int, month: int = 6) -> Record:
    at = datetime(year, month, 1, tzinfo=UTC)
    return record(
        f"pull:{number}", f"{title}\n\nAsked for.", author="ines", state="merged", created_at=at, merged_at=at
    )


FILLER = [
    merged(100 + at, f"Refactor the {name}", 2020)
    for at, name in enumerate("parser router widget chart sidebar footer lexer invoice login".split())
]
GUIDE = [
    record(
        "doc:GUIDE.md#lamps",
        "## Lamps\n\nThe lamp timeout is 20 minutes. Slides are kept for 30 days.",
        title="Guide › Lamps",
        path="GUIDE.md",
    ),
    record(
        "commit:00aa11bb22cc",
        "Write the guide",
        author="ines",
        created_at=datetime(2021, 2, 1, tzinfo=UTC),
        links=(Link(relation="touches", to_ref="file:GUIDE.md"),),
    ),
]
CHANGES = [
    merged(1, "Raise the lamp timeout to 45 minutes", 2022),
    merged(2, "Lower the lamp timeout to 25 minutes", 2024),
    merged(3, "Slides are kept for 90 days", 2023),
]


def asked(brain: Brain, question: str) -> Answer:
    index_records(brain, *FILLER, *GUIDE, *CHANGES)
    return ask(brain, question, scope=Scope(), now=NOW)


@pytest.mark.parametrize(
    ("question", "told", "evidence"),
    [
        ("What was the lamp timeout in March 2021?", "20 minutes", "strong"),
        ("What was the lamp timeout on 2023-05-04?", "45 minutes", "strong"),
        ("What was the lamp timeout as of 5 May 2023?", "45 minutes", "strong"),
        ("In July 2024, what was the lamp timeout?", "25 minutes", "strong"),
        ("What was the lamp timeout before 2022?", "20 minutes", "strong"),
        ("What was the lamp timeout in 2024?", "25 minutes", "moderate"),
        ("How long were slides kept in 2022?", "30 days", "moderate"),
        ("How long did we keep slides in March 2024?", "90 days", "moderate"),
    ],
)
def test_what_was_valid_at_a_time_is_told_of_it(brain: Brain, question: str, told: str, evidence: str) -> None:
    answer = asked(brain, question)
    assert (told in answer.answer.splitlines()[0], answer.evidence) == (True, evidence)


def test_of_a_time_before_anything_was_written_nothing_is_told(brain: Brain) -> None:
    assert asked(brain, "What was the lamp timeout in March 2020?").refused


@pytest.mark.parametrize(
    "question", ["What did the lamp timeout have to be in 2021?", "Was the lamp timeout 25 minutes in 2021?"]
)
def test_what_is_valid_now_is_no_strong_answer_for_another_time(brain: Brain, question: str) -> None:
    assert asked(brain, question).evidence != "strong"


@pytest.mark.parametrize(
    "question",
    [
        "What is the lamp timeout?",
        "What was the lamp timeout raised to in 2022?",
        "How many slides were lost in March 2023?",
        "How long was the outage in March 2023?",
        "What was decided in 2022?",
        "Which version was released in March 2023?",
        "What was the limit between 2021 and 2023?",
        "What was the limit in 2031?",
        "What was the limit on 2023-02-31?",
    ],
)
def test_what_asks_for_what_happened_or_for_no_one_time_asks_for_no_value_of_a_past_time(question: str) -> None:
    assert asked_of_past(question, now="2026-01-01T00:00:00Z") is None

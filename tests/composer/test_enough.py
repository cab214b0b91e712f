"""An answer ends where one sentence has told what was asked: what but shares a word or two is no part of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

MADE = datetime(2024, 5, 1, tzinfo=UTC)
FERRY = record(
    "doc:ferry.md#rules", "The ferry lifejackets are checked every Monday by the mate.", title="Ferry › Lifejackets",
    path="ferry.md",
)  # fmt: skip
BESIDE = [
    record("issue:3", "The ferry lifejackets smell of diesel\n\nAll of them.", state="closed", created_at=MADE),
    record("issue:4", "The ferry lifejackets are orange\n\nRed was sold out.", state="closed", created_at=MADE),
    record("issue:5", "New ferry lifejackets for children\n\nFor the school trip.", state="open", created_at=MADE),
]
OTHERS = [record(f"issue:{number}", f"Topic {number}\n\nOther words here.", state="open") for number in range(20, 60)]
RULE = record("directive:AGENTS.md#1", "Never let a ferry leave before its lifejackets are dry.", title="AGENTS.md")


def told(brain: Brain, text: str, *rows: Record) -> list[str]:
    index_records(brain, *rows, *OTHERS)
    return [one.record.ref for one in ask(brain, text, scope=Scope()).citations]


def test_a_lookup_that_one_sentence_answers_ends_after_the_second_row(brain: Brain) -> None:
    refs = told(brain, "Are the ferry lifejackets checked?", FERRY, *BESIDE)
    assert refs[0] == "doc:ferry.md#rules"
    assert len(refs) == 2


@pytest.mark.parametrize(
    "text",
    ["Why are the ferry lifejackets checked?", "Are the old ferry lifejackets checked?"],
    ids=["it reasons", "no sentence has all of it"],
)
def test_what_no_sentence_answers_is_told_as_far_as_it_goes(brain: Brain, text: str) -> None:
    assert len(told(brain, text, FERRY, *BESIDE)) > 2


def test_a_rule_is_told_anyway(brain: Brain) -> None:
    assert RULE.ref in told(brain, "Are the ferry lifejackets checked?", FERRY, *BESIDE, RULE)


def test_what_somebody_says_ends_no_answer(brain: Brain) -> None:
    said = record("issue:7", "The ferry lifejackets are checked every Monday\n\nBy the mate.", created_at=MADE)
    assert len(told(brain, "Are the ferry lifejackets checked?", said, *BESIDE)) > 2

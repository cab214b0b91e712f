"""What a revert took out is there again once that was undone, however the change that undid it is titled."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def merged(number: int, title: str, body: str = "") -> Record:
    at = datetime(2023, 1, number, tzinfo=UTC)
    text = f"{title}\n\n{body}".strip()
    return record(f"pull:{number}", text, author="ada", state="merged", created_at=at, closed_at=at, merged_at=at)


FIRST = merged(2, "Pack eggs by weight", "Eggs are packed by weight at the farm. It saves boxes.")
REVERT = merged(5, 'Revert "Pack eggs by weight"', "Reverts #2. The old scale cannot tell weight.")
FILLING = [merged(n, f"Grease gate {n}", "It squeaked.") for n in range(20, 29)]

AGAIN = [
    'Reland "Pack eggs by weight"', "Pack eggs by weight (again)", "Pack eggs by weight, take two",
    "Pack eggs by weight, with a bound",
    'Revert "Revert "Pack eggs by weight""',
]  # fmt: skip


def first(brain: Brain, question: str) -> str:
    return ask(brain, question, scope=Scope()).citations[0].record.ref


@pytest.mark.parametrize("title", AGAIN)
@pytest.mark.parametrize("question", ["Do we pack eggs by weight?", "Are eggs packed by weight?"])
def test_the_last_that_brought_it_back_comes_before_the_revert(brain: Brain, title: str, question: str) -> None:
    index_records(brain, FIRST, REVERT, merged(9, title, "The scale was mended."), *FILLING)
    assert first(brain, question) == "pull:9"


def test_a_revert_that_stands_is_first(brain: Brain) -> None:
    index_records(brain, FIRST, REVERT, *FILLING)
    assert first(brain, "Do we pack eggs by weight?") == "pull:5"


def test_what_was_taken_back_again_does_not_come_before_the_revert(brain: Brain) -> None:
    again = merged(9, AGAIN[0], "The scale was mended."), merged(12, f"Revert {AGAIN[0]}", "The scale broke.")
    index_records(brain, FIRST, REVERT, *again, *FILLING)
    assert first(brain, "Do we pack eggs by weight?") != "pull:9"


def test_whether_it_was_reverted_is_told_by_the_revert(brain: Brain) -> None:
    index_records(brain, FIRST, REVERT, merged(9, AGAIN[0], "The scale was mended."), *FILLING)
    assert first(brain, "Was packing eggs by weight reverted?") == "pull:5"

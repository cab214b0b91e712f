"""What has no word of what a question is about stands first nowhere; idioms say nothing; a month is its dates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.ask import ask
from cortex.composer.question import stands_in
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            record("comment:1#2", "Tea at four, coffee at five. Pick one place, the first one.", thread="issue:1"),
            record("issue:1", "Afternoons\n\nWe should have a break in the first place.", state="closed"),
            record("issue:2", "Quokka or wombat?\n\nQuokka was picked, because it is smaller.", state="closed"),
            record("issue:3", "Flood 2023-11-05: the cellar was wet\n\nIt failed because a fuse blew.", state="open"),
            *[record(f"issue:{number}", f"Lid {number}\n\nA lid is loose.", state="open") for number in range(10, 30)],
        )  # fmt: skip
        yield brain


def test_an_idiom_is_not_what_is_asked_about(brain: Brain) -> None:
    question = understand(brain, "Why was Quokka picked in the first place?", brain.stemmer)
    assert question.stems == understand(brain, "Why was Quokka picked?", brain.stemmer).stems
    assert understand(brain, "In the first place?", brain.stemmer).terms


def test_what_the_question_is_about_stands_before_what_has_its_everyday_words(brain: Brain) -> None:
    answer = ask(brain, "Which one place should we pick first for the quokka?", scope=Scope())
    assert answer.citations[0].record.ref == "issue:2"
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("text", ["What caused the November 2023 flood?", "What caused the flood of 5 November 2023?"])
def test_a_month_that_is_named_meets_a_date_in_figures(brain: Brain, text: str) -> None:
    answer = ask(brain, text, scope=Scope())
    assert answer.citations[0].record.ref == "issue:3"


def test_a_date_of_another_month_is_not_meant(brain: Brain) -> None:
    question = understand(brain, "What caused the October 2023 flood?", brain.stemmer)
    assert stands_in(question, "Flood 2023-11-05", brain.stemmer) == {"flood", "2023"}
    other = understand(brain, "What caused the flood of 2023-11-05?", brain.stemmer)
    assert {"2023", "11", "05"} <= stands_in(other, "The flood of 5 November 2023", brain.stemmer)

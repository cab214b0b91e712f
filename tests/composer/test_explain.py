"""`--explain` tells of the very judgement that the answer was given by."""

from __future__ import annotations

import pytest

from cortex.composer.ask import ask
from cortex.composer.explain import explain
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


@pytest.mark.parametrize(
    "text",
    [
        "Who closed #1093?",
        "When was #1093 closed?",
        "Which pull requests about leases were merged by lunamdev?",
        "Who merged #1012?",
        "What does s-ashdown own?",
        "What is a packet?",
        "How much does the team plan cost per seat?",
        "Which PR fixes #496?",
    ],
)
def test_what_is_explained_is_what_was_judged(demo: Brain, text: str) -> None:
    answered, explained = ask(demo, text, scope=Scope()), explain(demo, text, scope=Scope())
    assert (explained.evidence == "none") is answered.refused
    if not answered.refused:
        assert explained.evidence == answered.evidence


@pytest.mark.parametrize(
    "text",
    ["Is the gateway still used?", "Who owns the eval harness?", "Why was #1012 reverted?", "How are packets kept?"],
)
def test_the_parts_of_a_score_are_all_of_it_and_what_stands_elsewhere_says_why(demo: Brain, text: str) -> None:
    rows = explain(demo, text, scope=Scope()).rows
    for place, row in enumerate(rows):
        assert sum(row.parts.values()) == pytest.approx(row.score, abs=0.01)
        passed = [one for one in rows[:place] if one.score < row.score]
        assert row.moved or all(one.moved for one in passed)


def test_what_has_but_everyday_words_of_a_question_is_said_to_stand_behind(brain: Brain) -> None:
    index_records(
        brain,
        record("issue:1", "Limits of the kiln\n\nThe kiln takes forty jars.", title="Limits of the kiln"),
        record(
            "issue:2", "How many do we use in a day?\n\nWe use many, and we use more in a week of use.", title="Use"
        ),
        *(record(f"issue:{number}", f"Shelf {number}\n\nOak.", title=f"Shelf {number}") for number in range(3, 30)),
    )
    rows = explain(brain, "How many kilns do we use in a day of use?", scope=Scope()).rows
    assert rows[0].ref == "issue:1"
    assert [row.moved for row in rows if row.score > rows[0].score] == ["beside the point"]


def test_a_word_that_says_the_same_does_not_lift_a_row_over_a_title_with_a_word_of_the_question(brain: Brain) -> None:
    index_records(
        brain,
        record(
            "doc:CONTRIBUTING.md#1",
            "Write to safety@pears.example.",
            title="Contributing › Reporting a security problem",
        ),
        record("pull:2", "Drill planning\n\nA pear with a hole is sorted out.", title="Drill planning"),
        *(record(f"issue:{number}", f"Shelf {number}\n\nOak.", title=f"Shelf {number}") for number in range(3, 30)),
    )
    rows = explain(brain, "How do I report a vulnerability?", scope=Scope()).rows
    assert [row.ref for row in rows][:2] == ["doc:CONTRIBUTING.md#1", "pull:2"]

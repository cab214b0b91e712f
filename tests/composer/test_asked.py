"""What a question asks for, and by which of its words it is looked for."""

from __future__ import annotations

import pytest

from cortex.composer.answer_types import type_of
from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

FERRY = (
    record("doc:docs/fog.md#fog", "When the fog bell rings, no ferry leaves the quay.", title="Fog"),
    record("doc:docs/crew.md#crew", "Each ferry has a crew of four.", title="Crew"),
    record("doc:docs/tides.md#tides", "At low tide lorries wait on the upper deck.", title="Tides"),
)


@pytest.fixture
def ferry(brain: Brain) -> Brain:
    index_records(brain, *FERRY, origin="docs")
    return brain


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("What happens when the fog bell rings?", "text"),
        ("What does a ferry do where two channels meet?", "text"),
        ("What does the sailor who steers look at?", "text"),
        ("When the fog bell rings, what happens?", "text"),
        ("When the fog bell rings, may a ferry leave?", "yes/no"),
        ("When did the ferry sink?", "date"),
        ("So when did it sink?", "date"),
        ("What was changed, and when?", "date"),
        ("Tell me when it sank", "date"),
        ("What sank? When was that?", "date"),
    ],
)
def test_a_clause_that_says_when_or_of_whom_asks_for_no_date_and_nobody(text: str, type_: str) -> None:
    assert type_of(text) == type_


def test_what_happens_when_something_is_so_is_answered_by_a_rule_without_a_date(ferry: Brain) -> None:
    answer = ask(ferry, "What happens when the fog bell rings?", scope=Scope())
    assert answer.citations[0].record.ref == "doc:docs/fog.md#fog"
    assert ask(ferry, "When was the fog bell hung?", scope=Scope()).refused

"""A decision that another amended is told with that one, and before it where that says the same anew."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

NEWER = "docs/adr/0007-shorter-loans.md"


def decision(number: int, name: str, text: str, day: datetime, *links: Link) -> list[Record]:
    path, title = f"docs/adr/000{number}-{name}.md", f"ADR {number}: {name}"
    known = {"path": path, "state": "accepted", "created_at": day}
    return [
        record(f"doc:{path}", f"# {title}\n\nStatus: accepted, {day:%Y-%m-%d}", title=title, links=links, **known),
        record(f"directive:{path}#1", text, title=f"{title} › Decision", **known),
    ]


def asked(brain: Brain, question: str, *, amends: bool = True) -> Answer:
    link = Link(relation="amends", to_ref="doc:docs/adr/0002-loans.md")
    older = "A loan of a book ends after 28 days. A reader has a card with a picture."
    links = (link,) if amends else ()
    index_records(
        brain,
        *decision(2, "loans", older, datetime(2023, 5, 1, tzinfo=UTC)),
        *decision(7, "shorter-loans", "A loan of a book ends after 21 days.", datetime(2024, 5, 1, tzinfo=UTC), *links),
        *decision(3, "shelves", "Shelves are numbered from the door.", datetime(2023, 6, 1, tzinfo=UTC)),
    )
    return ask(brain, question, scope=Scope())


@pytest.mark.parametrize("question", ["When does a loan of a book end?", "Does a loan of a book end after 28 days?"])
def test_what_sets_the_same_anew_is_told_first(brain: Brain, question: str) -> None:
    first, second = asked(brain, question).answer.splitlines()[:2]
    assert "21 days" in first
    assert "28 days" in second
    assert f"amended by {NEWER}" in second


@pytest.mark.parametrize("question", ["What did ADR 2 decide?", "Is ADR 2 still valid?"])
def test_what_amended_a_decision_is_told_with_it(brain: Brain, question: str) -> None:
    answer = asked(brain, question)
    assert [one.record.path for one in answer.citations[:2]] == ["docs/adr/0002-loans.md", NEWER]
    assert answer.citations[0].record.amended_by == f"doc:{NEWER}"


def test_a_list_of_decisions_stays_as_it_was_asked_for(brain: Brain) -> None:
    answer = asked(brain, "Which decisions were accepted in 2023?")
    assert {one.record.path for one in answer.citations} == {"docs/adr/0002-loans.md", "docs/adr/0003-shelves.md"}


def test_a_decision_that_was_amended_is_no_strong_answer_alone(brain: Brain) -> None:
    answer = asked(brain, "Does a card have a picture?")
    assert f"amended by {NEWER}" in answer.answer.splitlines()[0]
    assert answer.evidence == "moderate"


def test_a_decision_that_nothing_amended_is_told_alone(brain: Brain) -> None:
    assert {one.record.path for one in asked(brain, "Is ADR 2 still valid?", amends=False).citations} == {
        "docs/adr/0002-loans.md"
    }

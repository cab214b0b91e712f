"""As of a day no line is quoted that was written later: what names a later record, or tells what replaced it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.hindsight import without_hindsight
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def month(number: int) -> datetime:
    return datetime(2024, number, 1, tzinfo=UTC)


def decision(number: int, title: str, body: str, made: datetime, *links: Link, state: str = "accepted") -> Record:
    path = f"docs/adr/{number:04}-oven.md"
    return record(f"doc:{path}", body, title=title, path=path, state=state, created_at=made, links=links)


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """A bakery's ovens: a decision that another replaced, changes that no release has, and a plan that was changed."""
    with open_brain(tmp_path_factory.mktemp("bakery") / "brain.db") as brain:
        index_records(
            brain,
            decision(
                1,
                "1. Loaves are baked at 230 degrees",
                "Date: 2024-02-01\n\nStatus: Superseded by [ADR 0002](0002-oven.md)\n\n"
                "Loaves are baked at 230 degrees.",
                month(2),
                state="superseded",
            ),
            decision(
                2,
                "2. Loaves are baked at 250 degrees",
                "Status: Accepted\n\nSupersedes: [ADR 0001](0001-oven.md)\n\nLoaves are baked at 250 degrees.",
                month(6),
                Link(relation="supersedes", to_ref="doc:docs/adr/0001-oven.md"),
            ),
            record(
                f"commit:{'a' * 12}",
                "Begin a changelog",
                created_at=month(1),
                links=(Link(relation="touches", to_ref="file:CHANGELOG.md"),),
            ),
            record(
                "doc:CHANGELOG.md#unreleased",
                "- The proofing box holds 40 trays\n  of dough (#12).\n- The cooling rack turns once an hour (#11).",
                title="Changelog › Unreleased",
                path="CHANGELOG.md",
            ),
            *(
                record(
                    f"pull:{number}",
                    title,
                    author="ines",
                    state="merged",
                    created_at=month(2),
                    merged_at=merged,
                    closed_at=merged,
                )
                for number, title, merged in (
                    (11, "Turn the rack once an hour", month(3)),
                    (12, "A larger box", month(8)),
                )
            ),
            record(
                "issue:31",
                "The deck oven heats unevenly\n\nThe left side of the deck oven is hotter.\n\n"
                "Edit: the burner is clogged, see #40.",
                author="ines",
                state="open",
                created_at=month(2),
            ),
            record("issue:40", "Clean the burner", author="ines", state="open", created_at=month(7)),
        )  # fmt: skip
        yield brain


def asked(brain: Brain, text: str, at: datetime | None) -> Answer:
    return ask(brain, text, scope=Scope(), as_of=at)


@pytest.mark.parametrize(
    "text", ["What is the status of ADR 0001?", "Is ADR 0001 superseded?", "What does ADR 0001 say?"]
)
def test_a_status_that_names_what_replaced_it_later_is_not_quoted(bakery: Brain, text: str) -> None:
    then, now = asked(bakery, text, month(4)), asked(bakery, text, None)
    assert "uperseded by" not in then.answer
    assert not any("ADR 0002" in one.excerpt for one in then.citations)
    assert "doc:docs/adr/0001-oven.md" in {one.record.ref for one in then.citations}
    assert "uperseded by" in now.answer


def test_in_which_state_a_decision_was_is_not_sure_as_of_a_day(bakery: Brain) -> None:
    assert asked(bakery, "What is the status of ADR 0001?", month(4)).evidence == "moderate"


def test_what_replaced_an_earlier_decision_is_quoted_as_soon_as_it_did(bakery: Brain) -> None:
    answer = asked(bakery, "What is the status of ADR 0001?", month(7)).answer
    assert "superseding docs/adr/0001-oven.md" in answer


@pytest.mark.parametrize(("at", "known"), [(month(4), False), (month(9), True), (None, True)])
def test_an_unreleased_change_is_known_once_it_is_merged(bakery: Brain, at: datetime | None, *, known: bool) -> None:
    answer = asked(bakery, "How many trays does the proofing box hold?", at).answer
    assert ("40 trays" in answer) == known


def test_what_stands_beside_it_and_was_merged_before_is_known(bakery: Brain) -> None:
    answer = asked(bakery, "How often does the cooling rack turn?", month(4)).answer
    assert "once an hour" in answer
    assert "40 trays" not in answer


@pytest.mark.parametrize(("at", "known"), [(month(4), False), (month(9), True)])
def test_a_line_that_names_what_was_opened_later_was_added_later(bakery: Brain, at: datetime, *, known: bool) -> None:
    answer = asked(bakery, "Why is the left side of the deck oven hotter?", at).answer
    assert ("clogged" in answer) == known


def test_a_wish_where_nothing_was_decided_yet_is_never_sure(brain: Brain) -> None:
    index_records(
        brain,
        *(record(f"issue:{number}", f"The slicer jams at {number}", created_at=month(1)) for number in range(50, 59)),
        record(
            "issue:30",
            "Which rye flour: type 1150 or type 997?\n\nThe 1150 is darker, the 997 rises better. "
            "We need one for the rye loaves.",
            author="ines",
            state="open",
            created_at=month(2),
        ),
        record(
            "comment:30#1",
            "Type 1150! The mill next door has a silo full of rye flour.",
            author="tomke",
            association="CONTRIBUTOR",
            thread="issue:30",
            created_at=month(3),
        ),
    )
    answer = asked(brain, "Which flour do the rye loaves need?", month(4))
    assert answer.evidence == "moderate"


def test_what_a_later_record_brought_is_blank_and_nothing_moves() -> None:
    text = "# Rack\nDate: 1\nStatus: Superseded\nby #9\n\n| #9 | x |\n| #7 | y |\n"
    left = without_hindsight(text, re.compile("#9"))
    assert len(left) == len(text)
    assert [line for line in left.splitlines() if line.strip()] == ["# Rack", "Date: 1", "| #7 | y |"]


@pytest.mark.parametrize("question", ["What is the status of ADR 0001?", "How often does the cooling rack turn?"])
def test_what_is_quoted_of_a_day_is_in_the_record_as_it_is(bakery: Brain, question: str) -> None:
    bodies = [body for (body,) in bakery.db.execute("select body from records")]
    cited = asked(bakery, question, month(4)).citations
    assert cited
    assert all(any(one.excerpt in body for body in bodies) for one in cited)

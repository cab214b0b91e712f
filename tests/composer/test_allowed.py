"""Whether something is allowed is told by what rules, and why it is not by nobody who speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

BEGAN = datetime(2024, 5, 1, tzinfo=UTC)


def said(number: int, body: str, *, days: int, author: str = "lou", association: str = "MEMBER") -> Record:
    at = BEGAN + timedelta(days=days)
    fields = {"thread": f"issue:{number}", "author": author, "association": association}
    return record(f"comment:{number}#{number}{days}", body, created_at=at, **fields)


def closed(number: int, title: str, body: str, *, days: int) -> Record:
    ended = BEGAN + timedelta(days=days)
    return record(f"issue:{number}", f"{title}\n\n{body}", state="closed", created_at=BEGAN, closed_at=ended)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("allowed") / "brain.db") as brain:
        index_records(
            brain,
            closed(1, "Allow wading at the lower weir?", "It is hot. Could people wade there?", days=9),
            said(1, "The ropes are still in the shed.", days=1),
            said(1, "Wading at the lower weir is fine, other clubs do it.", days=2, author="kit"),
            said(1, "The current under the sill took two of our boats.", days=4, author="jo"),
            said(1, "As before: no wading. Closing.", days=9, association="OWNER"),
            record("directive:AGENTS.md#1", "Boats keep ten metres off; never bring wading back.", title="AGENTS"),
            closed(2, "Fires on the gravel bank", "May we light one?", days=9),
            said(2, "Fires on the gravel bank are okay, the stones do not burn.", days=1, author="kit"),
            said(2, "The bank belongs to the county. No fires there.", days=5, association="OWNER"),
            closed(3, "Open lamps in the boat shed", "They smell.", days=9),
            said(3, "Open lamps in the boat shed were allowed at the old club, as far as Kit recalls.", days=1),
            record(
                "doc:house.md", "Rules of the house. No lamps with an open flame in the shed of a boat.", title="House"
            ),
        )
        yield brain


def answered(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


def test_a_directive_rules_over_who_allows_it_in_some_place(brain: Brain) -> None:
    answer = answered(brain, "Is wading at the lower weir fine?")
    assert answer.citations[0].record.ref == "directive:AGENTS.md#1"
    assert answer.evidence == "moderate"


def test_what_a_member_forbids_later_rules_over_who_allowed_it(brain: Brain) -> None:
    assert answered(brain, "Are fires on the gravel bank okay?").citations[0].record.ref == "comment:2#25"


@pytest.mark.parametrize("text", ["Why is wading not allowed?", "Why can't we wade at the lower weir?"])
def test_nobody_who_speaks_for_it_tells_why_it_is_not_allowed(brain: Brain, text: str) -> None:
    answer = answered(brain, text)
    assert "Wading at the lower weir is fine" not in answer.answer.partition("\n")[0]
    assert "took two of our boats" in answer.answer


def test_a_document_that_forbids_something_tells_whether_it_is_allowed(brain: Brain) -> None:
    assert answered(brain, "Are open lamps allowed in the boat shed?").citations[0].record.ref == "doc:house.md"


def test_who_decided_what_a_directive_says_is_told_beside_it(brain: Brain) -> None:
    answer = answered(brain, "Who decided never to bring wading back?")
    assert answer.citations[0].record.ref == "directive:AGENTS.md#1"
    assert "As before: no wading." in answer.answer

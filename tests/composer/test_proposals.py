"""What is only proposed, or only somebody's word, neither comes before what was done nor is it sure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

BEGAN = datetime(2024, 5, 1, tzinfo=UTC)


def pull(number: int, title: str, body: str, *, days: int, merged: int | None = None) -> Record:
    at = BEGAN + timedelta(days=days)
    ended = None if merged is None else BEGAN + timedelta(days=merged)
    fields = {"state": "open"} if ended is None else {"state": "merged", "merged_at": ended, "closed_at": ended}
    return record(f"pull:{number}", f"{title}\n\n{body}", author="ada", created_at=at, **fields)


def said(number: int, body: str, *, days: int, author: str = "dee", of: str = "issue") -> Record:
    at = BEGAN + timedelta(days=days)
    fields = {"thread": f"{of}:{number}", "author": author, "association": "CONTRIBUTOR"}
    return record(f"comment:{number}#{number}{days}", body, created_at=at, **fields)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("proposals") / "brain.db") as brain:
        index_records(
            brain,
            pull(1, "Let the kiln cool for 9 hours", "The kiln cooling pause is nine hours.", days=0, merged=2),
            pull(2, "Shorten the kiln cooling pause to 6 hours", "Sets the cooling pause to 6.", days=10, merged=30),
            pull(3, "Kiln cooling pause of 4 hours", "Proposal: the kiln cooling pause goes from 6 to 4.", days=60),
            pull(4, "Replace the glaze cupboard by crates", "The glaze cupboard goes, crates come.", days=61),
            record("issue:5", "Raku on Sundays\n\nThe smoke is a nuisance.", state="closed", created_at=BEGAN),
            said(5, "Raku firing on Sundays is all right with me.", days=3),
            pull(6, "Bake the clay twice", "The first firing at 900, the second at 1240.", days=62, merged=70),
            said(6, "The wheel bearing grease is renewed by this.", days=64, author="lint[bot]", of="pull"),
        )
        yield brain


def answered(brain: Brain, text: str, *, as_of: datetime | None = None) -> Answer:
    return ask(brain, text, scope=Scope(), as_of=as_of)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Is the kiln cooling pause 4 hours?", "pull:2"),
        ("What is the kiln cooling pause?", "pull:2"),
        ("Why is the kiln cooling pause 6 hours?", "pull:2"),
    ],
)
def test_what_was_merged_comes_before_what_is_proposed(brain: Brain, text: str, first: str) -> None:
    answer = answered(brain, text)
    assert answer.citations[0].record.ref == first
    assert "PR #3 by ada, open" in answer.answer


def test_what_is_in_force_is_no_sure_answer_to_another_number(brain: Brain) -> None:
    assert answered(brain, "Did we change the kiln cooling pause to 4 hours?").evidence == "moderate"
    assert answered(brain, "What is the kiln cooling pause?").evidence == "strong"


def test_what_was_open_on_a_day_was_only_proposed_then(brain: Brain) -> None:
    answer = answered(brain, "What is the kiln cooling pause?", as_of=BEGAN + timedelta(days=20))
    assert answer.citations[0].record.ref == "pull:1"


def test_what_nothing_but_a_proposal_tells_is_not_sure_and_called_open(brain: Brain) -> None:
    answer = answered(brain, "What replaces the glaze cupboard?")
    assert answer.citations[0].record.ref == "pull:4"
    assert answer.answer.startswith("PR #4 by ada, open")
    assert answer.evidence == "moderate"


def test_a_question_about_pull_requests_is_answered_by_the_open_one(brain: Brain) -> None:
    answer = answered(brain, "Which pull request proposes a kiln cooling pause of 4 hours?")
    assert answer.citations[0].record.ref == "pull:3"


def test_whether_something_is_so_is_not_sure_where_only_somebody_says_it(brain: Brain) -> None:
    answer = answered(brain, "Is raku firing on Sundays all right?")
    assert answer.citations[0].record.ref == "comment:5#53"
    assert answer.evidence == "moderate"


def test_what_only_a_program_says_is_not_sure(brain: Brain) -> None:
    answer = answered(brain, "What is done with the wheel bearing grease?")
    assert answer.citations[0].record.ref == "comment:6#664"
    assert answer.evidence == "moderate"

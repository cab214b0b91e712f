"""What another pull request gave another value stopped being true with it, as long as that stands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import NOW, index_records, record


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(tmp_path / "brain.db") as brain:
        yield brain


def pull(number: int, text: str, *, state: str = "merged") -> Record:
    when = NOW + timedelta(days=number)
    merged = {"merged_at": when} if state == "merged" else {}
    return record(f"pull:{number}", text, created_at=when, state=state, **merged)


def ends(brain: Brain) -> dict[str, str]:
    asked = "select r.ref, substr(valid_until, 1, 10) from facts f join records r on r.id = f.record_id"
    return {ref: until for ref, until in brain.db.execute(asked) if until}


FIRST = pull(1, "Close the locks after 30 minutes\n\nAs long as `lock_minutes` (default 30).")


@pytest.mark.parametrize(
    "text",
    [
        "Keep the locks open for 45\n\nLower `lock_minutes` from 30 to 45.",
        "45 it is\n\n`lock_minutes` 30 -> 45, as asked.",
        "Use 45 for locks\n\nSets `lock_minutes` to 45.",
        "Close the locks after 45 minutes\n\nWas 30.",
        "Close the locks after 45 minutes\n\nInstead of 30, which was short.",
    ],
)
def test_a_value_was_true_until_another_was_given(brain: Brain, text: str) -> None:
    index_records(brain, FIRST)
    assert ends(brain) == {}
    index_records(brain, FIRST, pull(2, text))
    assert ends(brain) == {"pull:1": "2026-01-03"}
    index_records(brain, FIRST, pull(2, text), pull(3, "Back\n\nReverts #2"))
    assert ends(brain) == {"pull:2": "2026-01-04"}


@pytest.mark.parametrize(
    "second",
    [
        pull(2, "Use 45 for locks\n\nSets `lock_minutes` to 45.", state="open"),
        pull(2, "Use 45 for gates\n\nSets `gate_minutes` to 45."),
        pull(2, "Speak of locks in 3 places\n\nSets `lock_minutes` to 45 in a test."),
        pull(2, "Close the locks after 45 minutes\n\nThe second of two lakes."),
        pull(2, "Close the gates after 45 minutes\n\nWas 30."),
    ],
    ids=["open", "another setting", "untitled", "untold", "another title"],
)
def test_what_gives_a_value_to_another_thing_ends_nothing(brain: Brain, second: Record) -> None:
    index_records(brain, FIRST, second)
    assert ends(brain) == {}


@pytest.mark.parametrize(
    ("first", "second", "ended"),
    [
        ("Send the tide tables to Telex", "Move the tide tables from Telex to Radio", True),
        ("Move the tide tables from paper to Harbour Telex", "Replace Telex with radio", True),
        ("Use Telex", "Replaced Telex by radio", True),
        ("Send the tide tables to Telex", "Move the berth plans from Telex to Radio", False),
        ("Add a Telex printer", "Replace Telex with radio", False),
        ("Use Telex", "Speak of Telex", False),
        ("Use Telex", "Remove Telex (#2)", True),
        ("Add support for Telex", "Drop Telex support", True),
        ("Adopt the Telex", "Telex removed", True),
        ("Use Telex", "Remove Telex retries", False),
        ("Use Telex", "docs: remove Telex", False),
        ("Reply to Telex", "Remove Telex", False),
        ("Add a Telex printer", "Remove Telex", False),
    ],
)
def test_a_thing_was_in_its_place_until_another_was_put_there(
    brain: Brain,
    first: str,
    second: str,
    ended: bool,  # noqa: FBT001
) -> None:
    index_records(brain, pull(1, first), pull(2, second))
    assert ends(brain) == ({"pull:1": "2026-01-03"} if ended else {})


def test_a_thing_that_came_again_is_there_until_it_is_removed_again(brain: Brain) -> None:
    first = pull(1, "Use Telex"), pull(2, "Remove Telex"), pull(3, "Use Telex")
    index_records(brain, *first)
    assert ends(brain) == {"pull:1": "2026-01-03"}
    index_records(brain, *first, pull(4, 'Revert "Use Telex"\n\nReverts #3'))
    assert ends(brain)["pull:1"] == "2026-01-03"


def test_what_is_done_to_a_thing_does_not_hide_what_brought_it(brain: Brain) -> None:
    index_records(brain, pull(1, "Use Telex"), pull(2, "Add paper to Telex"), pull(3, "Remove Telex"))
    assert ends(brain) == {"pull:1": "2026-01-04"}


def test_what_was_removed_is_there_again_where_that_is_reverted(brain: Brain) -> None:
    index_records(brain, pull(1, "Use Telex"), pull(2, "Remove Telex"), pull(3, "Telex is back\n\nReverts #2"))
    assert "pull:1" not in ends(brain)


def test_as_of_a_day_only_the_value_of_that_day_is_a_fact(brain: Brain) -> None:
    index_records(brain, FIRST, pull(9, "Use 45 for locks\n\nSets `lock_minutes` to 45."))
    then = ask(brain, "After how many minutes do the locks close?", scope=Scope(), as_of=NOW + timedelta(days=3))
    assert "30" in then.answer
    assert "45" not in then.answer


def test_a_long_text_of_digits_is_read_at_once(brain: Brain) -> None:
    begun = time.perf_counter()
    index_records(
        brain, FIRST, pull(2, "Close the locks after 45 minutes\n\n" + "1:" * 20_000 + "`a` " + "1 " * 20_000)
    )
    assert time.perf_counter() - begun < 5

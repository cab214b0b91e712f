"""What another pull request put something else in the place of stopped being true with it, as long as that stands."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cortex.substrate.brain import Brain
from cortex.substrate.model import Record
from tests.brains import NOW, index_records, record


def pull(number: int, text: str, *, state: str = "merged") -> Record:
    when = NOW + timedelta(days=number)
    merged = {"merged_at": when} if state == "merged" else {}
    return record(f"pull:{number}", text, created_at=when, state=state, **merged)


def ends(brain: Brain) -> dict[str, str]:
    asked = "select r.ref, substr(valid_until, 1, 10) from facts f join records r on r.id = f.record_id"
    return {ref: until for ref, until in brain.db.execute(asked) if until}


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

"""Templates match a question as a whole, and periods are read as days."""

from __future__ import annotations

from datetime import date

import pytest

from cortex.composer.query.intents import matches
from cortex.composer.query.templates import Span, parses, template
from tests.tables import walk

TODAY = date(2024, 10, 10)  # a Thursday


def found(text: str, words: str) -> list[dict[str, object]]:
    made = template(text, {"be": template("(is|was)", {})})
    return [dict(slots) for slots in parses(made, words.split(), lambda _, at: [Span(at + 1, words.split()[at])])]


@walk(
    ("text", "words", "slots"),
    [
        ("who <be> {x}", "who was ada", [{"x": "ada"}]),
        ("who [<be>] {x}", "who ada", [{"x": "ada"}]),
        ("who [<be>] {x}", "who was ada then", []),
        ("(by {x}|in {y})* end", "by ada in may end", [{"x": "ada", "y": "may"}]),
        ("(by {x}|in {y})* end", "by ada by bob end", []),
        ("(by {x}|in {y})* end", "end", [{}]),
    ],
)
def test_a_template_covers_all_words_and_fills_a_slot_once(
    text: str, words: str, slots: list[dict[str, object]]
) -> None:
    assert found(text, words) == slots


def test_what_closes_nothing_is_no_template() -> None:
    with pytest.raises(ValueError, match="closes nothing"):
        template("who merged)", {})


def test_a_text_without_a_needed_word_need_not_be_tried() -> None:
    assert template("(who|what) [has] merged {thread}", {}).needs == (
        frozenset(("who", "what")),
        frozenset(("merged",)),
        frozenset(("*thread",)),
    )


@walk(
    ("words", "since", "until"),
    [
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("in March", "2024-03-01", "2024-04-01"),
        ("in november", "2023-11-01", "2023-12-01"),
        ("in March 2023", "2023-03-01", "2023-04-01"),
        ("on 2024-05-06", "2024-05-06", "2024-05-07"),
        ("on May 6, 2024", "2024-05-06", "2024-05-07"),
        ("on the 6th of May 2024", "2024-05-06", "2024-05-07"),
        ("in Q4 2023", "2023-10-01", "2024-01-01"),
        ("today", "2024-10-10", "2024-10-11"),
        ("yesterday", "2024-10-09", "2024-10-10"),
        ("this week", "2024-10-07", "2024-10-14"),
        ("last week", "2024-09-30", "2024-10-07"),
        ("last month", "2024-09-01", "2024-10-01"),
        ("last quarter", "2024-07-01", "2024-10-01"),
        ("this year", "2024-01-01", "2025-01-01"),
        ("in the last 7 days", "2024-10-03", "2024-10-11"),
        ("since March 2024", "2024-03-01", ""),
        ("after 2024-05-06", "2024-05-07", ""),
        ("before May 2024", "", "2024-05-01"),
        ("until 2023", "", "2024-01-01"),
        ("between May 2023 and June 2023", "2023-05-01", "2023-07-01"),
    ],
)
def test_a_period_is_read_as_its_first_day_and_the_day_after(words: str, since: str, until: str) -> None:
    asked = next(matches(f"which PRs were merged {words}?", today=TODAY), None)
    assert asked is not None
    assert asked.slots["period"][:2] == (since, until)


@pytest.mark.parametrize("words", ["last blue moon"])
def test_what_is_no_period_matches_nothing(words: str) -> None:
    assert [*matches(f"which PRs were merged {words}?", today=TODAY)] == []

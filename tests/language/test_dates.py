"""A date is a half-open range of days, and the words before it say which end of the asked time it sets."""

from __future__ import annotations

from datetime import date

from cortex.language.dates import dates, period
from tests.tables import walk

TODAY = date(2026, 11, 22)  # a Sunday

PERIODS = [
    ("merged in 2024", "2024-01-01", "2025-01-01"),
    ("since 2024", "2024-01-01", ""),
    ("before 2024-03", "", "2024-03-01"),
    ("after 3 May 2024", "2024-05-04", ""),
    ("until May 3rd, 2024", "", "2024-05-04"),
    ("as of 2024-05-03", "", "2024-05-04"),
    ("between March 2024 and June 2024", "2024-03-01", "2024-07-01"),
    ("from 2023 to 2024", "2023-01-01", "2025-01-01"),
    ("in Q1 2025", "2025-01-01", "2025-04-01"),
    ("the second quarter of 2025", "2025-04-01", "2025-07-01"),
    ("in the first half of 2025", "2025-01-01", "2025-07-01"),
    ("late 2021", "2021-09-01", "2022-01-01"),
    ("last week", "2026-11-09", "2026-11-16"),
    ("this week", "2026-11-16", "2026-11-23"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("in the last two weeks", "2026-11-08", "2026-11-23"),
    ("3 days ago", "2026-11-19", "2026-11-20"),
    ("yesterday", "2026-11-21", "2026-11-22"),
    ("on Monday", "2026-11-16", "2026-11-17"),
    ("since March", "2026-03-01", ""),
    ("in December", "2025-12-01", "2026-01-01"),
    ("this month", "2026-11-01", "2026-12-01"),
    ("last quarter", "2026-07-01", "2026-10-01"),
    ("who merged it?", "", ""),
    ("version 2024.1 of it", "", ""),
    ("2024-02-31 is no day", "", ""),
]


@walk(("text", "after", "before"), PERIODS, ids=[text for text, *_ in PERIODS])
def test_a_text_bounds_a_time(text: str, after: str, before: str) -> None:
    found = period(text, TODAY)
    assert (found.after, found.before) == (after, before)


def test_what_counts_from_today_is_none_without_a_today() -> None:
    assert [*dates("last week and yesterday")] == []


def test_the_31st_goes_back_to_the_last_of_a_shorter_month() -> None:
    assert period("past month", date(2026, 3, 31)).after == "2026-02-28"


@walk(
    ("text", "alone"), [("since last week", True), ("merged last week", False), ("next week", False), ("soon", False)]
)
def test_words_name_a_time_and_nothing_else(text: str, *, alone: bool) -> None:
    assert period(text, TODAY).alone == alone

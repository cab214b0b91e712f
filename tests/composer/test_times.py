"""A time that counts from the day a question is asked on is a date there, or is not understood; never is it ignored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.composer.ask import ask
from cortex.composer.times import with_dates
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

SUNDAY = date(2026, 11, 22)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("merged last year", "merged 2025"),
        ("merged in the previous year", "merged in 2025"),
        ("opened this month", "opened 2026-11"),
        ("opened last month", "opened 2026-10"),
        ("closed since last month", "closed since 2026-10"),
        ("merged this week", "merged between 2026-11-16 and 2026-11-22"),
        ("merged last week", "merged between 2026-11-09 and 2026-11-15"),
        ("merged since last week", "merged since 2026-11-09"),
        ("merged until last week", "merged until 2026-11-15"),
        ("merged in the last week", "merged between 2026-11-09 and 2026-11-15"),
        ("merged in the past week", "merged between 2026-11-15 and 2026-11-22"),
        ("merged in the last 30 days", "merged between 2026-10-23 and 2026-11-22"),
        ("merged over the past three months", "merged between 2026-08-22 and 2026-11-22"),
        ("opened yesterday", "opened 2026-11-21"),
        ("opened today", "opened 2026-11-22"),
        ("opened 3 days ago", "opened 2026-11-19"),
        ("opened a month ago", "opened 2026-10"),
        ("opened on monday", "opened on 2026-11-16"),
        ("opened last sunday", "opened 2026-11-15"),
        ("merged in q1 2024", "merged between 2024-01 and 2024-03"),
        ("merged in the third quarter of 2025", "merged between 2025-07 and 2025-09"),
        ("merged in the last quarter of 2025", "merged between 2025-10 and 2025-12"),
        ("merged last quarter", "merged between 2026-07 and 2026-09"),
        ("merged in march", "merged in 2026-03"),
        ("merged in december", "merged in 2025-12"),
        ("merged in march 2024", "merged in march 2024"),
        ("the last merged pr", "the last merged pr"),
        ("the last 2 issues", "the last 2 issues"),
        ("what may be merged", "what may be merged"),
    ],
)
def test_a_time_is_a_date_on_the_day(text: str, dated: str) -> None:
    assert with_dates(text, SUNDAY) == (dated, ())


@pytest.mark.parametrize(
    "text",
    ["merged next week", "merged tomorrow", "merged recently", "merged in the last few weeks", "merged in q1 2027"],
)
def test_a_time_that_is_vague_or_to_come_is_not_understood(text: str) -> None:
    assert with_dates(text, SUNDAY).unclear


@pytest.mark.parametrize("text", ["merged last year", "merged this week", "opened yesterday", "merged in march"])
def test_without_a_day_no_time_counts_from_it(text: str) -> None:
    assert with_dates(text, None).unclear


@given(st.dates(), st.sampled_from(["last month", "3 months ago", "the last 12 years", "last quarter", "last week"]))
def test_there_is_a_date_on_every_day(today: date, text: str) -> None:
    if today.year > 1000:
        assert with_dates(text, today).text != text


def pull(number: int, merged: datetime) -> Record:
    return record(
        f"pull:{number}",
        f"Gears of sort {number}\n\nThe mail is sent by gear.",
        author="ada",
        state="merged",
        created_at=merged - timedelta(days=1),
        merged_at=merged,
    )


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("merged") / "brain.db") as brain:
        days = [(2024, 5, 1), (2025, 3, 1), (2026, 10, 9), (2026, 11, 17)]
        index_records(brain, *(pull(number, datetime(*day, tzinfo=UTC)) for number, day in enumerate(days, 1)))
        yield brain


def cited(brain: Brain, text: str, *, now: datetime | None = NOW, as_of: datetime | None = None) -> list[str]:
    return [one.record.ref for one in ask(brain, text, scope=Scope(), now=now, as_of=as_of).citations]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which PRs were merged last year?", ["pull:2"]),
        ("Which PRs were merged this year?", ["pull:4", "pull:3"]),
        ("Which PRs were merged last month?", ["pull:3"]),
        ("Which PRs were merged this week?", ["pull:4"]),
        ("How many PRs were merged in the last 60 days?", ["pull:4", "pull:3"]),
        ("Which PRs were merged in Q1 2025?", ["pull:2"]),
        ("Which PRs were merged in March?", []),
        ("Which PRs were merged last week?", []),
        ("Which PRs were merged next year?", []),
        ("Which PRs were merged recently?", []),
        ("the last merged PR", ["pull:4"]),
    ],
)
def test_a_list_is_of_the_time_it_asks_for(merged: Brain, text: str, refs: list[str]) -> None:
    assert cited(merged, text) == refs


def test_as_of_a_day_times_count_from_that(merged: Brain) -> None:
    assert cited(merged, "Which PRs were merged last year?", as_of=datetime(2025, 6, 1, tzinfo=UTC)) == ["pull:1"]


def test_a_list_that_cannot_be_dated_is_refused(merged: Brain) -> None:
    assert ask(merged, "Which PRs were merged last year?", scope=Scope()).refused


def test_a_list_of_a_matter_is_of_its_time_too(merged: Brain) -> None:
    assert {*cited(merged, "Which PRs about mail were merged last year?")} <= {"pull:2"}
    assert not cited(merged, "Which PRs about mail were merged recently?")

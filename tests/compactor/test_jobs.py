"""What each job takes out, merges and leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cortex.compactor.run import CLEANING, Ran, compact
from tests.compactor.brains import NOW, TODAY, Facts


def run(facts: Facts, job: str) -> Ran:
    (ran,) = compact(facts.brain, jobs=[job], now=NOW).jobs
    return ran


def test_a_fact_whose_record_is_gone_goes_to_the_archive(facts: Facts) -> None:
    gone = facts.add("The parser is ours.", "issue:1", gone=TODAY)
    kept = facts.add("The lexer is theirs.", "issue:2")
    ran = run(facts, "orphans")
    assert facts.handles() == {kept}
    assert (ran.looked_at, ran.changed, ran.examples[0].handle) == (2, 1, gone)
    assert facts.archived(gone)["reason"] == "its record is gone since 2026-05-31"


@pytest.mark.parametrize(
    ("confidence", "touched", "stays"),
    [
        (0.29, TODAY, False),
        (0.30, TODAY, True),
        (0.55, "2010-01-01T00:00:00Z", False),
        (0.95, "2010-01-01T00:00:00Z", True),
    ],
    ids=["weak", "just enough", "weak and old", "sure and old"],
)
def test_only_what_few_would_bet_on_goes(facts: Facts, confidence: float, touched: str, *, stays: bool) -> None:
    handle = facts.add("It may be so.", confidence=confidence, touched_at=touched)
    run(facts, "low_confidence")
    assert (handle in facts.handles()) is stays


@pytest.mark.parametrize(("confidence", "told"), [(0.1234, "0.12"), (0.295, "0.295"), (0.299999, "0.299999")], ids=str)
def test_a_reason_shows_that_the_confidence_is_below(facts: Facts, confidence: float, told: str) -> None:
    handle = facts.add("It may be so.", confidence=confidence)
    run(facts, "low_confidence")
    assert facts.archived(handle)["reason"] == f"confidence {told} is below 0.3"


def test_what_no_longer_holds_takes_nothing_that_does_out(facts: Facts) -> None:
    over = facts.add("Use WAL mode.", "doc:a.md", authority=0.95, valid_until="2026-01-01T00:00:00Z")
    stands = facts.add("Use WAL mode.", "doc:b.md", authority=0.7)
    facts.add("Use WAL mode.", "doc:c.md", authority=0.6)
    assert run(facts, "exact_duplicates").changed == 1
    assert facts.handles() == {over, stands}


def test_the_weightiest_of_equal_statements_stays_and_is_surer(facts: Facts) -> None:
    early = facts.add("Use WAL mode.", "doc:a.md", authority=0.7, valid_from="2020-01-01T00:00:00Z")
    heavy = facts.add("use WAL mode", "doc:b.md", authority=0.9)
    late = facts.add("Use  WAL mode!", "doc:c.md", authority=0.7)
    assert run(facts, "exact_duplicates").changed == 2
    assert facts.handles() == {heavy}
    assert facts.confidence(heavy) == 0.9
    assert {facts.archived(one)["merged_into"] for one in (early, late)} == {heavy}


def test_of_equal_weight_the_earliest_stays(facts: Facts) -> None:
    facts.add("Use WAL mode.", "doc:a.md", valid_from="2022-01-01T00:00:00Z")
    early = facts.add("Use WAL mode.", "doc:b.md", valid_from="2020-01-01T00:00:00Z")
    run(facts, "exact_duplicates")
    assert facts.handles() == {early}


def test_confidence_ends_at_one_however_many_say_the_same(facts: Facts) -> None:
    handles = [facts.add("Use WAL mode.", f"doc:{n}.md", confidence=0.9) for n in range(9)]
    run(facts, "exact_duplicates")
    (left,) = facts.handles() & set(handles)
    assert facts.confidence(left) == 1.0


def test_what_merged_earlier_corroborates_whoever_stands_now(facts: Facts) -> None:
    facts.add("Use WAL mode.", "doc:a.md")
    facts.add("Use WAL mode.", "doc:b.md")
    run(facts, "exact_duplicates")
    heavy = facts.add("Use WAL mode.", "doc:c.md", authority=0.9)
    run(facts, "exact_duplicates")
    assert facts.handles() == {heavy}
    assert facts.confidence(heavy) == 0.9


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 0.8), (89, 0.8), (90, 0.72), (179, 0.72), (180, 0.648), (5000, 0.4)], ids=str
)
def test_confidence_fades_by_full_quarters_down_to_half(facts: Facts, days: int, expected: float) -> None:
    touched = (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    handle = facts.add("Use WAL mode.", touched_at=touched)
    run(facts, "time_decay")
    assert facts.confidence(handle) == pytest.approx(expected)
    later = compact(facts.brain, jobs=["time_decay"], now=NOW)
    assert later.changed == 0


def test_fading_night_by_night_is_fading_once(facts: Facts) -> None:
    handle = facts.add("Use WAL mode.", touched_at="2026-01-01T00:00:00Z")
    for night in range(0, 400, 20):
        compact(facts.brain, jobs=["time_decay"], now=NOW + timedelta(days=night))
    assert facts.confidence(handle) == pytest.approx(0.8 * 0.9**5)


def test_directives_and_facts_without_a_date_do_not_fade(facts: Facts) -> None:
    rule = facts.add("No native controls.", kind="directive", touched_at="2001-01-01T00:00:00Z")
    undated = facts.add("Once upon a time.", touched_at=None)
    assert run(facts, "time_decay").changed == 0
    assert facts.confidence(rule) == facts.confidence(undated) == 0.8


@pytest.mark.parametrize("touched", ["", "yesterday", "2026-13-77T00:00:00Z", "2999-01-01T00:00:00Z"])
def test_a_date_that_is_none_or_to_come_ages_nothing(facts: Facts, touched: str) -> None:
    facts.add("Use WAL mode.", touched_at=touched)
    assert run(facts, "time_decay").changed == 0


def test_an_unknown_date_format_never_stops_a_run(facts: Facts) -> None:
    facts.add("Use WAL mode.", touched_at="2026-05-31T00:00:00+02:00")
    assert run(facts, "time_decay").changed == 0


@pytest.mark.parametrize("job", CLEANING)
def test_a_source_that_was_not_named_is_left_alone(facts: Facts, job: str) -> None:
    for source in ("web", "api"):
        facts.add("Use WAL mode.", "doc:a.md", source=source)
        facts.add("Use WAL mode.", "doc:b.md", source=source)
        facts.add("It may be so.", "doc:b.md", source=source, confidence=0.1, touched_at="2011-01-01T00:00:00Z")
        facts.add("Gone.", "doc:c.md", source=source, gone=TODAY)
        facts.add("Whoever renames a table also renames the index that stands on it", "doc:b.md", source=source)
        facts.add("Whoever renames a table also renames an index that stands on it", "doc:b.md", source=source)
    before = facts.dump("api")
    assert compact(facts.brain, source="web", jobs=[job], now=NOW).changed
    assert facts.dump("api") == before

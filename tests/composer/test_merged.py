"""Whether a thing was merged, and when, is told of the pull request that brought it, not of those beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def pull(number: int, body: str, *, merged: bool = True) -> Record:
    at = datetime(2024, 1, number, tzinfo=UTC)
    return record(
        f"pull:{number}", body, author="ada", state="merged" if merged else "open", created_at=at,
        closed_at=at if merged else None, merged_at=at if merged else None, merged_by="bob" if merged else "",
    )  # fmt: skip


def comment(of: int, number: int, body: str) -> Record:
    at = datetime(2024, 1, of, tzinfo=UTC)
    return record(f"comment:{of}#{number}", body, author="cleo", thread=f"pull:{of}", created_at=at)


@pytest.fixture(scope="module")
def pulls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("merged") / "brain.db") as brain:
        index_records(
            brain,
            pull(3, 'Add "tidegate" module implementing TG7'),
            pull(4, "Add tide gate to CHANGELOG"),
            pull(5, "Add tests for the tide gate"),
            pull(6, "Use the tide gate in the lock\n\nWhere tide gate is merged, tide gate tests.", merged=False),
            pull(7, "Slow valves and more"),
            *(comment(7, 70 + place, f"The snifter of basin {place} whistles.") for place in range(9)),
            pull(8, "WIP: turbine", merged=False),
            *(comment(8, 90 + place, f"The turbine of basin {place} whistles.") for place in range(9)),
            pull(9, "docs: turbine"),
            pull(10, "Add door lock", merged=False),
            pull(11, "Add door lock icon"),
            pull(12, "Slack alerts: groundwork"),
            pull(13, "Dashboard, first draft (not wired up)"),
            pull(14, "Implement GraphQL schema validation"),
            pull(15, "Rename the winch"),
            pull(16, "Add exhaustive test for the boom"),
            pull(17, "Encryption (#17)"),
            pull(18, "Remove encryption again"),
            pull(19, "Add support for sirens with tests"),
            pull(20, 'Revert "Add support for sirens with tests"\n\nReverts #19.'),
            pull(21, 'Revert "Add fog horn"\n\nWould revert #22.', merged=False),
            pull(22, "Add the fog horn at 80 Hz (RFC 7)"),
            pull(23, "Add code signing to the README"),
            pull(24, "Add buoy patterns"),
            pull(25, "Buoy", merged=False),
            pull(26, "Add lamps (1/3)"),
            pull(27, "Remove lamps icon"),
        )
        yield brain


@pytest.mark.parametrize(
    ("text", "number", "day"),
    [
        ("Is the tide gate merged?", 3, "2024-01-03"),
        ("When was the tide gate module merged?", 3, "2024-01-03"),
        ("Has the tidegate been merged yet?", 3, "2024-01-03"),
        ("Who merged the tide gate?", 3, "2024-01-03"),
        ("When was encryption merged?", 17, "2024-01-17"),
        ("Is the fog horn merged?", 22, "2024-01-22"),
    ],
)
def test_the_pull_request_that_brought_a_thing_tells_that_it_was_merged(
    pulls: Brain, text: str, number: int, day: str
) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.citations[0].record.ref == f"pull:{number}"
    assert f"merged {day} by bob" in answer.answer.split("\n")[0]


@pytest.mark.parametrize("text", ["Is the turbine merged?", "When was the turbine merged?"])
def test_of_what_was_not_merged_no_other_change_is_told_as_it(pulls: Brain, text: str) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.refused or not answer.answer.startswith("PR #9 (")


@pytest.mark.parametrize(
    "text",
    [
        "When was the snifter merged?", "Are Slack alerts merged?", "Is the dashboard merged?", "Is GraphQL merged?",
        "When was the GraphQL schema merged?", "Is the winch merged?", "Who merged the winch?", "Are lamps merged?",
        "Is the exhaustive test merged?", "Is the boom merged?", "Who merged code signing?",
    ],
)  # fmt: skip
def test_a_title_that_brings_less_than_the_thing_or_another_does_not_tell_that_it_was_merged(
    pulls: Brain, text: str
) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.refused or " (merged " not in answer.answer.split("\n")[0]


@pytest.mark.parametrize(
    ("text", "number"), [("Is the door lock merged?", 10), ("Who merged the door lock?", 10), ("Are buoys merged?", 25)]
)
def test_one_that_is_open_and_more_exactly_it_stands_first(pulls: Brain, text: str, number: int) -> None:
    first = ask(pulls, text, scope=Scope()).answer.split("\n")[0]
    assert first.startswith(f"PR #{number} by ada, open")


@pytest.mark.parametrize(("text", "number"), [("Is encryption merged?", 18), ("Are sirens merged?", 20)])
def test_what_took_it_out_since_is_told_before_what_brought_it(pulls: Brain, text: str, number: int) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert [one.record.ref for one in answer.citations][:2] == [f"pull:{number}", f"pull:{number - 1}"]


def test_before_it_was_merged_it_was_not(pulls: Brain) -> None:
    answer = ask(pulls, "Is the tide gate merged?", scope=Scope(), as_of=datetime(2024, 1, 2, tzinfo=UTC))
    assert "merged 2024-01-03" not in answer.answer

"""Who took a thing out, when and why is told by the change that did, not by what was done to it before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def day(number: int) -> datetime:
    return datetime(2023, 1, number, tzinfo=UTC)


def merged(number: int, title: str, body: str = "", *, links: tuple[Link, ...] = ()) -> Record:
    text, at = f"{title}\n\n{body}".strip(), day(number)
    return record(
        f"pull:{number}", text, author="ada", state="merged", created_at=at, closed_at=at, merged_at=at, links=links
    )


def commit(number: int, title: str) -> Record:
    return record(f"commit:{number:012x}", title, author="Rosa Lind", created_at=day(number))


FILLING = [merged(n, f"Grease gate {n}", "It squeaked.") for n in range(20, 29)]


@pytest.fixture
def weir(brain: Brain) -> Brain:
    index_records(
        brain,
        merged(2, "sonde: Remove unused filter: stop", "The filter has not been available since last year."),
        merged(3, "sonde: update the mount", "Sonde was removed from the old mount when it froze."),
        commit(5, "gauges: Remove support for Sonde Pro"),
        merged(6, "[RFC] Remove Brann testing support", "The motivation is that nobody runs it."),
        merged(8, "Remove Water Level Index", "Nobody reads the water level index (WLI), because it lags."),
        merged(9, "wli: no longer read the tide table"),
        record("comment:7#1", "Closing, because we removed the WLI in #8.", title="WLI is slow", thread="issue:7"),
        *FILLING,
    )
    return brain


@pytest.mark.parametrize(
    ("question", "ref"),
    [
        ("When was Sonde Pro removed?", "commit:000000000005"),
        ("Who dropped Sonde Pro?", "commit:000000000005"),
        ("When did we stop using Sonde Pro?", "commit:000000000005"),
        ("Which commit removed Sonde Pro?", "commit:000000000005"),
        ("Has Sonde Pro been removed?", "commit:000000000005"),
        ("Who removed the Brann dependency in tests?", "pull:6"),
        ("Who removed WLI?", "pull:8"),
        ("When was the old WLI removed?", "pull:8"),
        ("Why was WLI removed?", "pull:8"),
        ("Was WLI removed?", "pull:8"),
    ],
)
def test_the_change_that_took_a_thing_out_is_cited_first(weir: Brain, question: str, ref: str) -> None:
    assert ask(weir, question, scope=Scope()).citations[0].record.ref == ref


def test_it_is_told_who_did_it_and_when(weir: Brain) -> None:
    first = ask(weir, "Who removed WLI?", scope=Scope()).answer.splitlines()[0]
    assert first.startswith("PR #8 (merged 2023-01-08, written by ada): Remove Water Level Index")


@pytest.fixture
def moved(brain: Brain) -> Brain:
    index_records(
        brain,
        merged(2, "Add Nimbus CI"),
        record("issue:4", "Future of our checks after the Nimbus price change\n\nNimbus will cap free hours.",
               created_at=day(3), author="lin", state="closed"),
        merged(5, 'ci: Remove "arm: night" task from Nimbus CI', "See the comment."),
        merged(7, "ci: Move remaining tasks from Nimbus to Forge Actions", "This concludes #4."),
        *FILLING,
    )  # fmt: skip
    return brain


@pytest.mark.parametrize("question", ["When was Nimbus CI removed?", "Who removed Nimbus?"])
def test_a_thing_is_gone_when_the_rest_is_moved_from_it(moved: Brain, question: str) -> None:
    assert ask(moved, question, scope=Scope()).citations[0].record.ref == "pull:7"


@pytest.mark.parametrize("question", ["Why was Nimbus CI removed?", "Why was Nimbus replaced?"])
def test_why_is_told_by_the_issue_where_the_change_gives_no_reason(moved: Brain, question: str) -> None:
    answer = ask(moved, question, scope=Scope())
    assert answer.citations[0].record.ref == "issue:4"
    assert "pull:7" in [one.record.ref for one in answer.citations]
    assert answer.evidence == "moderate"


def test_what_was_taken_out_of_the_documents_alone_is_not_gone(brain: Brain) -> None:
    index_records(brain, merged(4, "docs: Remove Sonde"), merged(5, "Sonde: log the depth"), *FILLING)
    assert not ask(brain, "Was Sonde removed?", scope=Scope()).answer.startswith("PR #4 (")


def test_a_document_that_tells_why_comes_before_the_change(brain: Brain) -> None:
    why = record("doc:docs/adr/4.md", "We removed Sonde because it drifts.", title="4. No Sonde", path="docs/adr/4.md")
    index_records(brain, why, merged(5, "Remove Sonde", "It is the best reason to clean up."), *FILLING)
    assert ask(brain, "Why was Sonde removed?", scope=Scope()).citations[0].record.ref == "doc:docs/adr/4.md"


def test_what_was_brought_back_is_told_first_of_whether_it_was_removed(brain: Brain) -> None:
    index_records(brain, merged(4, "Remove Sonde"), merged(9, "Bring back Sonde", "The depth was missed."), *FILLING)
    refs = [one.record.ref for one in ask(brain, "Was Sonde removed?", scope=Scope()).citations]
    assert refs[:2] == ["pull:9", "pull:4"]


def test_the_change_that_has_all_that_is_asked_comes_before_a_later_one(brain: Brain) -> None:
    first = merged(4, "Remove Sonde and add missing gauges")
    index_records(brain, first, merged(9, "Remove Sonde"), *FILLING)
    answer = ask(brain, "Who removed Sonde and added missing gauges?", scope=Scope())
    assert answer.citations[0].record.ref == "pull:4"


def test_what_is_told_of_a_document_took_nothing_out(brain: Brain) -> None:
    index_records(brain, merged(4, "Remove Sonde"), merged(9, "Some updates, e.g. removal of Sonde"), *FILLING)
    assert ask(brain, "Who removed Sonde?", scope=Scope()).citations[0].record.ref == "pull:4"


def test_what_reverted_a_removal_did_not_remove(brain: Brain) -> None:
    revert = merged(6, 'Revert "Remove Sonde"', "The depth was missed.")
    index_records(brain, merged(4, "Remove Sonde", "It drifts."), revert, *FILLING)
    asked = ("When was Sonde removed?", "Who removed Sonde?", "Was Sonde removed?")
    refs = [ask(brain, one, scope=Scope()).citations[0].record.ref for one in asked]
    assert refs == ["pull:4", "pull:4", "pull:6"]


def test_what_was_removed_is_not_known_before_it_was(weir: Brain) -> None:
    answer = ask(weir, "Who removed WLI?", scope=Scope(), as_of=day(7))
    assert "pull:8" not in [one.record.ref for one in answer.citations]

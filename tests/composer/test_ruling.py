"""What rules is cited first, what it outranks is named so, and a later record tells how things are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.choices import choice, is_another_number
from cortex.composer.compose.outranking import OUTRANKED
from cortex.composer.explain import explain
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def test_a_wish_for_another_thing_than_the_rule_s_is_named_as_outranked(demo: Brain) -> None:
    answer = ask(demo, "Can we use Inter as our typeface?", scope=Scope())
    first, *others = answer.answer.split("\n")
    assert answer.citations[0].record.type == "directive"
    assert not first.startswith(OUTRANKED)
    outranked = [line for line in others if line.startswith(OUTRANKED)]
    assert outranked
    assert all("#217" in line for line in outranked)


def test_an_opinion_that_wants_what_the_rule_wants_is_not_outranked(demo: Brain) -> None:
    assert OUTRANKED not in ask(demo, "May I use a native select in a packet?", scope=Scope()).answer


def test_what_a_thread_decided_stands_before_its_opinions(demo: Brain) -> None:
    first, second, *_ = ask(demo, "Should I use Inter?", scope=Scope()).answer.split("\n")
    assert "Closing: we keep Plus Jakarta Sans" in first
    assert second.startswith(OUTRANKED)


@pytest.mark.parametrize(
    "text", ["Is it still three facts that are pinned?", "How many facts are pinned above other rows?"]
)
def test_a_later_record_that_names_the_earlier_tells_how_things_are(demo: Brain, text: str) -> None:
    refs = [one.record.ref for one in ask(demo, text, scope=Scope()).citations]
    assert refs[0] == "pull:958"
    assert "pull:870" in refs


def test_an_earlier_record_is_not_told_again_by_a_later_one_of_another_matter(brain: Brain) -> None:
    def merged(number: int, text: str, month: int) -> Record:
        day = datetime(2025, month, 1, tzinfo=UTC)
        return record(f"pull:{number}", text, state="merged", merged_at=day, created_at=day)

    kept = merged(70, "Keep three sessions open\n\nThe pool keeps three sessions open.", 1)
    printed = merged(71, "Print a banner\n\nThe banner of #70 is printed in blue.", 2)
    others = (record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9))
    index_records(brain, kept, printed, *others)
    assert ask(brain, "How many sessions does the pool keep open?", scope=Scope()).citations[0].record.ref == "pull:70"


@pytest.mark.parametrize(
    ("wish", "rule", "against"),
    [
        ("Use Inter for the board instead of Plus Jakarta Sans", "Plus Jakarta Sans is the only typeface", True),
        ("Use Inter for the board instead of Plus Jakarta Sans\nFair.", "We keep Plus Jakarta Sans", True),
        ("Use Inter instead of Plus Jakarta Sans", "Inter replaced Plus Jakarta Sans", False),
        ("Use `rows` instead of `select`", "No `select` in packets", True),
        ("Use Inter instead of Arial", "Plus Jakarta Sans is the only typeface", False),
        ("Inter is more readable", "Plus Jakarta Sans is the only typeface", False),
    ],
)
def test_a_wish_is_against_a_rule_that_names_what_it_would_drop(wish: str, rule: str, *, against: bool) -> None:
    wanted = choice(wish)
    assert (wanted is not None and wanted.is_against(rule)) is against


@pytest.mark.parametrize("state", ["open", "closed"])
def test_a_pull_request_that_is_not_merged_is_outranked_by_the_rule_it_contradicts(brain: Brain, state: str) -> None:
    index_records(
        brain,
        record("directive:AGENTS.md#1", "Passwords have at least 12 characters.", state="active"),
        record("pull:15", "Passwords have at least 16 characters\n\nNot merged yet.", state=state),
        *(record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9)),
    )
    first, second, *_ = ask(brain, "Do passwords have at least 16 characters?", scope=Scope()).answer.split("\n")
    assert "at least 12" in first
    assert second.startswith(f"{OUTRANKED}PR #15")


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Keep 3 hosts in Oslo.", True),
        ("Keep 4 hosts in Oslo — for now", True),
        ("Keep 2 hosts in Oslo.", False),
        ("Keep 3 hosts in Bergen.", False),
        ("Keep hosts in Oslo.", False),
        ("See #3 hosts in Oslo.", False),
    ],
)
def test_only_a_sentence_of_the_same_words_gives_another_number(said: str, *, other: bool) -> None:
    assert is_another_number(f"Well. {said}", "Keep 2 hosts in Oslo.") is other


def test_why_a_row_was_moved_is_told(demo: Brain) -> None:
    rows = explain(demo, "Should I use Inter?", scope=Scope()).rows
    assert rows[0].moved == "rules"
    assert rows[0].score < max(row.score for row in rows)

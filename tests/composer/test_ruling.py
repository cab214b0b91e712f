"""What rules is cited first, what it outranks is named so, and a later record tells how things are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.choices import choice, is_another_number
from cortex.composer.compose.outranking import OUTRANKED
from cortex.composer.explain import explain
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def test_a_wish_for_another_thing_than_the_rule_s_is_named_as_outranked(demo: Brain) -> None:
    answer = ask(demo, "Can we use Inter as our typeface?", scope=Scope())
    first, *others = answer.answer.split("\n")
    assert answer.citations[0].record.type == "directive"
    assert not first.startswith(OUTRANKED)
    outranked = [line for line in others if OUTRANKED in line]
    assert outranked
    assert all("#217" in line for line in outranked)


def test_an_opinion_that_wants_what_the_rule_wants_is_not_outranked(demo: Brain) -> None:
    assert OUTRANKED not in ask(demo, "May I use a native select in a packet?", scope=Scope()).answer


def test_what_a_thread_decided_stands_before_its_opinions(demo: Brain) -> None:
    first, second, *_ = ask(demo, "Should I use Inter?", scope=Scope()).answer.split("\n")
    assert "Closing: we keep Plus Jakarta Sans" in first
    assert OUTRANKED in second


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


def dated(ref: str, text: str, month: int, **fields: object) -> Record:
    at = datetime(2025, month, 1, tzinfo=UTC)
    merged = {"merged_at": at} if ref.startswith("pull") else {}
    return record(ref, text, created_at=at, **{"state": "merged" if merged else "closed", **merged, **fields})


OTHERS = [dated(f"pull:{number}", f"Refactor topic {number}\n\nOther words.", 1) for number in range(100, 112)]
FIXES = (Link(relation="fixes", to_ref="issue:10"),)
LOST = dated("issue:10", "Rings lost in the flood\n\n212 rings were lost in the flood.", 3)


@pytest.mark.parametrize(
    "later",
    [
        dated("pull:11", "Store rings upstairs\n\nFixes #10. Takes 3 shelves.", 5, links=FIXES),
        dated("pull:11", "Store rings upstairs\n\nFixes #10. Takes 3 shelves, so that none is lost.", 5, links=FIXES),
        dated("issue:11", "Rings lost again?\n\nIs this the flood of #10? We order 40 new rings.", 5),
    ],
    ids=["what mends it", "what mends it in its words", "what asks of it"],
)
def test_how_many_there_were_is_told_by_the_record_of_it_and_not_by_a_newer_one_that_names_it(
    brain: Brain, later: Record
) -> None:
    index_records(brain, *OTHERS, LOST, later)
    answer = ask(brain, "How many rings were lost in the flood?", scope=Scope())
    assert "212 rings" in answer.answer.splitlines()[0]


@pytest.mark.parametrize("question", ["How many rings were lost?", "How many rings were lost in March 2025?"])
def test_what_counts_the_thing_is_told_before_what_has_another_number_and_all_the_words(
    brain: Brain, question: str
) -> None:
    index_records(
        brain,
        *OTHERS,
        dated("issue:10", "Rings lost in the flood\n\nNobody knows yet how many rings were lost.", 3),
        dated("pull:12", "Import rings in batches\n\nImports 500 rings at once. Unlike in #10, no rings are lost.", 5),
        record(
            "doc:docs/flood.md",
            "The river rose at night. In the flood 212 rings were lost.",
            title="2025-03-01 Flood",
            path="docs/flood.md",
        ),
    )
    assert "212 rings" in ask(brain, question, scope=Scope()).answer.splitlines()[0]


def test_an_issue_that_but_asks_below_its_title_is_told_after_what_answers(brain: Brain) -> None:
    index_records(
        brain,
        *OTHERS,
        dated("issue:20", "Duty over Easter\n\nWho was on duty over Easter?", 3),
        dated("pull:21", "Rota for summer\n\nFollows the duty list of Easter (#20).", 5),
        record(
            "doc:docs/heating.md#people",
            "## People\n\nBram Vos was on duty, as all over Easter.",
            title="Heating › People",
            path="docs/heating.md",
        ),
    )
    assert "Bram Vos" in ask(brain, "Who was on duty over Easter?", scope=Scope()).answer.splitlines()[0]

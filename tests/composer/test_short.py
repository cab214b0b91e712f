"""Short everyday questions: what a thread is, what is headed by their words, and what nobody has answered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)
OTHERS = [record(f"issue:{number}", f"Topic {number}\n\nOther words here.", state="open") for number in range(20, 60)]
PAGER = record("issue:6", "Pager rotation\n\nWho carries the pager on weekends?", state="open")
TOLD = record("comment:6#1", "Weekends: Dora until August, then Emil.", title="Pager rotation")
HOTFIX = record(
    "doc:docs/release.md#hotfixes", "## Hotfixes\n\nA hotfix is cherry-picked onto the release branch.",
    path="docs/release.md", title="Release process › Hotfixes",
)  # fmt: skip
SEARCH = record("pull:90", "Search on OpenSearch\n\nMoves search from Postgres to OpenSearch.", state="closed")


def known(brain: Brain, *rows: Record) -> Brain:
    index_records(brain, *rows, *OTHERS)
    return brain


@pytest.mark.parametrize(
    "text", ["What became of #90?", "Tell me about #90", "Is #90 dead?", "What happened to #90?", "Describe PR 90"]
)
def test_whatever_is_asked_of_a_thread_as_a_whole_is_told_by_it(brain: Brain, text: str) -> None:
    assert ask(known(brain, SEARCH), text, scope=Scope()).citations[0].record.ref == "pull:90"


def test_a_part_of_a_document_answers_what_it_is_headed_by(brain: Brain) -> None:
    answer = ask(known(brain, HOTFIX), "How do I make a hotfix?", scope=Scope())
    assert answer.citations[0].record.ref == "doc:docs/release.md#hotfixes"
    assert ask(brain, "Who made the hotfix?", scope=Scope()).refused


def test_who_only_asked_the_same_has_not_answered(brain: Brain) -> None:
    assert ask(known(brain, PAGER), "Who carries the pager on weekends?", scope=Scope()).refused


def test_what_answers_stands_before_who_asked_the_same(brain: Brain) -> None:
    answer = ask(known(brain, PAGER, TOLD), "Who carries the pager on weekends?", scope=Scope())
    assert [one.record.ref for one in answer.citations] == ["comment:6#1", "issue:6"]


@pytest.mark.parametrize("text", ["Was PR #21 reverted?", "Which PR reverted #21?", "Has PR #21 been reverted?"])
def test_a_thread_tells_what_took_it_back(brain: Brain, text: str) -> None:
    taken = record("pull:21", "Add the session cache\n\nA cache.", state="merged", merged_at=NOON)
    back = Link(relation="reverts", to_ref="pull:21")
    title = 'Revert "Add the session cache"'
    revert = record("pull:22", f"{title}\n\nNot now.", state="merged", merged_at=NOON, links=(back,))
    answer = ask(known(brain, taken, revert), text, scope=Scope())
    assert "reverted by PR #22" in answer.answer.splitlines()[0]


BUILD = record(
    "doc:README.md#building-with-cmake", "## Building with CMake\n\nTo keep the sources clean, use a folder apart.",
    path="README.md", title="Ferry › Building with CMake",
)  # fmt: skip
TRIALS = [
    record(
        f"pull:{number}",
        f"Use the right CMake build type in part {number}\n\nThe build with CMake ran `make`.",
        state="merged",
    )
    for number in range(100, 112)
]


def test_a_heading_that_is_what_is_asked_stands_before_who_changed_it(brain: Brain) -> None:
    answer = ask(known(brain, BUILD, *TRIALS), "How do I build with CMake?", scope=Scope())
    assert answer.citations[0].record.ref == "doc:README.md#building-with-cmake"


@pytest.mark.parametrize(
    ("body", "text", "says"),
    [
        ("Seats are held for 20 minutes.", "How long do we hold a seat?", "20 minutes"),
        ("We release every Tuesday and Thursday.", "When do we release?", "Tuesday"),
        ("Retry external calls at most three times.", "How often are external calls retried?", "three times"),
        ("About 2,900 bookings lost.", "How many bookings were lost?", "2,900"),
    ],
)
def test_one_plain_sentence_that_says_it_all_answers(brain: Brain, body: str, text: str, says: str) -> None:
    told = record("doc:docs/guide.md#facts", body, path="docs/guide.md", title="Guide › Facts")
    assert says in ask(known(brain, told), text, scope=Scope()).answer


def test_what_stands_together_nowhere_in_a_large_brain_is_not_told(brain: Brain) -> None:
    apart = [
        record(
            f"issue:{number}",
            f"Report {number}\n\nThe payment of it is due; who was the provider, nobody knows by now.",
        )
        for number in range(200, 204)
    ]
    many = [record(f"issue:{number}", f"Report {number}\n\nNothing of it at all.") for number in range(300, 2400)]
    index_records(brain, *apart, *many)
    assert ask(brain, "Which payment provider do we use?", scope=Scope()).refused
    index_records(brain, record("issue:205", "Report 205\n\nOur payment provider is `Postmark-Pay`, which we use."))
    assert "Postmark-Pay" in ask(brain, "Which payment provider do we use?", scope=Scope()).answer


def test_what_fixed_a_thread_is_told_first_and_what_nobody_fixed_not_at_all(brain: Brain) -> None:
    fixes = Link(relation="fixes", to_ref="issue:20")
    fix = record("pull:70", "Sort the topics\n\nFixes #20.", state="merged", merged_at=NOON, links=(fixes,))
    answer = ask(known(brain, fix), "Which PR fixed #20?", scope=Scope())
    assert answer.citations[0].record.ref == "pull:70"
    for text in ("Which PR fixed #21?", "Is there a fix for #21?", "Is there an open PR for #21?"):
        assert ask(brain, text, scope=Scope()).refused


def test_what_was_decided_of_a_thread_stands_before_the_thread(brain: Brain) -> None:
    asked = record("issue:7", "Replace the mailer?\n\nThe price went up.", state="closed", closed_at=NOON)
    chosen = record("comment:7#1", "We decided on Postmark: best delivery in our test.", thread="issue:7")
    answer = ask(known(brain, asked, chosen), "What was decided on #7?", scope=Scope())
    assert [one.record.ref for one in answer.citations][:2] == ["comment:7#1", "issue:7"]


@pytest.mark.parametrize("text", ["What is the latest on #7?", "Any news on #7?", "What's the progress of issue 7?"])
def test_the_latest_of_a_thread_is_what_was_said_last(brain: Brain, text: str) -> None:
    asked = record("issue:7", "Add Apple Pay\n\nMany ask for it.", state="open")
    said = [
        record(f"comment:7#{number}", body, thread="issue:7", created_at=datetime(2025, number, 1, tzinfo=UTC))
        for number, body in enumerate(("Blocked until the bank signs.", "The bank signed, I start next week.", "+1"), 1)
    ]
    answer = ask(known(brain, asked, *said), text, scope=Scope())
    assert [one.record.ref for one in answer.citations][:2] == ["comment:7#2", "issue:7"]

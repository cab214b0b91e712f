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

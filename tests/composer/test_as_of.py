"""As of a day the answer is what was known then: nothing made later, and each thing in the state it had."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.compose.outranking import OUTRANKED
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

YEARS = (2022, 2023, 2024, 2025, 2026)


def year(number: int, month: int = 6) -> datetime:
    return datetime(number, month, 1, tzinfo=UTC)


def pull(number: int, text: str, made: datetime, merged: datetime | None, *links: Link) -> Record:
    state = "merged" if merged else "open"
    return record(
        f"pull:{number}",
        text,
        author="ada",
        state=state,
        created_at=made,
        merged_at=merged,
        closed_at=merged,
        links=links,
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("cache") / "brain.db") as brain:
        index_records(
            brain,
            pull(1, "The page cache keeps 500 pages\n\nMore made the gateway swap.", year(2022), year(2022, 7)),
            pull(2, "The page cache keeps 900 pages\n\nThe gateway has more memory now.", year(2023), year(2024)),
            pull(
                3,
                "The page cache keeps 500 pages again\n\nThis reverts #2, the gateway swapped.",
                year(2025),
                year(2025, 7),
                Link(relation="reverts", to_ref="pull:2"),
            ),
            record(
                "comment:2#9",
                "The page cache of the gateway keeps 900 pages since the machines grew.",
                author="bob",
                thread="pull:2",
                created_at=year(2024, 7),
            ),
            record("doc:README.md", "# Gateway\n\nThe page cache of the gateway is called larder.", title="Gateway"),
        )
        yield brain


def asked(brain: Brain, text: str, as_of: datetime | None = None) -> Answer:
    return ask(brain, text, scope=Scope(), as_of=as_of)


QUESTION = "How many pages does the page cache of the gateway keep?"


@pytest.mark.parametrize("number", YEARS)
def test_nothing_made_later_is_cited_or_considered(cache: Brain, number: int) -> None:
    for text in (QUESTION, "Why does the page cache keep 500 pages?", "What does #3 revert?", "Is #2 merged?"):
        answer = asked(cache, text, year(number))
        for one in (*answer.citations, *answer.considered):
            made = one.record.created_at
            assert made <= year(number) if made else one.record.type == "doc"


def test_before_anything_was_known_the_answer_is_the_refusal(cache: Brain) -> None:
    assert asked(cache, QUESTION, year(2021)).refused


def test_each_day_has_its_answer(cache: Brain) -> None:
    assert "pull:1" in {one.record.ref for one in asked(cache, QUESTION, year(2022, 8)).citations}
    assert "900 pages" in asked(cache, QUESTION, year(2024, 8)).answer
    assert "500 pages again" in asked(cache, QUESTION, year(2025, 8)).answer
    assert "500 pages again" in asked(cache, QUESTION).answer


def test_a_pull_merged_later_is_shown_open(cache: Brain) -> None:
    before, after = (
        asked(cache, "Is #2 merged?", day).answer.splitlines()[0] for day in (year(2023, 8), year(2024, 8))
    )
    assert before.startswith("PR #2 by ada, open (2023-06-01)")
    assert after.startswith("PR #2 by ada, merged (2024-06-01)")
    record_ = asked(cache, "Is #2 merged?", year(2023, 8)).citations[0].record
    assert (record_.state, record_.merged_at, record_.closed_at) == ("open", None, None)


def test_what_was_reverted_later_stood_then(cache: Brain) -> None:
    for text in (QUESTION, "Is #2 merged?"):
        then, now = asked(cache, text, year(2024, 8)), asked(cache, text)
        assert "revert" not in then.answer
        assert all(one.record.reverted_by == "" for one in then.citations)
        assert "reverted by PR #3" in now.answer


def test_a_document_that_nothing_dates_is_told_of_no_day_after_which_anything_changed(cache: Brain) -> None:
    question = "What is the page cache of the gateway called?"
    assert "larder" in asked(cache, question).answer
    assert "larder" in asked(cache, question, year(2026)).answer
    assert "larder" not in asked(cache, question, year(2023, 2)).answer


def test_a_part_of_a_document_whose_heading_dates_it_is_told_since_then(brain: Brain) -> None:
    doc = record(
        "doc:NEWS.md#2", "The larder of the gateway is mirrored.", title="News › 2.0 - 2023-02-13", path="NEWS.md"
    )
    issues = (record(f"issue:{at}", f"Topic {at}", created_at=year(at)) for at in (2022, 2025))
    index_records(brain, *issues, doc)
    question = "Is the larder of the gateway mirrored?"
    assert "mirrored" in asked(brain, question, year(2024)).answer
    assert "mirrored" not in asked(brain, question, year(2022, 8)).answer


def test_no_document_was_known_before_its_project(cache: Brain) -> None:
    assert asked(cache, "What is the page cache of the gateway called?", year(2021)).refused


def touching(digits: str, made: datetime, *paths: str) -> Record:
    links = tuple(Link(relation="touches", to_ref=f"file:{path}") for path in paths)
    return record(f"commit:{digits * 12}", f"Change {digits}", created_at=made, links=links)


@pytest.fixture
def ruled(brain: Brain) -> Brain:
    """Rules, owners and a runbook without dates, which commits brought in 2023, and somebody who knows better."""
    index_records(
        brain,
        touching("a", year(2023), "AGENTS.md", "CODEOWNERS", "docs/releases.md"),
        touching("b", year(2025), "README.md"),
        record(
            "directive:AGENTS.md#1",
            "Never toggle feature flags in production by hand.",
            title="Rules",
            path="AGENTS.md",
            state="active",
        ),
        record(
            "ownership:CODEOWNERS#1",
            "/billing/ @rosa",
            title="CODEOWNERS › /billing/",
            path="CODEOWNERS",
            assignees=("rosa",),
        ),
        record(
            "doc:docs/releases.md#rollback",
            "Roll a release back with the button of the dashboard.",
            title="Releases › Rolling back",
            path="docs/releases.md",
        ),
        record("issue:44", "Feature flags in production", author="eve", state="open", created_at=year(2022)),
        record(
            "comment:44#1",
            "Feature flags can be toggled straight in production by hand with psql.",
            author="goran",
            thread="issue:44",
            created_at=year(2022, 7),
        ),
    )
    return brain


FLAGS = "Can I toggle feature flags in production by hand?"


@pytest.mark.parametrize("number", [2023, 2024, 2026])
def test_what_rules_does_so_since_the_commit_that_brought_it(ruled: Brain, number: int) -> None:
    first, *others = asked(ruled, FLAGS, year(number, 8)).answer.splitlines()
    assert "Never toggle feature flags" in first
    assert [line.startswith(OUTRANKED) for line in others if "psql" in line] == [True]


def test_before_that_commit_there_was_no_rule(ruled: Brain) -> None:
    assert "Never" not in asked(ruled, FLAGS, year(2022, 8)).answer


@pytest.mark.parametrize(
    ("question", "said"),
    [("Who owns billing?", "owned by rosa"), ("How do I roll a release back?", "button of the dashboard")],
)
def test_owners_and_documents_are_known_since_then_too(ruled: Brain, question: str, said: str) -> None:
    assert said in asked(ruled, question, year(2024)).answer
    assert asked(ruled, question, year(2022, 8)).refused


@pytest.mark.parametrize(
    ("path", "question", "said"),
    [
        ("AGENTS.md", FLAGS, "Never toggle"),
        ("CODEOWNERS", "Who owns billing?", "rosa"),
        ("docs/releases.md", "How do I roll a release back?", "button of the dashboard"),
    ],
)
def test_a_text_that_a_later_commit_may_have_changed_is_not_told_as_of_before(
    ruled: Brain, path: str, question: str, said: str
) -> None:
    index_records(ruled, touching("c", year(2025, 3), path), origin="git")
    assert said not in asked(ruled, question, year(2024)).answer
    assert said in asked(ruled, question, year(2025, 8)).answer
    assert said in asked(ruled, question).answer


@pytest.mark.parametrize(("day", "known"), [(year(2023), True), (year(2025), True), (year(2022), False)])
def test_what_came_with_its_only_commit_is_as_old_as_it_says(brain: Brain, day: datetime, known: bool) -> None:  # noqa: FBT001
    index_records(
        brain,
        touching("a", year(2024), "docs/adr/0001-queue.md"),
        record("issue:1", "Which queue?", created_at=year(2021)),
        record(
            "doc:docs/adr/0001-queue.md",
            "Jobs wait in a queue of Redis.",
            title="The queue of jobs",
            path="docs/adr/0001-queue.md",
            state="accepted",
            created_at=year(2022, 7),
        ),
    )
    assert ("Redis" in asked(brain, "Where do jobs wait?", day).answer) == known


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Changelog › 2.4.0 - 2025-03-24", "The sampling rate is 30 Hz."),
        ("Sampling", "Date: 2025-03-24\n\nThe sampling rate is 30 Hz."),
    ],
)
def test_what_has_a_later_date_of_its_own_was_not_known(brain: Brain, title: str, text: str) -> None:
    doc = record("doc:CHANGELOG.md#240", text, title=title, path="CHANGELOG.md")
    index_records(brain, record("issue:1", "A start", created_at=year(2021)), doc)
    assert "30 Hz" in asked(brain, "What is the sampling rate?", year(2025)).answer
    assert asked(brain, "What is the sampling rate?", year(2024)).refused


def test_a_rule_that_replaced_another_without_a_date_of_its_own_did_so_when_it_came(brain: Brain) -> None:
    index_records(
        brain,
        touching("a", year(2022), "docs/adr/0001-queue.md"),
        touching("b", year(2024), "docs/adr/0002-queue.md"),
        record(
            "doc:docs/adr/0001-queue.md",
            "Jobs wait in a queue of Redis.",
            title="The queue of jobs",
            path="docs/adr/0001-queue.md",
            state="superseded",
        ),
        record(
            "doc:docs/adr/0002-queue.md",
            "Jobs wait in a queue of Postgres.",
            title="Another queue of jobs",
            path="docs/adr/0002-queue.md",
            state="accepted",
            links=(Link(relation="supersedes", to_ref="doc:docs/adr/0001-queue.md"),),
        ),
    )
    then, later = (asked(brain, "What is the queue that jobs wait in?", day).answer for day in (year(2023), year(2025)))
    assert "Redis" in then
    assert "Postgres" not in then
    assert "superseded" not in then
    assert "Postgres" in later.splitlines()[0]


def test_a_fact_whose_validity_ended_later_counts_until_then(brain: Brain) -> None:
    text = "We decided that a lease of a runner lasts 45 seconds."
    index_records(
        brain,
        record("issue:1", "The lease of a runner", state="open", created_at=year(2022)),
        record("comment:1#5", text, thread="issue:1", author="ada", association="OWNER", created_at=year(2022)),
    )
    brain.db.execute("update facts set valid_until = ? where statement glob '*45 seconds*'", ("2024-06-01T00:00:00Z",))
    facts = {handle for (handle,) in brain.db.execute("select handle from facts where valid_until is not null")}
    assert facts
    question = "How long does a lease of a runner last?"
    then, later = (asked(brain, question, day) for day in (year(2023), year(2025)))
    assert facts & {one.handle for one in then.citations}
    assert not facts & {one.handle for one in later.citations}


def test_a_decision_that_was_superseded_later_is_the_answer_then(demo: Brain) -> None:
    answer = asked(demo, "What is the desktop shell?", year(2025, 3))
    first = answer.answer.splitlines()[0]
    assert "is an Electron shell" in first
    assert "superseded" not in first
    assert answer.citations[0].record.state == ""
    assert "Tauri" not in answer.answer

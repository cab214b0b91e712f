"""The first and the last commit and those of somebody are looked up, and who proposed what a title calls so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def month(number: int) -> datetime:
    return datetime(2024, number, 1, tzinfo=UTC)


def commit(number: int, author: str, title: str, *, of: int = 0, reverts: int = 0) -> Record:
    links = [Link(relation="merges", to_ref=f"pull:{of}")] if of else []
    links += [Link(relation="reverts", to_ref=f"commit:{'a' * 11}{reverts}")] if reverts else []
    return record(f"commit:{'a' * 11}{number}", title, author=author, created_at=month(number), links=tuple(links))


def pull(number: int, author: str, title: str, *links: Link, merged: bool = True) -> Record:
    return record(
        f"pull:{number}",
        title,
        author=author,
        state="merged" if merged else "closed",
        created_at=month(2),
        merged_at=month(number - 10) if merged else None,
        closed_at=month(number - 10),
        merged_by="ola" if merged else "",
        links=links,
    )


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """An orchard's planner: squashed changes of two people, a merge by a third, one that was taken back."""
    with open_brain(tmp_path_factory.mktemp("orchard") / "brain.db") as brain:
        index_records(
            brain,
            commit(1, "Ola Nyberg", "Begin the planner"),
            commit(3, "Pia Holm", "Count the ladders (#13)", of=13),
            commit(4, "Jon Dahl", "Print labels for crates (#14)", of=14),
            commit(5, "Ola Nyberg", "Merge pull request #15 from sven/ripeness", of=15),
            commit(6, "Jon Dahl", 'Revert "Print labels for crates" (#16)', of=16, reverts=4),
            commit(7, "Pia Holm", "Bring the rakes in"),
            record("doc:README.md", "# Planner\n\nRun the checks before every commit.", path="README.md"),
            origin="git",
        )
        index_records(
            brain,
            pull(13, "pholm", "Count the ladders"),
            pull(14, "jdahl", "Print labels for crates"),
            pull(15, "sven", "Ripeness by colour"),
            pull(16, "jdahl", 'Revert "Print labels for crates"', Link(relation="reverts", to_ref="pull:14")),
            pull(18, "sven", "Port to Haiku", merged=False),
            pull(19, "pholm", "pumps: throttle the drip lines at noon", merged=False),
            pull(20, "sven", "Add the frost alarm", merged=False),
            pull(21, "pholm", "Frost alarm by text message", merged=False),
            record(
                "directive:AGENTS.md#1",
                "Never edit what the port to Haiku generates.",
                title="Agents",
                path="AGENTS.md",
                state="active",
            ),
        )
        yield brain


def asked(brain: Brain, text: str, as_of: datetime | None = None) -> Answer:
    return ask(brain, text, scope=Scope(), as_of=as_of)


def numbers(answer: Answer) -> list[int]:
    return [int(one.record.ref[-1]) for one in answer.citations]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("What was the first commit?", 1),
        ("Who made the first commit?", 1),
        ("When was the initial commit to the repository?", 1),
        ("When was the last commit?", 7),
        ("What is the most recent commit?", 7),
    ],
)
def test_the_first_commit_and_the_last_are_those_of_the_history(orchard: Brain, text: str, number: int) -> None:
    answer = asked(orchard, text)
    assert numbers(answer) == [number]
    assert answer.evidence == "strong"


def test_as_of_a_day_the_last_commit_is_that_of_then(orchard: Brain) -> None:
    assert numbers(asked(orchard, "When was the last commit?", month(5))) == [5]


def test_the_first_commit_of_a_history_that_is_not_all_there_is_not_known(brain: Brain) -> None:
    index_records(brain, commit(3, "Pia Holm", "Count the ladders"), commit(4, "Jon Dahl", "Print labels"))
    assert asked(brain, "What was the first commit?").refused
    assert numbers(asked(brain, "What was the last commit?")) == [4]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Which commits did Pia Holm write?", [7, 3]),
        ("Which commits did pholm make?", [7, 3]),
        ("Show the commits by Jon Dahl", [6, 4]),
        ("Which commits were written by @jdahl?", [6, 4]),
    ],
)
def test_the_commits_of_somebody_are_those_of_the_name_or_of_the_login_that_has_it(
    orchard: Brain, text: str, found: list[int]
) -> None:
    assert numbers(asked(orchard, text)) == found


@pytest.mark.parametrize("text", ["Which commits did sven write?", "Which commits did nobody-known write?"])
def test_who_merged_what_somebody_wrote_is_not_called_so(orchard: Brain, text: str) -> None:
    assert asked(orchard, text).refused


def test_a_commit_that_was_reverted_is_told_with_what_did_so(orchard: Brain) -> None:
    answer = asked(orchard, "Which commits did Jon Dahl write?").answer
    assert f"Commit {'a' * 11}4 by Jon Dahl, written (2024-04-01), reverted by commit {'a' * 11}6" in answer


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Was the Haiku port merged?", "PR #18 by sven, closed unmerged"),
        ("Who proposed the Haiku port?", "PR #18 by sven, closed unmerged"),
        ("Is the throttle merged?", "PR #19 by pholm, closed unmerged"),
        ("Who opened the Haiku port pull request?", "PR #18 by sven, closed unmerged"),
        ("Who opened the throttle PR?", "PR #19 by pholm, closed unmerged"),
        ("Who proposed the frost alarm?", "PR #20 by sven, closed unmerged"),
    ],
)
def test_a_pull_request_is_called_by_the_words_that_its_title_begins_with(
    orchard: Brain, text: str, first: str
) -> None:
    answer = asked(orchard, text)
    assert answer.answer.startswith(first)
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("text", ["Who proposed the alarm?", "Who proposed the drip lines?", "Who proposed a port?"])
def test_nobody_is_said_to_have_proposed_what_no_whole_title_calls_so(orchard: Brain, text: str) -> None:
    answer = asked(orchard, text)
    assert answer.refused or not answer.answer.startswith("PR #")


@pytest.mark.parametrize("text", ["List all reverts", "Which reverts were there?", "Have there been any reverts?"])
def test_reverts_are_the_pull_requests_that_were_reverted(orchard: Brain, text: str) -> None:
    assert [one.record.ref for one in asked(orchard, text).citations] == ["pull:14"]


def test_how_many_reverts_there_were_is_how_many_were_reverted(orchard: Brain) -> None:
    assert asked(orchard, "How many reverts were there?").answer.startswith("1 in all: PR #14 ")

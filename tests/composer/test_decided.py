"""What became of a decision that a question names is told by its status, or by what replaced it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def decision(number: int, title: str, state: str, said: str, *links: Link) -> list[Record]:
    path = f"docs/adr/000{number}.md"
    given = {"path": path, "state": state, "created_at": datetime(2020 + number, 1, 1, tzinfo=UTC)}
    return [
        record(f"doc:{path}", f"# {title}", title=title, links=links, **given),
        record(f"doc:{path}#status", f"## Status\n\n{said}", title=f"{title} › Status", **given),
    ]


def replaces(number: int) -> Link:
    return Link(relation="supersedes", to_ref=f"doc:docs/adr/000{number}.md")


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("decided") / "brain.db") as brain:
        index_records(
            brain,
            *decision(1, "1. Coal for the ovens", "superseded", "Superseded by ADR 2"),
            *decision(2, "2. Gas for the ovens", "superseded", "Superseded by ADR 3", replaces(1)),
            *decision(3, "3. Wood for the ovens", "accepted", "Accepted in spring", replaces(2)),
            *decision(4, "4. Rye on Mondays", "accepted", "Accepted in spring"),
        )
        yield brain


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("Which ADR supersedes ADR 1?", "0002.md"),
        ("What replaced ADR 2?", "0003.md"),
        ("When was ADR 1 superseded?", "0002.md"),
        ("Which ADR was superseded by ADR 2?", "0001.md"),
        ("What does ADR 3 replace?", "0002.md"),
        ("Is ADR 2 still valid?", "0002.md#status"),
        ("Is ADR 3 still in force?", "0003.md#status"),
        ("Was ADR 1 superseded?", "0001.md#status"),
        ("What is the status of ADR 3?", "0003.md#status"),
    ],
)
def test_what_became_of_a_decision_is_what_its_file_and_its_successor_tell(brain: Brain, text: str, file: str) -> None:
    answer = ask(brain, text, scope=Scope())
    assert [one.record.ref for one in answer.citations] == [f"doc:docs/adr/{file}"]
    assert answer.evidence == "strong"


@pytest.mark.parametrize("text", ["What superseded ADR 3?", "What does ADR 1 replace?", "Is ADR 9 still valid?"])
def test_what_replaced_nothing_or_is_not_there_is_refused(brain: Brain, text: str) -> None:
    assert ask(brain, text, scope=Scope()).refused


def test_decisions_in_a_state_are_each_told_by_the_part_that_says_so(brain: Brain) -> None:
    answer = ask(brain, "Which decisions were accepted?", scope=Scope())
    assert [one.record.ref for one in answer.citations] == [f"doc:docs/adr/000{number}.md#status" for number in (4, 3)]
    assert answer.answer.count("“Accepted in spring”") == len(answer.citations)

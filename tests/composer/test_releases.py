"""What a changelog tells of releases: which is the latest, when one was made, what changed in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

TOLD = {
    "Changelog › Unreleased › Added": "A panel for tides.",
    "Changelog › [2.1.0-rc1] - 2026-09-01 › Added": "A draft of the new planner.",
    "Changelog › [2.0.0] - 2026-08-03 › Added": "Berths are planned by ship.",
    "Changelog › [2.0.0] - 2026-08-03 › Removed": "The export as PDF is gone.",
    "Changelog › v1.10.0 (2026-02-01)": "Tugs are told by radio.",
    "Changelog › v1.9.0 (2025-11-20)": "Cranes are numbered.",
    "Changelog › How we release": "Every Tuesday.",
}


@pytest.fixture(name="released")
def _released(brain: Brain) -> Brain:
    told = [
        record(f"doc:CHANGELOG.md#part-{place}", body, title=title, path="CHANGELOG.md", lines=(10 * place, 10 * place))
        for place, (title, body) in enumerate(TOLD.items(), 1)
    ]
    guide = record(
        "doc:docs/guide.md#2-0", "Use the latest version.", title="Guide › 2.0.0 and later", path="docs/guide.md"
    )
    index_records(brain, *told, guide)
    return brain


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When was 2.0.0 released?", "Changelog › [2.0.0] - 2026-08-03"),
        ("When did version 1.10.0 come out?", "Changelog › v1.10.0 (2026-02-01)"),
        ("What was removed in 2.0.0?", "Changelog › [2.0.0] - 2026-08-03 › Removed"),
        ("What changed in v1.9.0?", "Changelog › v1.9.0 (2025-11-20)"),
        ("What is the latest release?", "Changelog › [2.0.0] - 2026-08-03"),
        ("What is our current version?", "Changelog › [2.0.0] - 2026-08-03"),
        ("How many releases were there?", "4 in all: Changelog › [2.1.0-rc1] - 2026-09-01"),
    ],
)
def test_a_release_is_told_by_its_part_of_the_changelog(released: Brain, question: str, first: str) -> None:
    answer = ask(released, question, scope=Scope())
    assert answer.answer.startswith(first), answer.answer
    assert answer.evidence == "strong"


def test_every_release_is_listed_the_newest_first(released: Brain) -> None:
    answer = ask(released, "Which releases are there?", scope=Scope())
    assert [citation.record.ref[-1] for citation in answer.citations] == ["2", "3", "5", "6"]


@pytest.mark.parametrize("question", ["When was 3.0.0 released?", "When was tide 2.0 cut?", "What is the latest tug?"])
def test_what_no_changelog_tells_is_not_answered_by_it(released: Brain, question: str) -> None:
    assert "in all" not in ask(released, question, scope=Scope()).answer
    assert not ask(released, question, scope=Scope()).answer.startswith("Changelog › [2.1")


def test_what_was_released_later_is_not_known_before(released: Brain) -> None:
    answer = ask(released, "What is the latest release?", scope=Scope(), as_of=datetime(2026, 3, 1, tzinfo=UTC))
    assert not answer.refused
    assert answer.answer.startswith("Changelog › v1.10.0 (2026-02-01)")

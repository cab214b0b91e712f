"""A decision replaces those of which it says in a sentence of its own that they no longer hold."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cortex.substrate.model import Record
from tests.trees import read_tree, write

HEAD = "# {}. Contracts live in {}\n\nStatus: {}\nDate: {}\n\n"
OLDER = HEAD.format(1, "Mongo", "Accepted", "2022-01-01") + "## Decision\n\nContracts are stored in Mongo.\n"


def older_is(root: Path, text: str, status: str = "Accepted") -> str:
    """The state of decision 1 beside a decision 7 that says *text*."""
    newer = HEAD.format(7, "Postgres", status, "2024-01-01") + text
    write(root, {"docs/decisions/0001-mongo.md": OLDER, "docs/decisions/0007-pg.md": newer})
    states = {one.path: one.state for one in read_tree(root, source="demo") if isinstance(one, Record)}
    return states["docs/decisions/0001-mongo.md"]


ENDED = [
    "Decision 1 no longer applies.",
    "ADR 1 is obsolete.",
    "ADR-0001 is hereby revoked.",
    "Decision 1 is superseded by this decision.",
    "Thus decision 1 no longer holds.",
    "This supersedes decision 1.",
    "This decision replaces ADR 1, which was of another time.",
    "It replaces [the first](0001-mongo.md).",
    "[1. Mongo](0001-mongo.md) no longer applies.",
    "\n\n- Decision 1 does not apply\n  any more.",
]


@pytest.mark.parametrize("sentence", ENDED)
@pytest.mark.parametrize("heading", ["Decision", "Consequences"])
def test_a_sentence_that_ends_a_decision_does(tmp_path: Path, sentence: str, heading: str) -> None:
    assert older_is(tmp_path, f"## {heading}\n\nContracts are stored in Postgres. {sentence}\n") == "superseded"


STANDS = [
    "Decision 1 still applies.",
    "Decision 1 no longer applies to drafts.",
    "Decision 1 is partially obsolete.",
    "If decision 1 no longer applies, we move.",
    "Once this is done decision 1 is obsolete.",
    "It is not true that decision 1 no longer applies.",
    "This replaces the index of decision 1.",
    "This replaces decision 1 for new contracts.",
    "Decision 1 is superseded by decision 9.",
    "This does not replace decision 1.",
    "Does this replace decision 1?",
    "Parts of decision 1 are obsolete.",
    "The table of ADR 1 is obsolete.",
]


@pytest.mark.parametrize("sentence", STANDS)
def test_what_ends_no_decision_or_only_a_part_of_it_leaves_it_standing(tmp_path: Path, sentence: str) -> None:
    assert older_is(tmp_path, f"## Decision\n\nContracts are stored in Postgres. {sentence}\n") == "accepted"


@pytest.mark.parametrize("heading", ["Context", "Considered options", "Alternatives"])
def test_what_is_said_of_an_option_ends_nothing(tmp_path: Path, heading: str) -> None:
    text = f"## {heading}\n\nDecision 1 no longer applies.\n\n## Decision\n\nContracts stay.\n"
    assert older_is(tmp_path, text) == "accepted"


@pytest.mark.parametrize("status", ["Proposed", "Rejected"])
def test_a_decision_that_was_not_taken_ends_nothing(tmp_path: Path, status: str) -> None:
    assert older_is(tmp_path, "## Decision\n\nDecision 1 no longer applies.\n", status) == "accepted"


@pytest.mark.parametrize("mark", ["[", "[1](", "(", "*", "1. ", "[a](1", "“", "decision 1 ("])
def test_what_repeats_a_mark_is_read_soon(tmp_path: Path, mark: str) -> None:
    """In a second; where each of the marks was looked at from all others it took half a minute."""
    started = time.process_time()
    assert older_is(tmp_path, f"## Decision\n\n{mark * (100_000 // len(mark))}\n") == "accepted"
    assert time.process_time() - started < 4

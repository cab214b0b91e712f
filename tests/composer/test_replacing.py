"""What replaced a thing and what it replaced are two questions: the one is not answered with the other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def merged(number: int, title: str, body: str = "", *, state: str = "merged") -> Record:
    at = datetime(2023, 1, number, tzinfo=UTC)
    text = f"{title}\n\n{body}".strip()
    merged_at = at if state == "merged" else None
    return record(f"pull:{number}", text, author="ada", state=state, created_at=at, closed_at=at, merged_at=merged_at)


def doc(number: int, title: str, text: str) -> Record:
    path = f"docs/adr/{number}.md"
    return record(f"doc:{path}", text, title=f"{number}. {title}", path=path)


FILLING = [merged(n, f"Grease gate {n}", "It squeaked.") for n in range(20, 29)]

DECIDED = (
    doc(4, "Ferry for the island", "Ferry replaces our Rowboat line. The Rowboat was slow."),
    doc(9, "Bridge", "Bridge replaced Ferry, because the bay freezes."),
)
TITLED = (
    merged(4, "Replace Rowboat line with Ferry", "The rowboat was slow."),
    merged(9, "Switch from Ferry to Bridge", "The bay freezes."),
)

OLD = (
    "What did Ferry replace?",
    "What was replaced by Ferry?",
    "Which line did Ferry replace?",
    "What does Ferry replace?",
)
NEW = ("What replaced Ferry?", "What was Ferry replaced by?", "What took the place of Ferry?")


@pytest.mark.parametrize("records", [DECIDED, TITLED, DECIDED[::-1]], ids=["decided", "titled", "reversed"])
@pytest.mark.parametrize(("question", "told"), [*((one, "Rowboat") for one in OLD), *((one, "Bridge") for one in NEW)])
def test_a_replacement_is_told_the_way_round_it_is_asked(
    brain: Brain, records: tuple[Record, ...], question: str, told: str
) -> None:
    index_records(brain, *records, merged(12, "Paint the Ferry"), *FILLING)
    assert told in ask(brain, question, scope=Scope()).answer.splitlines()[0]


@pytest.mark.parametrize("records", [DECIDED, TITLED], ids=["decided", "titled"])
@pytest.mark.parametrize("question", ["What did Rowboat replace?", "What replaced Bridge?"])
def test_a_replacement_the_other_way_round_is_no_answer(
    brain: Brain, records: tuple[Record, ...], question: str
) -> None:
    index_records(brain, *records, *FILLING)
    assert ask(brain, question, scope=Scope()).refused


def test_what_was_but_proposed_replaced_nothing(brain: Brain) -> None:
    proposed = merged(5, "Replace Ferry with Balloon", "Replaces the ferry.", state="closed")
    index_records(brain, proposed, TITLED[1], *FILLING)
    assert "Bridge" in ask(brain, "What replaced Ferry?", scope=Scope()).answer.splitlines()[0]

"""What its author, or somebody of no less authority, took back in the same thread is not told as what holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.retracting import Said, may_take_back, taken_back
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

QUESTION = "Which glaze do the mugs get?"


def day(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)


def said(number: int, text: str, month: int, author: str = "rosa", association: str = "MEMBER") -> Record:
    return record(
        f"comment:4#{number}", text, title="Glaze of the mugs", author=author, association=association,
        thread="issue:4", created_at=day(month),
    )  # fmt: skip


ISSUE = record(
    "issue:4",
    "Glaze of the mugs\n\nThe old one flakes.",
    author="tove",
    state="closed",
    created_at=day(1),
    closed_at=day(9),
)
DECIDED = said(1, "Decided: the mugs get a celadon glaze.", 2)


def told(brain: Brain, *records: Record, question: str = QUESTION, as_of: datetime | None = None) -> Answer:
    index_records(brain, ISSUE, *records)
    return ask(brain, question, scope=Scope(), as_of=as_of)


def refs(answer: Answer) -> list[str]:
    return [one.record.ref for one in answer.citations if one.record.type == "comment"]


BACK = [
    "I take that back. The kiln is too cold. The mugs stay white.",
    "I have to take this decision back: the kiln is too cold for it, we use tenmoku.",
    "Reversing that: celadon is out, the mugs get a tenmoku glaze.",
    "Change of plan: the mugs will be tenmoku, celadon cracks.",
    "Scratch that, the kiln is too cold. Tenmoku glaze.",
    "After the fair today we are going with tenmoku instead of celadon.",
    "We are switching from celadon to tenmoku.",
    "Correction: tenmoku glaze, the kiln does not allow celadon.",
    "This decision is withdrawn; the mugs stay white until the kiln is mended.",
    "Superseded by what we agreed in #2: tenmoku.",
    "Sorry, that was a mistake, it has to be tenmoku.",
    "We changed our minds, the mugs get tenmoku.",
    "No longer true after the flood: the mugs must be tenmoku.",
    "Overruled by the guild. The mugs get tenmoku.",
    "We will not do this after all, the kiln cannot.",
    "Plans have changed, tenmoku it is for the mugs.",
    "Decision reversed: the mugs stay white.",
    "New decision: the mugs get tenmoku.",
    "We stay with white mugs after all.",
    "We no longer use celadon; the mugs get tenmoku.",
    "We dropped celadon in favour of tenmoku.",
    "We use tenmoku now, not celadon.",
    "@tove sorry, please disregard the above: it is tenmoku.",
]


@pytest.mark.parametrize("text", BACK)
def test_what_takes_a_decision_back_is_told_before_it(brain: Brain, text: str) -> None:
    answer = told(brain, DECIDED, said(2, text, 3))
    assert refs(answer)[:2] == ["comment:4#2", "comment:4#1"]
    assert "superseded by a later comment: “Decided: the mugs get a celadon glaze.”" in answer.answer


@pytest.mark.parametrize(
    "text",
    [
        "The above decision is void, the guild has voted for tenmoku.",
        "Overruled by the guild. The mugs get tenmoku.",
        "Change of plan: the mugs will be tenmoku, celadon cracks.",
        "We are going with tenmoku instead of celadon.",
    ],
)
def test_another_of_the_project_may_take_back_what_was_decided(brain: Brain, text: str) -> None:
    assert refs(told(brain, DECIDED, said(2, text, 3, "kofi")))[0] == "comment:4#2"


@pytest.mark.parametrize(
    ("text", "author", "association"),
    [
        ("Scratch that, tenmoku glaze for the mugs.", "eve", "NONE"),
        ("This decision is withdrawn, the mugs get tenmoku.", "eve", "NONE"),
        ("This decision is withdrawn, the mugs get tenmoku.", "eve", "CONTRIBUTOR"),
        ("I take that back, the mugs are nice.", "kofi", "MEMBER"),
        ("I take back my nack of the mugs and the glaze.", "rosa", "MEMBER"),
        ("Scratch that itch: glaze the mugs.", "rosa", "MEMBER"),
        ("Correction of a typo in the glaze of the mugs.", "rosa", "MEMBER"),
        ("Correction: typo in the name of the glaze of the mugs.", "rosa", "MEMBER"),
        ("This decision is not withdrawn: the mugs get the glaze.", "rosa", "MEMBER"),
        ("Should we take that back? The glaze of the mugs runs.", "rosa", "MEMBER"),
        ("Superseded by #12.", "rosa", "MEMBER"),
        ("We are going with brown boxes instead of white ones for the mugs.", "rosa", "MEMBER"),
        ("> the clay comes from Delft\n\nScratch that, the clay of the mugs comes from Gouda.", "rosa", "MEMBER"),
    ],
)
def test_nothing_else_takes_a_decision_back(brain: Brain, text: str, author: str, association: str) -> None:
    answer = told(brain, DECIDED, said(2, text, 3, author, association))
    assert "comment:4#1" in refs(answer)
    assert "superseded by" not in answer.answer


def test_what_was_taken_back_and_then_decided_again_is_not_told_as_superseded(brain: Brain) -> None:
    back, again = said(2, "Scratch that, tenmoku glaze.", 3), said(3, "I take that back, celadon glaze it is.", 4)
    answer = told(brain, DECIDED, back, again)
    assert refs(answer)[0] == "comment:4#3"
    assert "superseded by a later comment: “Decided" not in answer.answer


def test_before_it_was_taken_back_a_decision_held(brain: Brain) -> None:
    answer = told(brain, DECIDED, said(2, BACK[0], 6), as_of=day(4))
    assert refs(answer) == ["comment:4#1"]
    assert "superseded" not in answer.answer


def test_of_which_of_two_it_was_taken_back_is_in_doubt(brain: Brain) -> None:
    between = said(2, "The clay is ordered from Gouda, twelve bags of it.", 3)
    answer = told(brain, DECIDED, between, said(3, "Scratch that, the supplier is closed in August.", 4))
    assert refs(answer)[:2] == ["comment:4#1", "comment:4#3"]
    assert answer.evidence == "moderate"


def test_who_decided_it_is_told_first_with_what_became_of_it(brain: Brain) -> None:
    answer = told(brain, DECIDED, said(2, BACK[2], 3), question="Who decided on a celadon glaze for the mugs?")
    assert refs(answer)[0] == "comment:4#1"
    assert "superseded by a later comment" in answer.answer
    assert answer.evidence != "strong"


def test_a_comment_that_goes_on_quoting_takes_back_what_it_quotes() -> None:
    def one(number: int, text: str, author: str = "rosa") -> Said:
        return Said(number, f"comment:4#{number}", author, "MEMBER", 0, text)

    thread = [
        one(0, "Glaze of the mugs", "tove"),
        one(1, "Decided: celadon."),
        one(2, "The clay comes from Delft, as before."),
        one(3, "> Decided: celadon.\n\nScratch that, tenmoku."),
    ]
    found = taken_back(thread, 1)
    assert found is not None
    assert found.said.record_id == 3
    assert found.is_sure
    assert taken_back(thread, 2) is None


@pytest.mark.parametrize(
    "text", ["Never mind me", "This is simply wrong.", "I took the liberty to", "Ignore this warning"]
)
def test_what_only_looks_like_it_takes_nothing_back(text: str) -> None:
    assert not may_take_back(text)

"""What was decided in a thread, what came of it and what replaced it is told by that thread, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

BEGAN, ENDED = datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 5, 20, tzinfo=UTC)


def thread(ref: str, body: str, state: str, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    ended = None if state == "open" else ENDED
    merged = {"merged_at": ended, "merged_by": "carol"} if state == "merged" else {}
    given = {"author": "ada", "created_at": BEGAN, "closed_at": ended} | merged | fields
    return record(ref, body, state=state, **given)


def said(number: int, body: str, *, days: int, author: str = "carol") -> Record:
    at = BEGAN + timedelta(days=days)
    ref = f"comment:{number}#{number}{days}"
    association = "MEMBER" if author == "carol" else "NONE"
    return record(ref, body, author=author, thread=f"issue:{number}", created_at=at, association=association)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("outcomes") / "brain.db") as brain:
        fixes = Link(relation="fixes", to_ref="issue:4")
        replaces = Link(relation="supersedes", to_ref="pull:5")
        index_records(
            brain,
            thread("issue:1", "Which crates for the pears?\n\nWood or card.", "closed"),
            said(1, "Wood splinters, card gets wet.", days=1, author="dee"),
            said(1, "Twelve euros more is fine. Card it is.", days=9),
            said(1, "Splendid, thank you all!", days=12, author="dee"),
            thread("issue:2", "Should we sell plums?\n\nSomebody asked.", "open"),
            thread("issue:3", "Opening hours on Sunday\n\nTen to four?", "closed"),
            said(3, "After the meeting we decided to stay closed on Sundays.", days=3),
            said(3, "Seen, thanks for it.", days=18, author="dee"),
            thread("issue:4", "Label the jars\n\nNobody knows what is inside.", "closed"),
            thread("pull:5", "Print paper labels\n\nFixes #4.", "merged", links=(fixes,)),
            thread("pull:6", "Engrave the labels\n\nSupersedes #5.", "merged", links=(replaces,)),
            thread("issue:7", "The van\n\nIt leaks.", "open"),
            said(7, "In the meeting we decided to sell the van.", days=5),
            thread("issue:8", "A second till\n\nThere is a queue.", "open"),
            said(8, "Not decided yet: we look at it in summer.", days=5),
            said(8, "The queue was long again.", days=7),
            thread("issue:9", "Close in August?\n\nNobody comes.", "closed"),
            said(9, "Not going to happen, the baker pays for it.", days=10),
            said(9, "We decided to close ours in August and it was splendid.", days=12, author="passer-by"),
            thread("issue:10", "Stop selling leeks?\n\nThey rot.", "closed"),
            said(10, "Decision: we stop selling leeks in May.", days=10),
            said(10, "Actually, the school still needs them. We keep leeks until autumn.", days=12),
            thread("issue:11", "When do we meet?\n\nWeekly.", "closed"),
            said(11, "Let's do Tuesdays at ten.", days=10),
            said(11, "Works for me.", days=12),
            said(11, "> Let's do Tuesdays at ten, as we did before.\n\n:+1:", days=13),
            thread("issue:12", "What is the sign made of?\n\nSlate, oak or tin.", "closed"),
            said(12, "We decided against slate because it cracks in the frost.", days=5),
            said(12, "Right, oak from the old press it is. It costs nothing.", days=12),
            thread("issue:13", "Ropes or chains?\n\nFor the swing.", "closed"),
            said(13, "Both cost more than the swing did.", days=5, author="dee"),
            said(13, "Ropes then.", days=12),
        )  # fmt: skip
        yield brain


def answered(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


def refs(answer: Answer) -> list[str]:
    return [one.record.ref for one in answer.citations]


@pytest.mark.parametrize(
    "text",
    [
        "What was decided in #2?", "Who decided #2?", "When was #2 decided?", "What did we agree on in #2?",
        "What is the conclusion of #2?", "What replaced #2?", "Which PR superseded #6?", "Who reverted #6?",
    ],
)  # fmt: skip
def test_where_nothing_was_decided_or_replaced_no_other_thread_tells_it(brain: Brain, text: str) -> None:
    answer = answered(brain, text)
    assert answer.refused
    assert answer.considered


@pytest.mark.parametrize("text", ["What was decided in #3?", "What is the decision on #3?", "How was #3 resolved?"])
def test_who_says_what_was_decided_stands_first_and_is_sure(brain: Brain, text: str) -> None:
    answer = answered(brain, text)
    assert refs(answer) == ["comment:3#33", "issue:3"]
    assert answer.evidence == "strong"


def test_of_an_open_thread_what_somebody_says_was_decided_is_told(brain: Brain) -> None:
    assert refs(answered(brain, "What was decided in #7?")) == ["comment:7#75"]


@pytest.mark.parametrize("text", ["What was decided in #1?", "What was the outcome of #1?", "What came of #1?"])
def test_without_the_word_the_last_of_its_people_is_told_and_not_for_sure(brain: Brain, text: str) -> None:
    answer = answered(brain, text)
    assert refs(answer) == ["comment:1#19", "issue:1"]
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("text", ["What came of #4?", "What was the outcome of issue 4?", "How did #4 end?"])
def test_what_came_of_a_thread_is_what_fixed_it_and_how_it_stands(brain: Brain, text: str) -> None:
    assert refs(answered(brain, text)) == ["pull:5", "issue:4"]


def test_that_nothing_was_decided_is_told_where_somebody_says_so(brain: Brain) -> None:
    answer = answered(brain, "What was decided in #8?")
    assert refs(answer) == ["comment:8#85"]
    assert answer.evidence == "moderate"


def test_of_an_open_thread_that_is_what_came_of_it(brain: Brain) -> None:
    answer = answered(brain, "What came of #2?")
    assert refs(answer) == ["issue:2"]
    assert "open" in answer.answer


@pytest.mark.parametrize("text", ["What replaced #5?", "What was #5 superseded by?", "Which PR replaced #5?"])
def test_what_replaced_a_change_is_told_alone(brain: Brain, text: str) -> None:
    assert refs(answered(brain, text)) == ["pull:6"]


@pytest.mark.parametrize(
    ("text", "sure", "refs"),
    [("Was #5 superseded?", True, {"pull:5", "pull:6"}), ("Was #6 superseded?", False, {"pull:6"})],
)
def test_whether_a_change_was_replaced_is_sure_where_a_link_tells_it(
    brain: Brain,
    text: str,
    sure: bool,  # noqa: FBT001
    refs: set[str],
) -> None:
    answer = ask(brain, text, scope=Scope())
    assert (answer.evidence == "strong") == sure
    assert {one.record.ref for one in answer.citations} - {"issue:4"} == refs


def test_what_a_change_itself_replaced_is_another_question(brain: Brain) -> None:
    assert "PR #5" in answered(brain, "What does #6 replace?").answer


@pytest.mark.parametrize("text", ["Who took part in #1?", "Who participated in the discussion of #1?"])
def test_who_took_part_is_everybody_who_said_something(brain: Brain, text: str) -> None:
    assert {one.record.author for one in answered(brain, text).citations} == {"carol", "dee"}


def test_what_a_passer_by_decided_elsewhere_was_not_decided_here(brain: Brain) -> None:
    answer = answered(brain, "What was decided in #9?")
    assert refs(answer) == ["comment:9#910", "issue:9"]
    assert answer.evidence == "moderate"


def test_what_is_said_against_a_decision_later_is_told_first_and_not_for_sure(brain: Brain) -> None:
    answer = answered(brain, "What was decided in #10?")
    assert refs(answer) == ["comment:10#1012", "comment:10#1010", "issue:10"]
    assert answer.evidence == "moderate"


def test_who_only_agrees_tells_not_what_was_agreed_on(brain: Brain) -> None:
    assert refs(answered(brain, "What was agreed on #11?")) == ["comment:11#1110", "issue:11"]


def test_what_the_project_says_last_of_a_thread_that_ended_is_told_with_what_was_decided(brain: Brain) -> None:
    answer = answered(brain, "What was decided in #12?")
    assert refs(answer) == ["comment:12#125", "comment:12#1212", "issue:12"]
    assert answer.evidence == "moderate"


def test_two_words_decide_where_one_of_them_is_in_the_title(brain: Brain) -> None:
    assert refs(answered(brain, "What was decided in #13?")) == ["comment:13#1312", "issue:13"]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("What is #32 a duplicate of?", ["issue:31"]),
        ("Which issue does #32 duplicate?", ["issue:31"]),
        ("What is #31 a duplicate of?", []),
        ("What duplicates #31?", ["issue:32"]),
        ("Which issues are duplicates of #31?", ["issue:32"]),
        ("What duplicates #32?", []),
    ],
)
def test_what_a_thread_doubles_is_told_by_the_link_alone(tmp_path: Path, text: str, refs: list[str]) -> None:
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            thread("issue:31", "The oven is cold\n\nSince Monday.", "open"),
            thread("issue:32", "Bread is raw\n\nAll of it.", "closed"),
            said(32, "Duplicate of #31.", days=2),
        )
        assert [one.record.ref for one in ask(brain, text, scope=Scope()).citations] == refs


@pytest.mark.parametrize("text", ["Which PR closed #41?", "What fixed #41?", "Which pull request fixed GH-41?"])
def test_of_a_pull_request_that_ended_unmerged_what_did_it_instead_is_told(tmp_path: Path, text: str) -> None:
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            thread("pull:41", "Knead by hand\n\nThe mixer is loud.", "closed"),
            said(41, "Fixed by #42.", days=2).model_copy(update={"thread": "pull:41"}),
            thread("pull:42", "A quiet mixer\n\nWith rubber feet.", "merged"),
        )
        assert ask(brain, text, scope=Scope()).citations[0].record.ref == "pull:42"


def test_a_thread_says_of_itself_once_where_it_stands(tmp_path: Path) -> None:
    with open_brain(tmp_path / "brain.db") as brain:
        told = "Rye in the loaf\n\nWhat is reverted is said below.\n\n" + "Oats are dear, and barley is too. " * 12
        back = Link(relation="reverts", to_ref="pull:43")
        index_records(
            brain,
            thread("pull:43", f"{told}\n\nThe rye was reverted once before, in spring.", "merged"),
            thread("pull:44", "Take the rye out\n\nReverts #43.\n\nIt was damp.", "merged", links=(back,)),
        )
        lines = ask(brain, "What reverted #43?", scope=Scope()).answer.splitlines()
        assert len(lines) == len({*lines}) > 1

"""What an answer has to tell to be sure: more than a date, by somebody of the project, whom, when and where it asks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from cortex.composer.ask import ask
from cortex.composer.assured import names_nobody
from cortex.composer.rows import Row
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

DAY = datetime(2024, 3, 9, 12, tzinfo=UTC)
LATER = datetime(2024, 5, 2, 12, tzinfo=UTC)
ROW = Row(1, 1, 1, "", "", "", 0.5, "", "", "", "", 0, "", 0, 0, "")
OUTAGE = "docs/outages/2024-03-09-cold-oven.md"


def part(path: str, title: str, text: str) -> Record:
    ref = f"doc:{path}#{title.rpartition(' › ')[2].lower().replace(' ', '-')}"
    return record(ref, text, title=title, path=path)


def thread(ref: str, text: str, state: str, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    times = {"merged_at": DAY} if state == "merged" else {"closed_at": DAY} if state == "closed" else {}
    return record(
        ref, text, state=state, **{"author": "odo-k", "association": "MEMBER", "created_at": DAY} | times | fields
    )


def said(number: int, author: str, association: str, text: str) -> Record:
    ref = f"comment:20#{number}"
    return record(ref, text, author=author, association=association, thread="issue:20", created_at=DAY)


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("bakery") / "brain.db") as brain:
        index_records(
            brain,
            part(OUTAGE, "2024-03-09: The oven went cold › Summary", "The crust stayed pale all day."),
            part(OUTAGE, "2024-03-09: The oven went cold › Head", "Author: Ada Brandt\n\nSeverity: 2"),
            part("docs/rye.md", "Rye › Decision", "Rye bread is baked with Malted Barley in the stone oven."),
            part("docs/mill.md", "Mill › Orders", "The mill that sends our flour order is Steenmolen."),
            record(
                "directive:AGENTS.md#1", "Tests never order real flour of a mill; use `PaperMill`.", path="AGENTS.md"
            ),
            thread("pull:3", "Slots LOT-03 and LOT-09 of the cooling rack\n\nEditorial.", "merged"),
            thread("pull:7", "Proof the baguettes longer\n\nThey were flat.", "merged"),
            thread(
                "pull:8",
                "Proof the brioche longer\n\nFixes #12.",
                "merged",
                links=(Link(relation="fixes", to_ref="issue:12"),),
            ),
            thread("issue:12", "Brioche collapses\n\nIt falls in.", "closed"),
            thread(
                "issue:15",
                "Van stops\n\nThe delivery van of the harbour round did not come back this morning.",
                "closed",
            ),
            thread("issue:20", "Cellar lock\n\nThe cellar lock is old.", "open"),
            said(21, "ada-b", "MEMBER", "I will do it next month."),
            said(22, "passer", "NONE", "The cellar lock was changed by Bela Kern."),
            *(
                thread(f"issue:{number}", f"Tray {number}\n\nThe tray waits.", "open", created_at=LATER)
                for number in range(40, 80)
            ),
        )
        yield brain


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


@pytest.mark.parametrize(
    "text",
    [
        "Who was on call on 2024-03-09?",
        "Who gave a talk on 2024-03-09?",
        "What was decided on 9 March 2024?",
    ],
)
def test_what_has_but_the_date_of_a_question_answers_nothing(bakery: Brain, text: str) -> None:
    assert asked(bakery, text).refused


@pytest.mark.parametrize("text", ["What happened on 2024-03-09?", "What severity was the cold oven of 2024-03-09?"])
def test_what_happened_on_a_day_is_told_by_what_is_of_that_day(bakery: Brain, text: str) -> None:
    assert OUTAGE in asked(bakery, text).answer


def test_the_numbers_of_a_month_and_a_day_are_found_in_dates_alone(bakery: Brain) -> None:
    refs = {one.record.ref for one in asked(bakery, "What went cold on 2024-03-09?").citations}
    assert refs
    assert "pull:3" not in refs


@pytest.mark.parametrize("text", ["Who changed the cellar lock?", "When was the cellar lock changed?"])
def test_a_passer_by_is_told_after_the_project_and_never_for_sure(bakery: Brain, text: str) -> None:
    answer = asked(bakery, text)
    assert answer.evidence != "strong"
    told = [one.record.ref for one in answer.citations]
    assert "comment:20#22" not in told or told.index("comment:20#21") < told.index("comment:20#22")


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote the decision on rye bread in the stone oven?",
        "When did the delivery van of the harbour round come back?",
        "At what time is the rye bread baked in the stone oven?",
    ],
)
def test_what_names_nobody_or_no_time_is_no_strong_answer(bakery: Brain, text: str) -> None:
    assert asked(bakery, text).evidence == "moderate"


def test_who_wrote_a_change_is_told_for_sure_by_its_author(bakery: Brain) -> None:
    assert asked(bakery, "Who wrote #7?").evidence == "strong"


@pytest.mark.parametrize(
    ("text", "ref", "told", "names"),
    [
        ("Who paid for the repair?", "doc:slicer.md", "Slicer › Repair: “The repair cost 12 loaves.”", False),
        ("Who paid for the repair?", "doc:slicer.md", "Slicer › Repair: “It was paid by Ada Brandt.”", True),
        ("Who paid for the repair?", "pull:7", "PR #7 by odo-k: “Repair the slicer”", False),
        ("Who repaired the slicer?", "pull:7", "PR #7 by odo-k: “Repair the slicer”", True),
        ("Who has the key?", "comment:7#1", "odo-k on #7: “The key turns again.”", False),
        ("Who has the key?", "comment:7#1", "odo-k on #7: “ada-b has it.”", True),
        ("Who approved the mill?", "doc:mill.md", "Mill › Decision: “Flour is sent by Malted Barley.”", False),
        ("Who approved the mill?", "doc:mill.md", "Mill › Decision: “Approved by Ada Brandt.”", True),
    ],
)
def test_whom_the_first_row_names(bakery: Brain, text: str, ref: str, told: str, *, names: bool) -> None:
    type_ = ref.partition(":")[0]
    row = ROW._replace(ref=ref, type=type_, author="odo-k" if type_ in ("pull", "comment") else "")
    question = understand(bakery, text, bakery.stemmer)
    assert names_nobody(question, row, told, {"ada-b"}) is not names


def test_what_is_never_done_in_tests_does_not_lead_which_is_used(bakery: Brain) -> None:
    answer = asked(bakery, "Which mill sends our flour order?")
    assert answer.citations[0].record.ref == "doc:docs/mill.md#orders"
    assert answer.evidence != "strong"


def test_which_issue_a_change_closed_is_refused_where_it_closed_none(bakery: Brain) -> None:
    assert asked(bakery, "Which issue did #7 close?").refused
    assert "issue:12" in asked(bakery, "Which issue did #8 close?").answer

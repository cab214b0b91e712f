"""A sentence that only says something of the one before it is said with that one, and that one not without it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.afterthoughts import belongs, read_on
from cortex.composer.ask import ask
from cortex.composer.cite import holds
from cortex.composer.cuts import shortened
from cortex.substrate.brain import Brain
from cortex.substrate.model import Citation, CitedRecord, Scope
from tests.brains import index_records, record

SAID = "The pump is cooled by water."
RECORD = CitedRecord(
    type="pull", ref="pull:742", title="Cool it", author="ada", state="merged",
    created_at=datetime(2026, 2, 10, tzinfo=UTC),
)  # fmt: skip


def says(said: str, body: str, statement: str = "") -> bool:
    citation = Citation(
        handle="pull:742@0-90", statement=statement, excerpt=body[:90], kind=None, authority=0.9, confidence=1,
        record=RECORD, source="o8",
    )  # fmt: skip
    return holds(f"{said} [CITATION:{citation.handle}]", [citation], {"o8 pull:742": body})


AFTER = [
    "It was taken apart in May.", "This was never built.", "That got undone.", "We scrapped it in June.",
    "It has since been exchanged.", "Scrapped in #31.", "Replaced by air.", "Since May, oil replaced it.",
    "As of 4.0 this is not so.", "At least that was so in 2020.", "That is what the vendor claims.", "So he says.",
    "If I recall it right.", "Unless it freezes.", "When the valve is open.", "But not at night.",
    "Though not by much.",
    "In winter.", "For big orders, that is.", "Manually.", "Not by default.", "Hmm, not really.", "Oh wait, it isn't.",
    "Well, no, by air.", "Sorry, I mistook it for the fan.", "I retract that.", "I might be wrong.", "AFAIK.",
    "Update (June): by air.", "Edit 2: by air.", "[Edited: by air]", "UPDATE 2025-06: by air.", "Corrected: by air.",
    "Please disregard the last line.", "There is no water at night.", "None of this is true.",
]  # fmt: skip


@pytest.mark.parametrize("after", AFTER)
def test_what_only_changes_the_sentence_before_it_is_said_with_it(after: str) -> None:
    body = f"{SAID} {after}"
    assert not says(SAID, body)
    assert not says(f"“{SAID}”", body)
    assert not says(SAID, body, statement=SAID)
    assert says(body, body)
    assert says(f"“{body}”", body)
    assert body[: read_on(body, len(SAID))] == body


BESIDE = [
    "It is quiet.", "It runs on 12 volts.", "This keeps the bearing dry.", "For the fan we use air.",
    "In the meantime Bert got a fan.", "Not a single leak so far.", "No problem with leaks so far.",
    "Only Ada may open it.", "Correction of typos is welcome.", "By everyone.", "Update the manual if you like it.",
    "Never open the lid.", "To fill it, open the lid.", "Is it loud?", "There are three hoses.", "Nothing leaks.",
    "It was in the year of the flood that Ada and Bert found the old pump in the cellar.",
]  # fmt: skip


@pytest.mark.parametrize("beside", BESIDE)
def test_what_tells_more_is_said_or_left(beside: str) -> None:
    body = f"{SAID} {beside}"
    assert says(SAID, body)
    assert says(f"“{SAID}”", body)
    assert body[: read_on(body, len(SAID))] == SAID


@pytest.mark.parametrize(
    "below",
    ["Edit: by air now.", "**_Edit:_** by air.", "**Update**: oil.", "(That is outdated.)",
     "---\n\nThe above is wrong.", "This has changed, see #31.",
     "UPDATE 2025-06: oil does it since we moved, as everybody knows who is there."],
)  # fmt: skip
def test_the_next_paragraph_may_take_a_sentence_back(below: str) -> None:
    body = f"{SAID}\n\n{below}"
    assert not says(SAID, body)
    assert not says(f"“{SAID}”", body)
    assert body[: read_on(body, len(SAID))] == body
    assert says(SAID, f"{SAID}\n\nIn winter we turn it off.\n\n{below}")
    assert says(SAID, f"{SAID}\n\nPerhaps:\n\n- by air")


BEFORE = [
    "None of the following is built.", "Suppose the following.", "Imagine this.",
    "Here is what the vendor claims.", "The old manual says this.",
]  # fmt: skip
OF_ALL = [
    "The following is not so.",
    "Everything below is a draft.",
    "The notes below are from 2015.",
    "This page describes version 1.",
]


@pytest.mark.parametrize("before", [*BEFORE, *OF_ALL])
def test_what_is_said_to_be_otherwise_is_said_with_that(before: str) -> None:
    for between in (" ", "\n\n"):
        body = f"{before}{between}{SAID}\n\nThe fan is loud."
        assert not says(SAID, body)
        assert not says(f"“{SAID}”", body)
        assert says("The fan is loud.", body) == (before in BEFORE)
    assert says(SAID, f"{before}\n\n# Pumps\n\n{SAID}")


@pytest.mark.parametrize(
    "beside", ["The steps are below.", "The following shows it.", "Here we cool it.", "See below.", "Ada knows this."]
)
def test_what_only_points_turns_nothing(beside: str) -> None:
    assert says(SAID, f"{beside} {SAID}")


LONG = f"The pump is cooled by water{''.join(f', pipe {n} of the hall' for n in range(9, 29))}, and a fan."


@pytest.mark.parametrize("after", ["Scrapped in 3.0.", "Update: by air.", "In the old hall.", "It was by air before."])
def test_a_long_sentence_is_quoted_to_its_end_with_what_belongs_to_it(after: str) -> None:
    assert belongs(after)
    assert len(LONG) > 400
    assert shortened(f"{LONG} {after} Ada did it by herself last year.", 320) == f"{LONG} {after}"
    assert len(shortened(f"{LONG} Ada did it by herself last year.", 320)) <= 322


@pytest.mark.parametrize("after", [" Scrapped in 3.0.", "\n\n**Update**: oil does it."])
def test_an_answer_tells_what_takes_a_long_sentence_back(brain: Brain, after: str) -> None:
    body = f"Halls\n\n{LONG}{after}\n\nThanks to all who came to look at it."
    index_records(brain, record("issue:1", body, state="open"), record("issue:2", "Fans\n\nFans hum.", state="open"))
    answer = ask(brain, "How is the pump cooled?", scope=Scope()).answer
    assert "The pump is cooled by water" in answer
    assert after.strip().replace("*", "") in answer


def test_a_clause_after_a_semicolon_is_no_more_left_out_than_a_sentence() -> None:
    assert not says(SAID, f"{SAID.rstrip('.')}; or was.")
    assert not says(SAID, f"{SAID.rstrip('.')}; this does not hold in winter.")
    assert says(SAID, f"{SAID.rstrip('.')}; Ada built it.")

"""A statement stands only while it cites the row it quotes and says nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cortex.composer.cite import CITED, holds, standing
from cortex.composer.compose.extractive import Statement
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.stems import split

BODY = "Raise the timeout\n\nWe raised it from 5 to 15 minutes, because 31 packets were **lost** on 2026-02-11."
RECORD = CitedRecord(type="pull", ref="pull:742", title="Raise the timeout", author="ada", state="merged")
CITATION = Citation(
    handle="fact-0a1b2c3d4e5f",
    statement="PR #742 (merged by ada): Raise the timeout",
    excerpt=BODY,
    kind="decision",
    authority=0.95,
    confidence=0.9,
    record=RECORD,
    source="o8",
)
BODIES = {"o8 pull:742": BODY}
QUOTED = "We raised it from 5 to 15 minutes, because 31 packets were lost on 2026-02-11."
FAITHFUL = f"PR #742 by ada, merged: “{QUOTED}” [CITATION:fact-0a1b2c3d4e5f]"


def test_a_faithful_statement_holds() -> None:
    assert holds(FAITHFUL, [CITATION], BODIES)


@pytest.mark.parametrize(
    "text",
    [
        FAITHFUL.replace("31", "32"),
        FAITHFUL.replace("from 5 to 15", "from 15 to 5"),
        FAITHFUL.replace("because", "although"),
        FAITHFUL.replace("We raised", "We never raised"),
        FAITHFUL.replace("ada", "eve"),
        FAITHFUL.replace("merged", "rejected"),
        FAITHFUL.replace("#742", "#743"),
        FAITHFUL.replace("fact-0a1b2c3d4e5f", "fact-000000000000"),
        FAITHFUL + " [CITATION:issue:1@0-5]",
        FAITHFUL.partition(" [")[0],
        "",
    ],
    ids=[
        "another number", "numbers swapped", "another word", "a word more", "another person", "another state",
        "another pull request", "a foreign handle", "a foreign handle more", "no handle", "nothing",
    ],
)  # fmt: skip
def test_a_statement_that_says_anything_else_does_not(text: str) -> None:
    assert not holds(text, [CITATION], BODIES)


WORDS = split(QUOTED)


@given(st.integers(0, len(WORDS) - 1), st.integers(1, len(WORDS)))
def test_any_run_of_its_words_holds(start: int, length: int) -> None:
    run = " ".join(QUOTED.split()[start : start + length])
    assume(run)
    assert holds(f"PR #742: “{run} …” [CITATION:{CITATION.handle}]", [CITATION], BODIES)


@given(st.integers(0, len(WORDS) - 1), st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=9))
def test_no_invented_word_holds(place: int, word: str) -> None:
    every = QUOTED.split()
    assume(word not in split(BODY))
    said = " ".join([*every[:place], word, *every[place:]])
    assert not holds(f"PR #742: “{said}” [CITATION:{CITATION.handle}]", [CITATION], BODIES)
    assert not holds(f"PR #742 {word}: “{QUOTED}” [CITATION:{CITATION.handle}]", [CITATION], BODIES)


@given(st.permutations(re.findall(r"\d+", QUOTED)))
def test_no_exchange_of_numbers_holds(numbers: list[str]) -> None:
    given_ = iter(numbers)
    said = re.sub(r"\d+", lambda _: next(given_), QUOTED)
    assert holds(f"PR #742: “{said}” [CITATION:{CITATION.handle}]", [CITATION], BODIES) is (said == QUOTED)


@given(st.text(max_size=30))
def test_no_foreign_handle_holds(handle: str) -> None:
    assume(handle.strip() != CITATION.handle)
    assert not holds(f"“{QUOTED}” [CITATION:{handle}]", [CITATION], BODIES)


def test_what_does_not_stand_is_left_out() -> None:
    false = FAITHFUL.replace("31", "32")
    kept = standing([Statement(FAITHFUL, CITATION), Statement(false, CITATION)], BODIES)
    assert [one.text for one in kept] == [FAITHFUL]
    assert CITED.findall(FAITHFUL) == [CITATION.handle]

"""A question in British spelling finds what is written in American spelling, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.ask import ask
from cortex.composer.spelling import spellings
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            record("doc:a.md#1", "The shuffler randomizes its pool every hour.", title="Shuffler"),
            record("doc:a.md#2", "The licence of the maps is ODbL.", title="Maps"),
            record("doc:a.md#3", "Orders are synchronised at noon by the courier.", title="Orders"),
            record("doc:a.md#4", "Prices are synchronized nightly from the till.", title="Prices"),
            record("doc:a.md#5", "Stock is synchronized weekly.", title="Stock"),
            origin="files",
        )
        yield brain


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("randomise", "randomize"), ("organisations", "organizations"), ("analyser", "analyzer"),
        ("colour", "color"), ("behavioural", "behavioral"), ("neighbouring", "neighboring"), ("centre", "center"),
        ("fibres", "fibers"), ("centred", "centered"), ("licence", "license"), ("practised", "practiced"),
        ("defences", "defenses"), ("catalogue", "catalog"), ("cataloguing", "cataloging"), ("grey", "gray"),
        ("artefacts", "artifacts"),
    ],
)  # fmt: skip
def test_each_spelling_is_of_the_other(british: str, american: str) -> None:
    assert american in spellings(british)
    assert british in spellings(american)


@pytest.mark.parametrize("word", ["four", "hour", "advice", "size", "rise", "log", "your", "open"])
def test_a_word_with_one_spelling_has_no_other(word: str) -> None:
    assert spellings(word) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("How often is the pool randomised?", "every hour"),
        ("What is the license of the maps?", "ODbL"),
        ("When are orders synchronized by the courier?", "at noon"),
        ("How often are prices synchronised?", "nightly"),
    ],
)
def test_a_question_is_read_as_the_brain_spells_it(brain: Brain, text: str, told: str) -> None:
    answer = ask(brain, text, scope=Scope())
    assert told in answer.answer.splitlines()[0]
    assert answer.question == text


def test_both_spellings_are_one_word_and_no_name_is_respelled(brain: Brain) -> None:
    question = understand(brain, "Are they synchronised by license.py, or license?", brain.stemmer)
    assert question.text == "Are they synchronised by license.py, or licence?"
    assert question.forms == {"synchron": "synchronis"}
    assert "synchronized" in question.variant


def test_another_word_is_no_spelling(brain: Brain) -> None:
    index_records(brain, record("doc:b.md#1", "The registry of all ministries.", title="Registry"), origin="files")
    text = "Where is a minister registered?"
    assert understand(brain, text, brain.stemmer).text == text

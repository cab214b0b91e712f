"""A caller who may read one source learns nothing of the words of another: answers, scores and briefs are the same."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cortex.brief.brief import brief
from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import NOW, index_records, open_new, record

OWN = Scope(sources=("acme/own",))
TOPICS = ("gears", "belt", "oil", "press", "valve", "lathe", "motor", "spring", "filter", "pump")
WORDS = [first + last for first, last in product(("bra", "cle", "dri", "flo", "gru"), ("nk", "st", "mp", "lt"))]
GUESSED = [f"{one}{other}" for one, other in product(WORDS, TOPICS)]
"""200 words that an outsider guesses at."""


def others(words: Sequence[str]) -> Iterator[str]:
    """What the other source says: each of *words* some times, so many words in all."""
    for place, word in enumerate(words):
        yield from (f"The {TOPICS[place % 10]} is made of {word} since part {n} came" for n in range(1 + place % 4))


def held(path: Path, hidden: Sequence[str]) -> Brain:
    """A brain with a source of one's own, which holds one word in five, and another of *hidden* words."""
    brain = open_new(path)
    said = [
        f"The {TOPICS[place % 10]} has a part called {word}" for place, word in enumerate(GUESSED) if place % 5 == 0
    ]
    own = [record(f"issue:{n}", text, source="acme/own") for n, text in enumerate(said, 1)]
    index_records(brain, *own, source="acme/own")
    theirs = [record(f"issue:{n}", text, source="acme/theirs") for n, text in enumerate(others(hidden), 1)]
    index_records(brain, *theirs, source="acme/theirs")
    return brain


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Brain]]:
    """Two that differ in what the other source holds: in one it is every second word, in one the rest."""
    folder = tmp_path_factory.mktemp("oracle")
    made = [held(folder / f"{half}.db", GUESSED[half::2]) for half in (0, 1)]
    yield made
    for one in made:
        one.close()


def told(brain: Brain, place: int) -> Sequence[Any]:
    word, topic = GUESSED[place], TOPICS[place % 7]
    texts = (word, f"What is the {topic} made of, {word}?", f"is {word} a part of the {topic} since it came")
    answer = ask(brain, texts[1 + place % 2], scope=OWN, now=NOW).model_dump(exclude={"timings_ms"})
    briefed = brief(brain, texts[1], (), budget=1200, scope=OWN, now=NOW).model_dump() if place % 10 == 0 else None
    return answer, search(brain, texts[place % 3], scope=OWN), briefed


def test_nobody_learns_the_words_of_a_source_that_they_may_not_read(brains: list[Brain]) -> None:
    step = 1 if os.environ.get("LONG") else 3  # of both halves, of what is one's own and of what is not
    asked = range(0, len(GUESSED), step)
    known = [GUESSED[place] for place in asked if told(brains[0], place) != told(brains[1], place)]
    assert known == []


def test_all_sources_are_searched_with_the_words_of_all(brains: list[Brain]) -> None:
    assert all(search(brains[0], word, scope=Scope()) != search(brains[1], word, scope=Scope()) for word in GUESSED[:9])

"""Which questions follow another, and how they are asked."""

from __future__ import annotations

import pytest

from cortex.composer.following import asked_of, follows
from cortex.composer.question import understand
from cortex.substrate.brain import Brain
from cortex.substrate.model import CitedRecord
from cortex.substrate.stems import Stemmer

FOLLOWING = [
    "and why?",
    "why?",
    "when?",
    "who else?",
    "who decided?",
    "who decided that?",
    "tell me more",
    "was it reverted?",
    "what came of it?",
    "how long did that take?",
    "how does it handle timeouts?",
    "Is that still so?",
]
STANDING = [
    "who owns the parser?",
    "and who owns the runner?",
    "what about #671?",
    "was it in 0.14.0?",
    "what happened in May 2026?",
    "which tests fail?",
    "which tests that fail are skipped?",
    "what is the cost limit a day?",
    "why does the runner lose its lease when it sleeps?",
]


@pytest.mark.parametrize("text", FOLLOWING)
def test_what_names_nothing_follows(demo: Brain, text: str) -> None:
    assert follows(understand(demo, text, Stemmer()))


@pytest.mark.parametrize("text", STANDING)
def test_what_names_something_stands_alone(demo: Brain, text: str) -> None:
    assert not follows(understand(demo, text, Stemmer()))


@pytest.mark.parametrize(
    ("ref", "asked"),
    [
        ("pull:958", "who decided that: Pin six facts #958?"),
        ("comment:958#31", "who decided that: Pin six facts #958?"),
        ("doc:docs/brain.md#order", "who decided that: Pin six facts?"),
    ],
)
def test_it_is_asked_of_the_title_and_the_thread_and_then_stands_alone(demo: Brain, ref: str, asked: str) -> None:
    topic = CitedRecord(type=ref.partition(":")[0], ref=ref, title="Pin six facts")
    assert asked_of("who decided that??", topic) == asked
    assert not follows(understand(demo, asked, Stemmer()))

"""Which questions follow another, and how they are asked."""

from __future__ import annotations

import pytest

from cortex.compactor.run import compact
from cortex.composer.following import asked_of, following, follows
from cortex.composer.understanding import understand
from cortex.errors import UnknownHandle
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import CitedRecord, Scope
from tests.brains import LATER, index_records, record

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


EVERY = Scope(sources=None)


@pytest.mark.parametrize("after", ["pull:958", "pull:958@0-20", "o8-labs/o8/pull:958@0-20"])
def test_it_is_asked_of_whatever_the_last_answer_cited(demo: Brain, after: str) -> None:
    assert following(demo, "and why?", after, scope=EVERY).endswith(" #958?")


def test_what_stands_alone_needs_nothing_before_it(demo: Brain) -> None:
    for asked, after in (("who owns the parser?", "pull:1"), ("and why?", "")):
        assert following(demo, asked, after, scope=EVERY) == asked
    with pytest.raises(UnknownHandle):
        following(demo, "and why?", "pull:1", scope=EVERY)


def test_what_was_taken_out_is_asked_of_by_its_record(brain: Brain) -> None:
    index_records(brain, record("issue:1", "We decided to drop the old parser."))
    (handle,) = brain.db.execute("select handle from facts").fetchone()
    brain.db.execute("update facts set confidence = 0.1")
    compact(brain, now=LATER)
    assert following(brain, "and why?", handle, scope=EVERY) == "and why: We decided to drop the old parser. #1?"

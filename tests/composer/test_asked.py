"""What a question asks for, and by which of its words it is looked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.answer_types import type_of
from cortex.composer.ask import ask
from cortex.composer.question import stands_in
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

FERRY = (
    record("doc:docs/fog.md#fog", "When the fog bell rings, no ferry leaves the quay.", title="Fog"),
    record("doc:docs/crew.md#crew", "Each ferry has a crew of four.", title="Crew"),
    record("doc:docs/tides.md#tides", "At low tide lorries wait on the upper deck.", title="Tides"),
)


@pytest.fixture
def ferry(brain: Brain) -> Brain:
    index_records(brain, *FERRY, origin="docs")
    return brain


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("What happens when the fog bell rings?", "text"),
        ("What does a ferry do where two channels meet?", "text"),
        ("What does the sailor who steers look at?", "text"),
        ("When the fog bell rings, what happens?", "text"),
        ("When the fog bell rings, may a ferry leave?", "yes/no"),
        ("When did the ferry sink?", "date"),
        ("So when did it sink?", "date"),
        ("What was changed, and when?", "date"),
        ("Tell me when it sank", "date"),
        ("What sank? When was that?", "date"),
    ],
)
def test_a_clause_that_says_when_or_of_whom_asks_for_no_date_and_nobody(text: str, type_: str) -> None:
    assert type_of(text) == type_


def test_what_happens_when_something_is_so_is_answered_by_a_rule_without_a_date(ferry: Brain) -> None:
    answer = ask(ferry, "What happens when the fog bell rings?", scope=Scope())
    assert answer.citations[0].record.ref == "doc:docs/fog.md#fog"
    assert ask(ferry, "When was the fog bell hung?", scope=Scope()).refused


DAY = datetime(2025, 4, 1, tzinfo=UTC)
CHORES = tuple(record(f"issue:{number}", f"Chore {number}\n\nPaint bollard {number}.") for number in range(30, 90))
FOGHORN = record("pull:7", "Remove the foghorn\n\nNeighbours.", state="merged", merged_at=DAY)


@pytest.mark.parametrize("asked", ["PR", "MR", "pull request", "merge request", "change"])
def test_the_kind_of_record_that_is_asked_for_need_stand_in_no_text(brain: Brain, asked: str) -> None:
    index_records(brain, FOGHORN, *CHORES)
    answer = ask(brain, f"Which {asked} removed the foghorn?", scope=Scope())
    assert answer.citations[0].record.ref == "pull:7"
    assert ask(brain, f"Which {asked} removed the gangway?", scope=Scope()).refused


def test_which_pull_request_is_answered_by_one_before_who_spoke_of_it(brain: Brain) -> None:
    why = record("issue:3", "Is the foghorn to be removed?\n\nThe foghorn was removed by which PR? Nobody knows.")
    told = record("comment:3#1", "The foghorn was removed, I hear, the foghorn!", title=why.title)
    index_records(brain, FOGHORN, why, told, *CHORES)
    answer = ask(brain, "Which PR removed the foghorn?", scope=Scope())
    assert answer.citations[0].record.ref == "pull:7"


def test_added_and_add_are_one_word(brain: Brain, stemmer: Stemmer) -> None:
    index_records(brain, *CHORES)
    question = understand(brain, "Which PR added a winch?", stemmer)
    assert question.weights["ad"] < question.weights["winch"]
    assert "ad" in stands_in(question, "Add a crane", stemmer)


def test_which_pull_request_is_not_surely_answered_by_what_is_none(brain: Brain) -> None:
    told = record("issue:4", "The foghorn of the ferry\n\nThe foghorn of the ferry was removed.")
    index_records(brain, told, *CHORES)
    assert ask(brain, "Which PR removed the foghorn of the ferry?", scope=Scope()).evidence != "strong"
    assert ask(brain, "Which issue removed the foghorn of the ferry?", scope=Scope()).evidence == "strong"


def test_an_unseen_word_weighs_what_the_commonest_of_its_kin_does(brain: Brain, stemmer: Stemmer) -> None:
    released = [record(f"pull:{number}", f"Release boat {number}", state="merged") for number in range(1, 30)]
    index_records(brain, *released, *CHORES)
    weights = understand(brain, "When did the lifeboat ship, and who wrote that?", stemmer).weights
    assert weights["ship"] == understand(brain, "release", stemmer).weights["releas"]
    assert weights["ship"] < weights["lifeboat"]
    assert weights["wrote"] == understand(brain, "write", stemmer).weights["write"] < weights["lifeboat"]


OFF_SHORE = record("doc:docs/fields.md#fields", "Each berth has the field `off-hire`, a day.", title="Fields")
HIRED = record("comment:5#1", "The hire of the berth is due on Friday.", title="Berths")
WATCH = record(
    "doc:docs/crew.md#on-watch", "| week | first |\n|---|---|\n| A | Oda |\n| B | Piet |", title="Crew › On watch"
)


def test_a_hyphenated_name_of_everyday_words_is_one_name(brain: Brain, stemmer: Stemmer) -> None:
    index_records(brain, OFF_SHORE, HIRED, *CHORES, origin="docs")
    question = understand(brain, "What is the off-hire of a berth?", stemmer)
    assert stemmer.sequence("offhire")[0] in question.content
    assert ask(brain, question.text, scope=Scope()).citations[0].record.ref == OFF_SHORE.ref
    assert not understand(brain, "What is the off-peak hire of a berth?", stemmer).compounds


@pytest.mark.parametrize("text", ["Who is on watch?", "Who is on-watch?"])
def test_a_part_that_is_headed_by_everyday_words_tells_who_is_so(brain: Brain, text: str) -> None:
    index_records(brain, WATCH, *CHORES, origin="docs")
    assert ask(brain, text, scope=Scope()).citations[0].record.ref == WATCH.ref
    assert ask(brain, "Who is on leave?", scope=Scope()).refused


DOCK = record(
    "issue:8", "Dock gates froze\n\nFrom 07:42 the gates of the dock did not open, 42 lorries waited.", state="open"
)
BERTH = record("pull:9", "Dredge Dock 7\n\nDock 7 is open again, since 2024-11-42.", state="merged", merged_at=DAY)


def test_a_noun_with_its_number_is_a_name_that_has_to_stand_there(brain: Brain) -> None:
    index_records(brain, DOCK, BERTH, *CHORES)
    assert ask(brain, "Is the gate of Dock 42 open?", scope=Scope()).refused
    assert ask(brain, "Was Dock 7 dredged?", scope=Scope()).citations[0].record.ref == "pull:9"


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Why 42 lorries?", False),
        ("Which lorries came at 06:42?", True),
        ("Which lorries came on 2024-06-42?", False),
    ],
)
def test_a_number_is_not_a_part_of_a_time_that_nobody_asks_for(brain: Brain, text: str, *, held: bool) -> None:
    index_records(brain, DOCK, BERTH, *CHORES)
    question = understand(brain, text, brain.stemmer)
    assert ("42" in stands_in(question, "They came at 07:42.", brain.stemmer)) is held


@pytest.mark.parametrize(("said", "first"), [("Engine 4", "doc:docs/pumps.md#pumps"), ("an engine", "pull:21")])
def test_a_proposal_is_outranked_by_what_has_another_number_for_the_same(brain: Brain, said: str, first: str) -> None:
    rule = record("doc:docs/pumps.md#pumps", f"The pumps have {said}, see the shed.", title="Pumps")
    wish = record("pull:21", "Engine 5 for the pumps\n\nThe pumps should have Engine 5.", state="open")
    index_records(brain, rule, wish, *CHORES)
    assert ask(brain, "Do the pumps have Engine 5?", scope=Scope()).citations[0].record.ref == first

"""What speaks for and against an answer: names no row has, numbers nothing counts, the type that is asked for."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.candidates import look
from cortex.composer.evidence import features, judge
from cortex.composer.gathering import ROWS, retrieve
from cortex.composer.order import order
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.records import load_records
from cortex.composer.signs import LARGE, _written, are_apart
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def ordered(brain: Brain, question: Question, stemmer: Stemmer) -> list[Ordered]:
    looked = look(question, retrieve(brain, question, stemmer, sources=[1])[:ROWS], stemmer)
    return order(question, looked, load_records(brain, [one.fused.row.record_id for one in looked], {1: ""}), stemmer)


def seen(brain: Brain, text: str) -> dict[str, float]:
    stemmer = Stemmer()
    question = understand(brain, text, stemmer)
    return features(question, ordered(brain, question, stemmer), stemmer)


@pytest.fixture
def leases(brain: Brain) -> Brain:
    bodies = {
        1: "Leases\n\nA lease lasts 30 seconds. Redis keeps the leases of all workers.",
        2: "Retries\n\nA job is tried with three retries, then it waits for its owner.",
        3: "Reviews\n\nReviews are welcome. The count was changed by 2 people.",
    }
    others = {number: f"Topic {number}\n\nNothing of the kind is told here." for number in range(4, 30)}
    index_records(brain, *(record(f"issue:{n}", body, state="open") for n, body in (bodies | others).items()))
    return brain


def test_a_name_no_row_has_is_evidence_against(leases: Brain) -> None:
    assert seen(leases, "How long does Redis keep the leases?")["nameless"] == 0
    assert seen(leases, "How long does Valkey keep the leases?")["nameless"] == 1
    assert seen(leases, "how long are leases kept?")["nameless"] == 0
    stemmer = Stemmer()
    likely = {}
    for name in ("Redis", "Valkey"):
        question = understand(leases, f"Why does {name} keep the leases of all workers?", stemmer)
        likely[name] = judge(question, ordered(leases, question, stemmer), stemmer).likelihood
    assert likely["Redis"] > likely["Valkey"] + 0.2


@pytest.mark.parametrize(
    ("name", "written", "others"),
    [
        ("HiGHS", "Solved with highs.", "The tide is high."),
        ("S-57", "Charts are S57 and s_57.", "57 charts, s."),
        ("v0.5.1", "Since 0.5.1 it is verified.", "Since 0.5.10 or 10.5.1."),
        ("0.5.1", "Since v0.5.1.", "Since 0.5.10 or 10.5.1."),
        ("busy_timeout", "The busy timeout is 5 s.", "Busy: no timeout."),
        ("Webhooks", "A webhook's answer.", "The web hooked us."),
    ],
)
def test_a_name_stands_where_it_is_written(name: str, written: str, others: str) -> None:
    assert re.search(_written(name), written.lower())
    assert not re.search(_written(name), others.lower())


@pytest.mark.parametrize(("name", "like"), [("HiGHS", "high"), ("S-57", "57 s"), ("2.4.7", "2.4.70")])
def test_what_only_sounds_like_a_name_is_no_answer(brain: Brain, name: str, like: str) -> None:
    others = [
        record(f"issue:{number}", f"Topic {number}\n\nNothing of the kind.", state="open") for number in range(4, 30)
    ]
    told = "Planner\n\nThe planner solves the berths with {} since 2024."
    for said, refused in ((name, False), (like, True)):
        index_records(brain, record("issue:1", told.format(said), state="open"), *others)
        assert ask(brain, f"Does the planner solve the berths with {name}?", scope=Scope()).refused == refused


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Why does libSQL hold the WAL open in v1.2?", {"libsql", "wal"}),
        ("Postgres was refused. Why?", set()),
        ("WHY DOES THE QUEUE STOP?", set()),
        ("What did Ada say in March 2024 about busy_timeout?", {"ada", "timeout"}),
    ],
    ids=["inside", "at the beginning", "shouted", "people and dates"],
)
def test_names_are_what_is_written_as_names(leases: Brain, text: str, named: set[str]) -> None:
    assert understand(leases, text, Stemmer()).named == named


def test_what_many_rows_have_by_chance_is_no_surprise(leases: Brain) -> None:
    whole, chance = "Why does Redis keep the leases of workers?", "What kind of topic is told here?"
    assert seen(leases, whole)["surprise"] > seen(leases, chance)["surprise"] + 3
    assert seen(leases, whole)["large"] == 0 < seen(leases, whole)["tiny"]


def test_a_row_of_the_month_that_is_named_has_said_that(brain: Brain) -> None:
    days = {number: datetime(2024, number, 5, tzinfo=UTC) for number in range(1, 9)}
    pulls = (
        record(f"pull:{number}", f"Rotate the keys of site {number}\n\nDone.", state="merged", created_at=day)
        for number, day in days.items()
    )
    index_records(brain, *pulls)
    assert seen(brain, "Which keys were rotated in March 2024?")["said"] == 1
    assert seen(brain, "Which keys were rotated in March 2021?")["said"] < 1


@pytest.mark.parametrize(("text", "type_"), [("What is our release cadence?", "text"), ("Which release?", "number")])
def test_a_release_is_a_number_where_it_is_asked_for_itself(leases: Brain, text: str, type_: str) -> None:
    assert understand(leases, text, leases.stemmer).type == type_


def test_how_many_is_answered_by_what_counts_them(leases: Brain) -> None:
    assert seen(leases, "How many retries does a job get?")["said"] > 0.4
    assert seen(leases, "How many reviews were changed?")["said"] == 0


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("Which error code is returned when the tag does not verify?", "name"),
        ("How many users lost their session when the queue stopped?", "number"),
        ("Somebody asked who owns it. When was that settled?", "date"),
        ("What is the largest number of workers?", "number"),
        ("In which release was the queue removed?", "number"),
        ("Is it known who decided?", "yes/no"),
    ],
)
def test_what_is_asked_first_in_the_sentence_that_asks_is_the_type(leases: Brain, text: str, type_: str) -> None:
    assert understand(leases, text, Stemmer()).type == type_


def test_a_question_about_what_nobody_counts_is_refused(leases: Brain) -> None:
    assert not ask(leases, "How many retries does a job get?", scope=Scope()).refused
    assert ask(leases, "How many reviews must a change by people collect?", scope=Scope()).refused


@pytest.mark.parametrize(
    ("row", "is_apart"),
    [
        (
            record("doc:bread.md", "# Loaves\n\nA crumb of the dark sort that is sold on Mondays by weight is soft."),
            False,
        ),
        (
            record("pull:7", "Ovens\n\nThe crumb of a loaf that bakes for hours and cools is soft.", state="merged"),
            False,
        ),
        (record("pull:7", "Ovens\n\nThe crumb of a loaf that bakes for hours and cools is soft.", state="open"), True),
        (record("doc:bread.md", "# Loaves\n\nA crumb falls.\n\nOur flour, from the old mill, is soft."), True),
    ],
    ids=["a document", "a merged change", "an idea", "two sentences"],
)
def test_what_one_sentence_of_what_stands_has_is_not_apart(brain: Brain, row: Record, *, is_apart: bool) -> None:
    index_records(brain, row)
    stemmer = Stemmer()
    question = dataclasses.replace(understand(brain, "Is the crumb soft?", stemmer), rows=LARGE)
    assert are_apart(question, ordered(brain, question, stemmer), stemmer) == is_apart

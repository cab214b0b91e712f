"""A question is taken apart: its class, what it asks for, its terms and what they weigh."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.composer.answer_types import AnswerType, gives
from cortex.composer.ask import ask
from cortex.composer.question import coverage, idf
from cortex.composer.understanding import MOST_TERMS, understand
from cortex.composer.weighing import COMMON
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.search import search_passages
from tests.brains import index_records, record

TYPES: dict[str, AnswerType] = {
    "Who owns the eval harness?": "person",
    "By whom was #958 merged?": "person",
    "Which maintainer reviews the gateway?": "person",
    "When was it released?": "date",
    "What day did the outage begin?": "date",
    "How many packets may run at once?": "number",
    "How long may a file become?": "number",
    "What is the limit of the queue?": "number",
    "Why do we poll?": "reason",
    "What was the root cause of the outage?": "reason",
    "How do I release?": "procedure",
    "What steps come before a release?": "procedure",
    "Which labels are there?": "list",
    "Which font is it?": "name",
    "What tool formats the code?": "name",
    "Does the board show partial results?": "yes/no",
    "May I skip the check?": "yes/no",
    "Tell me about the gateway.": "text",
    "": "text",
}


@pytest.mark.parametrize(("text", "type_"), TYPES.items(), ids=TYPES.keys())
def test_a_question_asks_for_something(demo: Brain, stemmer: Stemmer, text: str, type_: str) -> None:
    assert understand(demo, text, stemmer).type == type_


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("Who owns the harness?", "A"),
        ("What is the limit?", "A"),
        ("Which font do we use?", "A"),
        ("Why do we poll runners?", "B"),
        ("What is the rationale of WAL?", "B"),
        ("Who changed it and why?", "B"),
        ("Explain the lease protocol", "B"),
        ("Tauri versus Electron", "B"),
    ],
)
def test_a_lookup_is_told_from_a_question_that_takes_reasoning(
    demo: Brain, stemmer: Stemmer, text: str, class_: str
) -> None:
    assert understand(demo, text, stemmer).class_ == class_


@pytest.mark.parametrize(
    ("type_", "sentence", "given_"),
    [
        ("number", "At most 12 packets.", True),
        ("number", "At most a dozen.", False),
        ("date", "Released 2025-03-01.", True),
        ("date", "Released soon.", False),
        ("reason", "We poll because leases expire.", True),
        ("reason", "We poll.", False),
        ("text", "Anything.", False),
    ],
)
def test_a_sentence_gives_what_is_asked_for_or_not(type_: AnswerType, sentence: str, *, given_: bool) -> None:
    assert gives(type_, sentence) is given_


def test_a_rare_word_weighs_more_than_a_common_one(demo: Brain, stemmer: Stemmer) -> None:
    weights = understand(demo, "Does the packet use font-feature-settings?", stemmer).weights
    assert weights["packet"] < weights["font"] <= weights[stemmer.sequence("settings")[0]] * 3
    assert "does" not in weights


def test_a_word_no_row_holds_weighs_most_and_is_named(demo: Brain, stemmer: Stemmer) -> None:
    question = understand(demo, "Is the zyxqwv packet blocked?", stemmer)
    assert question.unseen == {"zyxqwv"}
    assert question.weights["zyxqwv"] == max(question.weights.values()) == idf(0, question.rows)


def test_everyday_words_weigh_little_however_rare(demo: Brain, stemmer: Stemmer) -> None:
    question = understand(demo, "yesterday", stemmer)
    assert all(weight <= COMMON * idf(0, question.rows) for weight in question.weights.values())


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_idf_is_never_negative_and_falls_with_every_document(documents: int, rows: int) -> None:
    assert 0 <= idf(documents + 1, rows) <= idf(documents, rows) < math.inf


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 20)), st.sets(st.text(max_size=3)))
def test_coverage_is_a_share_and_grows_with_what_is_held(weights: dict[str, float], stems: set[str]) -> None:
    covered = coverage(weights, stems)
    assert 0 <= covered <= coverage(weights, stems | weights.keys()) <= 1.000001
    assert coverage({}, stems) == 0


@given(st.text(max_size=200))
def test_any_text_can_be_taken_apart(demo: Brain, stemmer: Stemmer, text: str) -> None:
    question = understand(demo, text, stemmer)
    assert question.unseen <= question.weights.keys()
    assert len(question.terms) <= 64


def test_a_question_of_words_that_say_the_same_is_asked_of_a_large_brain_too(brain: Brain, stemmer: Stemmer) -> None:
    rows = (record(f"issue:{number}", f"Build {number}\n\nCMake builds it.", state="open") for number in range(1, 260))
    index_records(brain, *rows)
    text = "How do I build with CMake?"
    question = understand(brain, text, stemmer)
    assert not {*stemmer.stem(question.variant).values()} & question.stems
    assert ask(brain, text, scope=Scope()).citations
    matches = search_passages(brain.db, question.terms, beside=question.terms, sources=None, limit=10)
    assert matches == search_passages(brain.db, question.terms, sources=None, limit=10)


def test_a_date_is_read_once_however_often_a_question_names_it(brain: Brain) -> None:
    question = understand(brain, "in May 2024 " * 5000 + "and on 2024-05-01, 2024-05-02", brain.stemmer)
    assert question.days == {"2024-05": " may 2024", "2024-05-01": " 2024-05-01", "2024-05-02": " 2024-05-02"}
    many = " ".join(f"{1900 + year}-{month:02}" for year in range(100) for month in range(1, 13))
    assert len(understand(brain, many, brain.stemmer).days) == MOST_TERMS


def test_a_part_of_a_year_is_four_months(brain: Brain) -> None:
    question = understand(brain, "Who left in late 2021, and who came early in 2019 or in 2018?", brain.stemmer)
    months = {f"2021-{month:02}": " late 2021" for month in range(9, 13)}
    months |= {f"2019-{month:02}": " early in 2019" for month in range(1, 5)}
    assert question.days == {**months, "2018": " 2018"}


def test_a_numbered_standard_is_one_name(brain: Brain) -> None:
    question = understand(brain, "Which FIPS 140-3 level did we reach on 2021-10-02?", brain.stemmer)
    assert question.names == ("FIPS", "140-3")


BOATS = (
    record("doc:terms.md", "# Terms\n\n| ALL | average load line |\n| US | underwater survey |", path="terms.md"),
    record("doc:yard.md", "# Yard\n\nHis boat is painted. All boats of us are. The US is due in May.", path="yard.md"),
)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("What does ALL mean?", {"all"}),
        ("Who pays for the US of a boat?", {"us"}),
        ("What does HIS mean?", set()),  # nobody writes it so
        ("Do all of us paint?", set()),
        ("WHAT DO ALL OF US PAINT?", set()),
        ("Do NOT paint", set()),
    ],
)
def test_an_acronym_that_is_spelled_as_a_stop_word_is_none(
    brain: Brain, stemmer: Stemmer, text: str, own: set[str]
) -> None:
    index_records(brain, *BOATS)
    question = understand(brain, text, stemmer)
    assert question.content & {"all", "us", "hi", "not"} == own
    assert own <= {*question.terms}


def test_what_an_acronym_means_is_answered_though_it_is_spelled_as_a_stop_word(brain: Brain) -> None:
    index_records(brain, *BOATS)
    assert "average load line" in ask(brain, "What does ALL stand for?", scope=Scope()).answer


def test_a_price_per_thing_is_one_for_a_thing(brain: Brain) -> None:
    index_records(
        brain,
        record("doc:berths.md", "# Berths\n\nHarlow charges 12 euros a night. Quay 4 charges 9.", path="berths.md"),
        *(record(f"issue:{at}", f"Rope {at}\n\nThe rope of boat {at} is worn.", state="open") for at in range(20)),
    )
    assert not ask(brain, "How much does Harlow charge per night?", scope=Scope()).refused

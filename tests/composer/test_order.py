"""The order of rows weighs what one window of each says; every row that came in comes out, once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.candidates import KEPT, look
from cortex.composer.evidence import judge
from cortex.composer.gathering import ROWS, retrieve
from cortex.composer.order import FEATURES, HEADER, READ, READ_ON, RULE, order, weights
from cortex.composer.ordered import HEADED, Ordered
from cortex.composer.quote import EXCERPT_CHARACTERS
from cortex.composer.records import load_records
from cortex.composer.understanding import understand
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


def ordered(brain: Brain, text: str) -> list[Ordered]:
    stemmer = Stemmer()
    sources: dict[int, str] = dict(brain.db.execute("select id, name from sources").fetchall())
    question = understand(brain, text, stemmer)
    looked = look(question, retrieve(brain, question, stemmer, sources=[*sources])[:ROWS], stemmer)
    return order(question, looked, load_records(brain, [one.fused.row.record_id for one in looked], sources), stemmer)


QUESTIONS = ["Who owns the eval harness?", "Why was #1012 reverted?", "How is the brain compacted?", "zzz qqq"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_every_value_is_a_share_and_the_worth_their_weighted_sum(demo: Brain, text: str) -> None:
    for one in ordered(demo, text):
        assert one.values.keys() == set(FEATURES) == weights().keys()
        assert all(0 <= value <= 1.000001 for value in one.values.values())
        assert 0 <= one.rule <= (RULE + HEADED if one.fused.row.type == "directive" else 0)
        assert one.headed == -HEADER or 0 <= one.headed <= HEADED
        told = one.rule + one.headed + one.kind + sum(weights()[name] * one.values[name] for name in FEATURES)
        assert one.worth == pytest.approx(told)
        question = understand(demo, text, Stemmer())
        assert one.holds <= question.near


@pytest.mark.parametrize("text", QUESTIONS)
def test_rows_come_out_once_the_worthiest_first(demo: Brain, text: str) -> None:
    found = ordered(demo, text)
    places = [(one.read, one.worth) for one in found]
    assert places == sorted(places, reverse=True)
    ids = [one.fused.row.record_id for one in found]
    assert len(ids) == len({*ids}) <= KEPT


def test_the_first_rows_are_read_whatever_they_are_like_and_others_only_where_they_look_like_it(demo: Brain) -> None:
    always, _ = READ
    for text in QUESTIONS:
        found = ordered(demo, text)
        assert sum(one.read for one in found) >= min(always, len(found))
        for one in found:
            if not one.read:
                row = one.fused.row
                assert one.quote.window == Span(row.start, min(row.end, row.start + EXCERPT_CHARACTERS))
    assert any(not one.read for text in QUESTIONS for one in ordered(demo, text))


def test_a_second_window_is_read_of_the_first_rows_only_and_lies_beside_the_first(demo: Brain) -> None:
    read_on = [
        (place, one) for text in QUESTIONS for place, one in enumerate(ordered(demo, text)) if one.more is not None
    ]
    assert read_on
    for place, one in read_on:
        assert place < READ_ON
        assert one.more is not None
        first, second = one.quote.window, one.more.window
        assert second.end <= first.start or first.end <= second.start


def test_what_goes_on_follows_the_line_it_goes_on_with(brain: Brain) -> None:
    answers = "The cache is flushed every 20 minutes by the janitor of the gateway, and at once when the disk is full."
    between = "Unrelated words fill the space between what is asked and what follows it here. " * 3
    goes_on = "The janitor flushes the cache from a process of its own, which the gateway starts with the machine."
    body = f"How the cache is flushed\n\n{answers} {between}\n\n{goes_on}"
    index_records(brain, record("issue:1", body, state="open"), record("issue:2", "Nothing of the kind", state="open"))
    answer = ask(brain, "How often does the janitor flush the cache of the gateway?", scope=Scope())
    first, second = answer.answer.splitlines()
    assert first.startswith("Issue #1")
    assert "every 20 minutes" in first
    assert second.startswith("… “")
    assert "a process of its own" in second
    assert {one.record.ref for one in answer.citations} == {"issue:1"}


def test_a_row_of_the_month_that_is_asked_for_stands_before_its_twin(brain: Brain) -> None:
    text = "The release was late because the signing key had expired."
    index_records(
        brain,
        *(
            record(
                f"issue:{month}", f"Release\n\n{text}", state="open", created_at=datetime(2024, month, 5, tzinfo=UTC)
            )
            for month in (1, 2, 3)
        ),
    )
    first, *others = ordered(brain, "Why was the release late in February 2024?")
    assert first.fused.row.ref == "issue:2"
    assert first.values["dated"] == 1
    assert {one.values["dated"] for one in others} == {0.4}


def test_authority_decides_between_rows_that_say_the_same(brain: Brain) -> None:
    text = "Retention\n\nLogs are kept for thirty days on the gateway."
    index_records(brain, record("issue:1", text, state="open"), record("directive:seed.md#1", text, state="active"))
    first, second = ordered(brain, "How long are logs kept on the gateway?")
    assert (first.fused.row.type, second.fused.row.type) == ("directive", "issue")
    assert first.values["authority"] > second.values["authority"]


def test_a_commit_stands_after_the_issue_that_says_the_same(brain: Brain) -> None:
    text = "Keep logs for thirty days\n\nLogs are kept for thirty days on the gateway."
    index_records(
        brain, record("commit:0a1b2c3d4e5f", text), record("issue:1", text, state="open"), origin="github"
    )  # fmt: skip
    assert [one.fused.row.type for one in ordered(brain, "How long are logs kept on the gateway?")] == [
        "issue",
        "commit",
    ]


def test_words_that_mean_the_same_find_what_the_question_s_own_do_not(brain: Brain) -> None:
    others = (record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9))
    index_records(brain, record("issue:1", "Quotas\n\nQuotas are deleted after a week.", state="open"), *others)
    text = "When are they erased?"
    assert "delete" in understand(brain, text, Stemmer()).variant
    assert [one.fused.row.ref for one in ordered(brain, text)] == ["issue:1"]


def test_rows_nobody_found_make_no_order(brain: Brain) -> None:
    index_records(brain, record("issue:1", "Sessions", state="open"))
    question = understand(brain, "zzz", Stemmer())
    assert order(question, [], {}, Stemmer()) == []
    assert judge(question, [], Stemmer()) == (0.0, "none")


def test_a_question_about_now_prefers_what_was_said_last(brain: Brain) -> None:
    said = {2021: "The lock timeout is 30 seconds.", 2025: "The lock timeout is 90 seconds."}
    made = [
        record(f"issue:{year}", f"Lock timeout {year}\n\n{text}", created_at=datetime(year, 1, 1, tzinfo=UTC))
        for year, text in said.items()
    ]
    index_records(brain, *made, *(record(f"issue:{n}", f"Topic {n}\n\nOther words.") for n in range(1, 9)))
    assert ordered(brain, "What is the lock timeout now?")[0].fused.row.ref == "issue:2025"
    now = {one.fused.row.ref: one.worth for one in ordered(brain, "What is the lock timeout now?")}
    then = {one.fused.row.ref: one.worth for one in ordered(brain, "What was the lock timeout then?")}
    assert now["issue:2025"] - now["issue:2021"] > then["issue:2025"] - then["issue:2021"]


def test_a_rule_that_only_has_a_word_of_the_question_does_not_stand_before_the_heading_that_asks_it(
    brain: Brain,
) -> None:
    index_records(
        brain,
        record("directive:seed.md#1", "Data is never sent to a host as plain text.", state="active"),
        record("doc:faq.md#where", "In `~/.brain`, nothing is uploaded.", title="FAQ › Where is my data?"),
        *(record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9)),
    )
    first = ordered(brain, "Where is my data?")[0]
    assert first.fused.row.ref == "doc:faq.md#where"
    assert all(one.rule == 0 for one in ordered(brain, "When was the data sent to a host?"))
    rule = next(one for one in ordered(brain, "May data be sent as plain text?") if one.fused.row.type == "directive")
    assert rule.rule >= RULE


@pytest.mark.parametrize("question", ["What is the docking delay?", "How long is the docking delay?"])
def test_a_document_is_read_however_many_speak_of_it_in_its_words(brain: Brain, question: str) -> None:
    filler = "The harbour master writes down who came and went, and hands the book on to who comes after. " * 4
    sighs = ["Hit the docking delay.", "Docking delay again.", "The docking delay bit us.", "Saw a docking delay."]
    issues = [
        record(f"issue:{number}", f"Docking delay\n\n{sighs[number % 4]}", created_at=datetime(2024, 1, 1, tzinfo=UTC))
        for number in range(1, 46)
    ]
    text = f"{filler}The docking delay is 45 minutes. {filler}"
    index_records(brain, *issues, record("doc:README.md#ops", text, title="Quay › Work", path="README.md"))
    assert "45 minutes" in ask(brain, question, scope=Scope()).answer.split("\n")[0]

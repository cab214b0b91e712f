"""Where somebody said later in other numbers how a thing is now, or a newer section does, that is the answer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def day(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)


def said(number: int, text: str, month: int, author: str = "rosa") -> Record:
    return record(
        f"comment:4#{number}", text, title="Maintenance interval", author=author, association="MEMBER",
        thread="issue:4", created_at=day(month),
    )  # fmt: skip


ISSUE = record(
    "issue:4", "Maintenance interval\n\nEvery 500 hours or every 800?", author="tove", state="closed",
    created_at=day(1), closed_at=day(2),
)  # fmt: skip
DECIDED = said(1, "Decision: 800 hours. We measured the wear of six bearings.", 2)


def first(brain: Brain, question: str) -> str:
    return ask(brain, question, scope=Scope()).answer.splitlines()[0]


@pytest.mark.parametrize(
    "text",
    [
        "Update: after the fire we are back to 500 hours.",
        "Correction: 600 hours, the manual is of the old model.",
        "Lowered to 600 hours in August.",
        "We have now raised it to 900 hours.",
        "Changed the maintenance interval from 800 hours to 600 hours, as the wear is larger than we thought.",
        "Update: now 600 hours.",
        "The maintenance interval is now 600 hours.",
        "The interval was lowered to 600 hours.",
    ],
)
@pytest.mark.parametrize("question", ["What is the maintenance interval?", "How long is the maintenance interval?"])
def test_what_was_changed_later_is_told_first(brain: Brain, text: str, question: str) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, text, 8))
    assert text.partition(".")[0] in first(brain, question)


@pytest.mark.parametrize(
    "text",
    [
        "Update: rebased, 3 tests fail.",
        "Update: still 800 hours.",
        "I would have lowered it to 600 hours, but well.",
        "Should it be lowered to 600 hours?",
        "In 600 hours much may happen.",
        "Lowered the horn to 85 dB.",
        "Set my own pump to 300 hours, it broke.",
        "Update: my order at the vendor came after 72 hours.",
        "Edit: I counted 900 hours in the old engine.",
        "Reduced on my desk to 20 hours for a test, worked.",
        "Update: 900 hours on ferries.",
        "Raised to 900 hours on the demo engine only.",
        "Lowered the interval of the spare pump to 300 hours.",
        "The interval of the spare pump is now 300 hours.",
        "The maintenance interval was nearly set to 600 hours.",
    ],
)
def test_what_changes_nothing_of_it_is_not(brain: Brain, text: str) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, text, 8))
    assert text[:12] not in first(brain, "What is the maintenance interval?")


@pytest.mark.parametrize(
    "text", ["Reverted that, too short.", "It is 800 hours as before.", "Never mind, I was wrong."]
)
def test_what_was_taken_back_since_is_not_told_first(brain: Brain, text: str) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, "Lowered to 600 hours.", 8), said(3, text, 9, "tove"))
    assert "600" not in first(brain, "What is the maintenance interval?")


@pytest.mark.parametrize(
    "text",
    [
        "Please ignore my last comment, wrong thread.",
        "rosa, please open a PR, nothing was changed yet.",
        "Can we go back to 800 hours?",
        "Lowered to 400 hours for ferries.",
    ],
)
def test_what_was_spoken_of_again_is_told_after_what_it_changes(brain: Brain, text: str) -> None:
    index_records(
        brain, ISSUE, DECIDED, said(2, "Lowered to 600 hours.", 8), said(3, text, 9, "tove"), said(4, "Done.", 10)
    )
    lines = ask(brain, "What is the maintenance interval?", scope=Scope()).answer.splitlines()
    assert "600" not in lines[0]
    assert any("Lowered to 600 hours." in line for line in lines[1:])


@pytest.mark.parametrize("text", ["Thanks, that helps.", "The manual was printed in May.", "LGTM"])
def test_thanks_and_other_matters_leave_it_first(brain: Brain, text: str) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, "Lowered to 600 hours.", 8), said(3, text, 9, "tove"))
    assert "600" in first(brain, "What is the maintenance interval?")


def test_of_two_later_numbers_the_last_is_told_first(brain: Brain) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, "Lowered to 600 hours.", 8), said(3, "Raised to 700 hours.", 9))
    assert "700" in first(brain, "What is the maintenance interval?")


def test_how_it_was_is_not_told_by_what_came_later(brain: Brain) -> None:
    index_records(brain, ISSUE, DECIDED, said(2, "Update: we are back to 500 hours.", 8))
    assert "Update" not in first(brain, "What was the maintenance interval decided at first?")


def section(version: str, on: str, text: str) -> Record:
    ref = f"doc:CHANGELOG.md#{version}"
    return record(ref, text, title=f"Changelog › {version} - {on}", path="CHANGELOG.md")


def test_of_two_sections_of_a_changelog_the_later_is_told_first(brain: Brain) -> None:
    old = section("1.0.0", "2023-02-01", "The default shift length is 8 hours.")
    new = section("2.0.0", "2025-02-03", "Changed: the default shift length is 6 hours.")
    index_records(brain, old, new)
    assert "6 hours" in first(brain, "What is the default shift length?")
    assert "8 hours" in first(brain, "What was the default shift length in 1.0.0?")
    answer = ask(brain, "What is the default shift length?", scope=Scope(), as_of=datetime(2024, 6, 1, tzinfo=UTC))
    assert "8 hours" in answer.answer
    assert "6 hours" not in answer.answer


def about(title: str, body: str) -> Record:
    return record("issue:6", f"{title}\n\n{body}", author="tove", association="MEMBER", created_at=day(1))


def reply(number: int, text: str, title: str, month: int, *, author: str = "rosa", as_: str = "MEMBER") -> Record:
    return record(
        f"comment:6#{number}", text, title=title, author=author, association=as_, thread="issue:6",
        created_at=day(month),
    )  # fmt: skip


def lines(brain: Brain, question: str) -> list[str]:
    return ask(brain, question, scope=Scope()).answer.splitlines()


@pytest.mark.parametrize(
    ("title", "body", "later"),
    [
        ("Grease interval", "The grease interval is 90 minutes.", "Changed to 2 hours."),
        ("Grease interval", "The grease interval is 1 hour.", "Raised to 3 hours."),
        ("Grease interval", "The grease interval is 2 hours.", "Cut to half an hour."),
        ("Dump size", "The dump size is 900 KB.", "Raised to 2 MB."),
        ("Drum count", "The drum count is 8.", "Raised to 12."),
        ("Paint vendor", "The paint vendor is lundqvist.", "Changed to amberg-2."),
    ],
)
def test_another_unit_a_bare_number_or_a_name_changes_it_too(brain: Brain, title: str, body: str, later: str) -> None:
    index_records(brain, about(title, body), reply(1, later, title, 3))
    told = lines(brain, f"What is the {title.lower()}?")
    assert later in "".join(told[:2])


def test_the_same_amount_in_another_unit_is_no_change(brain: Brain) -> None:
    title = "Grease interval"
    index_records(brain, about(title, "The grease interval is 2 hours."), reply(1, "Changed to 120 minutes.", title, 3))
    assert "2 hours" in lines(brain, "What is the grease interval?")[0]


@pytest.mark.parametrize(
    "later",
    ["It used to be 30 s, it is 9 s since the new valve.", "Raised to 45 s in PR #98.", "Crews have 12 s of it."],
)
def test_another_amount_that_is_no_sure_change_is_told_second(brain: Brain, later: str) -> None:
    index_records(brain, about("Purge delay", "The purge delay is 30 s."), reply(1, later, "Purge delay", 3))
    first_, second, *_ = lines(brain, "What is the purge delay?")
    assert "is 30 s" in first_
    assert later[:9] in second


def test_an_amount_that_was_undone_since_is_not_told_second(brain: Brain) -> None:
    later = [reply(1, "Crews have 12 s of it.", "Purge delay", 3), reply(2, "I reverted that.", "Purge delay", 4)]
    index_records(brain, about("Purge delay", "The purge delay is 30 s."), *later)
    assert not any("12 s" in line for line in lines(brain, "What is the purge delay?")[:2])


@pytest.mark.parametrize("said_since", ["Naw.", "👎", "With 45 s the crews fall asleep."])
def test_what_was_disputed_in_a_word_a_sign_or_by_its_amount_is_told_second(brain: Brain, said_since: str) -> None:
    title = "Purge delay"
    index_records(
        brain, about(title, "The purge delay is 30 s."), reply(1, "Raised to 45 s.", title, 3),
        reply(2, said_since, title, 4),
    )  # fmt: skip
    first_, second, *_ = lines(brain, "What is the purge delay?")
    assert "is 30 s" in first_
    assert "Raised to 45 s." in second


@pytest.mark.parametrize("said_since", ["👍", "Agreed.", "+1"])
def test_who_agrees_leaves_it_first(brain: Brain, said_since: str) -> None:
    title = "Purge delay"
    index_records(
        brain, about(title, "The purge delay is 30 s."), reply(1, "Raised to 45 s.", title, 3),
        reply(2, said_since, title, 4),
    )  # fmt: skip
    assert "Raised to 45 s." in lines(brain, "What is the purge delay?")[0]


@pytest.mark.parametrize("question", ["What is the current purge delay?", "Is the purge delay still 30 s?"])
def test_no_later_word_without_an_amount_comes_before_the_amount_that_is_asked(brain: Brain, question: str) -> None:
    title = "Purge delay"
    index_records(
        brain, about(title, "The purge delay is 30 s."), reply(1, "Lowered to 20 s.", title, 3),
        reply(2, "Since then crews on the night shift complain about this.", title, 4),
    )  # fmt: skip
    told = lines(brain, question)
    assert "30 s" in told[0] or "20 s" in told[0]
    assert "Lowered to 20 s." in "".join(told[:2])


def test_a_passer_by_changes_nothing_but_is_told_second(brain: Brain) -> None:
    title = "Purge delay"
    index_records(
        brain, about(title, "The purge delay is 30 s."),
        reply(1, "Update: raised to 99 s.", title, 3, author="kai", as_="NONE"),
    )  # fmt: skip
    first_, second, *_ = lines(brain, "What is the purge delay?")
    assert "is 30 s" in first_
    assert "99 s" in second


@pytest.mark.parametrize(
    ("heading", "body"),
    [
        ("Berth limit of ferries (2024-01-01)", "The berth limit of ferries is 3 ships."),
        ("2024-01-01", "At the old quay the berth limit is 3 ships."),
    ],
)
def test_a_later_section_of_another_thing_is_not_told_first(brain: Brain, heading: str, body: str) -> None:
    index_records(
        brain,
        record(
            "doc:PORT.md#a", "The berth limit is 20 ships.", title="Port › Berth limit (2023-01-01)", path="PORT.md"
        ),
        record("doc:PORT.md#b", body, title=f"Port › {heading}", path="PORT.md"),
    )
    assert "20 ships" in first(brain, "What is the berth limit?")

"""Where a merged pull request changed later how a thing is, no older text alone tells how it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def merged(number: int, title: str, year: int, said: str = "Asked for by users.") -> Record:
    at = datetime(year, 3, 1, tzinfo=UTC)
    body = f"{title}\n\n{said}"
    return record(f"pull:{number}", body, author="tolu", state="merged", created_at=at, merged_at=at)


FILLER = [
    merged(100 + at, f"Refactor the {name}", 2020)
    for at, name in enumerate("parser router widget chart sidebar footer lexer invoice login".split())
]
LIMIT = merged(1, "The upload limit is 20 MB", 2021)
RAISED = merged(2, "Raise the upload limit to 50 MB", 2023)


def asked(brain: Brain, question: str, *records: Record) -> Answer:
    index_records(brain, *FILLER, *records)
    return ask(brain, question, scope=Scope())


@pytest.mark.parametrize(
    "question",
    [
        "Is the upload limit still 20 MB?",
        "Is the upload limit 20 MB?",
        "Is the upload limit 20 MB now?",
        "What is the upload limit?",
    ],
)
def test_the_value_that_was_merged_last_is_told_before_the_one_that_is_asked(brain: Brain, question: str) -> None:
    first, second = asked(brain, question, LIMIT, RAISED).answer.splitlines()[:2]
    assert "50 MB" in first
    assert "20 MB" in second


def test_a_document_of_unknown_age_is_no_strong_answer_beside_a_pull_request_with_another_value(brain: Brain) -> None:
    guide = record(
        "doc:GUIDE.md#limits", "## Limits\n\nThe upload limit is 20 MB.", title="Guide › Limits", path="GUIDE.md"
    )
    answer = asked(brain, "Is the upload limit still 20 MB?", guide, RAISED)
    first, second = answer.answer.splitlines()[:2]
    assert ("20 MB" in first, "50 MB" in second, answer.evidence) == (True, True, "moderate")


@pytest.mark.parametrize("question", ["How long is a table held?", "Is a table held for 20 minutes?"])
@pytest.mark.parametrize(
    ("said", "leads"),
    [("A table is held for 10 minutes, not 20 (#2).", True), ("A table is held for 10 minutes.", False)],
)
@pytest.mark.parametrize("path", ["docs/adr/0003-tables.md", "AGENTS.md"])
def test_what_a_value_was_is_told_before_a_decision_of_its_day_and_after_a_rule(
    brain: Brain, question: str, said: str, path: str, *, leads: bool
) -> None:
    is_decision = path != "AGENTS.md"
    state = "accepted" if is_decision else "active"
    day = datetime(2022, 3, 1, tzinfo=UTC) if is_decision else None
    rule = record(
        f"directive:{path}#1", "A table is held for 20 minutes.", title="Tables", path=path, state=state, created_at=day
    )
    title = "Changelog › 2.1.0 (2024-08-05) › Changed"
    change = record("doc:CHANGELOG.md#210/changed", f"### Changed\n\n{said}", title=title, path="CHANGELOG.md")
    first, second = asked(brain, question, rule, change).answer.splitlines()[:2]
    assert ("10 minutes" in first) == (leads and is_decision)
    assert ("20 minutes" in second) == (leads and is_decision)


@pytest.mark.parametrize(
    ("old", "new", "question", "told"),
    [
        ("The theme is blue", "Make the theme green", "Is the theme still blue?", "green"),
        ("Emails are sent at midnight", "Send emails at 6 am", "Are emails still sent at midnight?", "6 am"),
        ("Distances are in miles", "Distances in kilometres", "Are distances still in miles?", "kilometres"),
        (
            "Mail is sent through Mailgun",
            "Switch mail from Mailgun to Postmark",
            "Is mail still sent through Mailgun?",
            "Postmark",
        ),
    ],
)
def test_another_word_in_the_place_of_the_one_asked_is_told_beside_it_and_nothing_is_sure(
    brain: Brain, old: str, new: str, question: str, told: str
) -> None:
    answer = asked(brain, question, merged(1, old, 2021), merged(2, new, 2023))
    assert any(told in line for line in answer.answer.splitlines()[:2])
    assert answer.evidence == "moderate" or told in answer.answer.splitlines()[0]


@pytest.mark.parametrize(
    "later",
    [
        merged(3, "Raise the upload limit back to 20 MB", 2024),
        merged(3, "Wait 50 seconds for the login", 2024),
    ],
    ids=["changed back", "of another thing"],
)
def test_what_was_changed_back_or_is_of_another_thing_leaves_the_value_first(brain: Brain, later: Record) -> None:
    records = [LIMIT, RAISED, later] if "back" in later.title else [LIMIT, later]
    assert "20 MB" in asked(brain, "Is the upload limit still 20 MB?", *records).answer.splitlines()[0]


def test_who_asks_how_it_was_is_told_what_was(brain: Brain) -> None:
    assert "20 MB" in asked(brain, "Was the upload limit 20 MB?", LIMIT, RAISED).answer.splitlines()[0]


def guide(text: str, written: int = 2020) -> list[Record]:
    """A part of a document, with the commit of the year that wrote it."""
    at = datetime(written, 3, 1, tzinfo=UTC)
    link = Link(relation="touches", to_ref="file:GUIDE.md")
    return [
        record("doc:GUIDE.md#facts", f"## Facts\n\n{text}", title="Guide › Facts", path="GUIDE.md"),
        record("commit:00aa11bb22cc", "Write the guide", author="tolu", created_at=at, links=(link,)),
    ]


@pytest.mark.parametrize("area", ["ci", "test", "docs", "examples", "demo", "e2e", "fixtures"])
@pytest.mark.parametrize("question", ["What is the upload limit?", "Is the upload limit still 20 MB?"])
def test_a_change_beside_the_product_does_not_change_how_it_is(brain: Brain, area: str, question: str) -> None:
    beside = merged(2, f"{area}: set the upload limit to 1 MB", 2023)
    assert "20 MB" in asked(brain, question, *guide("The upload limit is 20 MB."), beside).answer.splitlines()[0]


def test_what_is_asked_of_the_tests_is_told_by_a_change_of_them(brain: Brain) -> None:
    records = [*guide("In CI the upload limit is 20 MB."), merged(2, "ci: set the upload limit to 1 MB", 2023)]
    assert "1 MB" in asked(brain, "Is the upload limit in CI still 20 MB?", *records).answer.splitlines()[0]


def test_a_change_of_one_part_is_told_after_what_holds_for_all(brain: Brain) -> None:
    records = [*guide("The upload limit is 20 MB."), merged(2, "kiosk: set the upload limit to 1 MB", 2023)]
    answer = asked(brain, "What is the upload limit?", *records)
    first, second = answer.answer.splitlines()[:2]
    assert ("20 MB" in first, "1 MB" in second, answer.evidence) == (True, True, "moderate")


def test_a_version_that_is_longer_by_a_nought_is_another(brain: Brain) -> None:
    records = [*guide("Meson 1.2 is the minimum."), merged(2, "Raise the minimum Meson to 1.20", 2023)]
    first = asked(brain, "Is Meson 1.2 still the minimum?", *records).answer.splitlines()[0]
    assert "1.20" in first


def test_a_thing_that_is_replaced_by_itself_is_still_there(brain: Brain) -> None:
    records = [*guide("Plans use Cairo."), merged(2, "Replace Cairo 1.14 with Cairo 1.16", 2023)]
    assert "Plans use Cairo" in asked(brain, "Is Cairo still used?", *records).answer.splitlines()[0]


@pytest.mark.parametrize("question", ["What is the upload limit?", "Is the upload limit still 20 MB?"])
def test_a_directive_in_force_is_overtaken_by_nothing(brain: Brain, question: str) -> None:
    rule = record("directive:GUIDE.md#1", "The upload limit is 20 MB.", title="Guide", path="GUIDE.md")
    answer = asked(brain, question, rule, guide("")[1], RAISED)
    first, second = answer.answer.splitlines()[:2]
    assert ("20 MB" in first, "50 MB" in second, answer.evidence) == (True, True, "moderate")


@pytest.mark.parametrize("question", ["When does the nightly export run?", "When is the nightly export run?"])
def test_when_something_happens_again_and_again_is_how_it_is_now(brain: Brain, question: str) -> None:
    old, new = (merged(1, "Run the nightly export at 01:20", 2021), merged(2, "Run the nightly export at 05:40", 2023))
    assert "05:40" in asked(brain, question, old, new).answer.splitlines()[0]


def test_when_something_was_done_is_told_by_what_did_it(brain: Brain) -> None:
    old, new = (merged(1, "Run the nightly export at 01:20", 2021), merged(2, "Run the nightly export at 05:40", 2023))
    first = asked(brain, "When was the nightly export set to 01:20?", old, new).answer.splitlines()[0]
    assert "01:20" in first


@pytest.mark.parametrize(
    "question", ["How many minutes is a seat locked now?", "Does the broom free seats after 8 minutes?"]
)
def test_the_same_setting_is_the_same_thing_in_other_words(brain: Brain, question: str) -> None:
    old = merged(1, "Free locked seats after 8 minutes", 2021, "The broom does, after `seat_lock_minutes` (default 8).")
    new = merged(2, "Seats: 8 is too short, use 15", 2023, "Sets `seat_lock_minutes` to 15. Each lock of a seat.")
    assert "use 15" in asked(brain, question, old, new).answer.splitlines()[0]


def test_what_fixed_an_issue_is_told_before_the_value_that_it_complains_of(brain: Brain) -> None:
    at = datetime(2022, 3, 1, tzinfo=UTC)
    title = "API quota of 50 calls per second is too low for the hall"
    issue = record("issue:4", title, author="rosa", state="closed", created_at=at, closed_at=at)
    fix = merged(5, "Quota: 80 calls per second", 2023, "Fixes #4.")
    first, second = asked(brain, "What is the API quota?", issue, fix).answer.splitlines()[:2]
    assert "80 calls" in first
    assert "50 calls" in second


def test_no_title_is_told_later_for_the_verb_of_the_question_alone(brain: Brain) -> None:
    said = record(
        "issue:4", "We will use Fluentd", author="rosa", state="closed", created_at=datetime(2021, 3, 1, tzinfo=UTC)
    )
    answer = asked(brain, "Do we still use Fluentd?", said, merged(5, "Timeout: 45 is too long, use 40", 2023))
    assert "use 40" not in answer.answer


def test_the_table_of_settings_is_told_before_an_old_change_of_one(brain: Brain) -> None:
    old = merged(1, "Free locked seats after 8 minutes", 2021, "The broom does, after `seat_lock_minutes` (default 8).")
    table = "| setting | default | meaning |\n|---|---|---|\n| `seat_lock_minutes` | 15 | how long a seat is kept |"
    part = record("doc:SETTINGS.md", f"# Settings\n\n{table}", title="Settings", path="SETTINGS.md")
    between = merged(2, "Free locked seats after 30 minutes", 2022, "`seat_lock_minutes` 8 -> 30.")
    link = Link(relation="touches", to_ref="file:SETTINGS.md")
    at = datetime(2023, 3, 1, tzinfo=UTC)
    wrote = record("commit:00aa11bb22cc", "Shorter locks", author="tolu", created_at=at, links=(link,))
    question = "Does the broom still free seats after 8 minutes?"
    assert "15" in asked(brain, question, old, between, part, wrote).answer.splitlines()[0]


@pytest.mark.parametrize(
    "said",
    [
        "`seat_lock_minutes` is 15 in the tests.",
        "A crash when `seat_lock_minutes` is 0. Seats stay free for 8 minutes.",
    ],
    ids=["no title tells it", "supposed"],
)
def test_a_setting_that_is_but_spoken_of_is_not_changed(brain: Brain, said: str) -> None:
    old = merged(1, "Free locked seats after 8 minutes", 2021, "The broom does, after `seat_lock_minutes` (default 8).")
    other = merged(2, "Paint 0 chairs beside the locked seats", 2023, said)
    answer = asked(brain, "Does the broom free seats after 8 minutes?", old, other)
    assert "after 8 minutes" in answer.answer.splitlines()[0]


LIMITED = [
    "Only on the demo server, where we show the tour.",
    "For the kiosk build only; the rest stays as it is.",
    "Asked for by Ines. This only applies to the staging environment.",
    "The change is limited to the night shift.",
]


@pytest.mark.parametrize("said", LIMITED)
@pytest.mark.parametrize("by", ["a document", "a pull request"])
def test_a_change_that_says_it_holds_but_for_some_does_not_overtake_what_holds_for_all(
    brain: Brain, said: str, by: str
) -> None:
    general = guide("The upload limit is 20 MB.") if by == "a document" else [LIMIT]
    answer = asked(
        brain, "What is the upload limit?", *general, merged(2, "Raise the upload limit to 50 MB", 2023, said)
    )
    first, second = answer.answer.splitlines()[:2]
    assert ("20 MB" in first, "50 MB" in second, answer.evidence) == (True, True, "moderate")


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Only on the demo server.", "What is the upload limit on the demo server?"),
        ("Only two lines changed. Users only see it when they upload.", "What is the upload limit?"),
        ("Only for new uploads, of course.", "What is the upload limit?"),
    ],
)
def test_a_limit_that_is_asked_for_and_a_mere_only_leave_the_change_first(
    brain: Brain, said: str, question: str
) -> None:
    change = merged(2, "Raise the upload limit to 50 MB", 2023, said)
    assert "50 MB" in asked(brain, question, *guide("The upload limit is 20 MB."), change).answer.splitlines()[0]


def test_a_change_that_holds_but_for_some_is_no_sure_answer_of_all(brain: Brain) -> None:
    change = merged(2, "Raise the upload limit to 50 MB", 2023, LIMITED[0])
    assert asked(brain, "What is the upload limit?", change).evidence == "moderate"


@pytest.mark.parametrize("question", ["What size are nest boxes?", "How large are nest boxes?"])
@pytest.mark.parametrize(
    ("title", "said"),
    [("Make nest boxes 35 cm", "Fixes #30."), ("Use larger nest boxes", "Fixes #30. Nest boxes are 35 cm wide now.")],
    ids=["titled", "told"],
)
def test_what_fixed_an_issue_is_told_before_a_document_with_the_value_that_it_complains_of(
    brain: Brain, title: str, said: str, question: str
) -> None:
    bug = record(
        "issue:30",
        "Nest boxes are too small\n\nNest boxes are 20 cm wide, which is a bug: owls do not fit.",
        state="closed",
        labels=("bug",),
        created_at=datetime(2022, 3, 1, tzinfo=UTC),
    )
    fix = merged(31, title, 2022, said)
    fix = fix.model_copy(update={"links": (Link(relation="fixes", to_ref="issue:30"),)})
    part = record(
        "doc:GUIDE.md#boxes", "## Boxes\n\nNest boxes are 20 cm wide.", title="Guide › Boxes", path="GUIDE.md"
    )
    answer = asked(brain, question, part, guide("")[1], bug, fix)
    assert ("35 cm" in answer.answer.splitlines()[0], answer.evidence != "none") == (True, True)

"""Who did what to a record and when is told as it is known of it, and nothing that narrows a sentence is left out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import combinations, permutations, product
from typing import Final

import pytest

from cortex.composer.cite import holds
from cortex.composer.claims import BINDING, EMPTY, FREE, GLUE, HEDGES, NEGATIONS, tokens
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord

STEMMER: Final = Stemmer()
RECORD: Final = CitedRecord(
    type="pull", ref="pull:742", title="Ship it", author="ada", merged_by="bert", assignees=("cleo",),
    state="merged", created_at=datetime(2024, 1, 5, tzinfo=UTC), merged_at=datetime(2024, 2, 7, tzinfo=UTC),
    closed_at=datetime(2024, 3, 9, tzinfo=UTC),
)  # fmt: skip
DAYS: Final = {"opened": "2024-01-05", "merged": "2024-02-07", "closed": "2024-03-09"}
WRITTEN: Final = {
    "2024-01-05": ("2024-01-05", "5 January 2024", "January 5, 2024", "January 2024"),
    "2024-02-07": ("2024-02-07", "7 February 2024", "Feb 7, 2024", "February 2024"),
    "2024-03-09": ("2024-03-09", "9 March 2024", "Mar 9, 2024", "March 2024"),
}
DID: Final = {"opened": "ada", "wrote": "ada", "created": "ada", "merged": "bert", "closed": ""}


def says(said: str, body: str = "Ship it\n\nFine.") -> bool:
    citation = Citation(
        handle="h", statement="", excerpt=body, kind=None, authority=0.9, confidence=1, record=RECORD, source="o8",
    )  # fmt: skip
    return holds(f"{said} [CITATION:h]", [citation], {"o8 pull:742": body}, STEMMER)


@pytest.mark.parametrize(
    "form",
    [
        "PR #742 was {} on {}.",
        "PR #742 was {} ({}).",
        "PR #742 was {}, {}.",
        "PR #742 was {} — {}.",
        "PR #742 was {}: {}.",
        "PR #742, {} ({})",
        "PR #742 by ada, {} ({}): “Fine.”",
        "PR #742 ({} {}): fine.",
        "{} ({}).",
        "In PR #742, {} on {}, fine.",
    ],
)
def test_a_date_is_that_of_what_is_told_wherever_it_stands(form: str) -> None:
    held = 0
    for verb, (day, forms) in product(DAYS, WRITTEN.items()):
        for written in forms:
            said = form.format(verb, written)
            assert not says(said) or DAYS[verb] == day, said
            held += says(said)
    assert held >= len(DAYS)


@pytest.mark.parametrize(
    "form",
    [
        "PR #742 was {}{} by {} ({}).",
        "PR #742, {}{} by {} — {}",
        "PR #742 was {}{} by {}, {}.",
        "PR #742 was {}{} by {} on {}.",
    ],
)
def test_a_date_after_a_person_is_that_of_what_the_person_did(form: str) -> None:
    for first, last in permutations(DAYS, 2):
        for joined, day, person in product((f" and {last}", f", {last}", ""), DAYS.values(), ("ada", "bert")):
            told = [first, last] if joined else [first]
            is_right = all(DAYS[verb] == day and DID[verb] == person for verb in told)
            said = form.format(first, joined, person, day)
            assert says(said) is is_right, said


@pytest.mark.parametrize(
    "form", ["PR #742 was {}, {} and {} on {}.", "PR #742 was {}, {}, {} ({}).", "{}, {} and {}, {}"]
)
def test_a_date_of_several_deeds_is_that_of_each(form: str) -> None:
    for verbs, day in product(permutations(DAYS), DAYS.values()):
        assert not says(form.format(*verbs, day)), (verbs, day)


@pytest.mark.parametrize(
    "form",
    [
        "{who} {one} and {other} PR #742.",
        "{who} {one}, {other} PR #742.",
        "{who} {one} PR #742 and {other} it.",
        "{who} {one} PR #742, and {other} it.",
        "{who} {one} and then {other} PR #742.",
        "@{who} {one} and {other} it.",
        "{who} {one} PR #742, then {other} it: “Fine.”",
        "PR #742 was {one} and {other} by {who}.",
        "PR #742, {one}, {other} by {who}: “Fine.”",
    ],
)
def test_who_did_one_thing_did_not_do_the_other(form: str) -> None:
    for (one, other), who in product(permutations(DID, 2), ("ada", "bert", "cleo")):
        said = form.format(one=one, other=other, who=who)
        assert not says(said) or DID[one] == DID[other] == who, said
    assert says(form.format(one="wrote", other="created", who="ada")) or "then" in form


@pytest.mark.parametrize(
    "said",
    [
        "ada opened PR #742, merged by bert.",
        "PR #742 was opened by ada and merged by bert (2024-02-07).",
        "PR #742, opened by ada on 2024-01-05 and merged by bert on 2024-02-07: “Fine.”",
        "ada wrote and opened PR #742.",
        "PR #742 was assigned to cleo and merged by bert (2024-02-07).",
        "PR #742 (2024-01-05)",
    ],
)
def test_each_part_told_right_holds(said: str) -> None:
    assert says(said)


@pytest.mark.parametrize(
    "form",
    [
        "On {day} PR #742 was {done}.",
        "On {day}, PR #742 was {done} by {who}.",
        "{day}: {who} {done} PR #742.",
        "PR #742 ({day}) was {done} by {who}.",
        "PR #742 ({day}, {done}).",
        "PR #742, of {day}, was {done} by {who}.",
        "PR #742 by ada ({day}), {done}: “Fine.”",
        "In between, on {day}, {who} {done} PR #742.",
        "{day}. PR #742 was {done} by {who}.",
        "PR #742 was {done} by {who}. {day}.",
    ],
)
def test_a_date_before_what_happened_is_the_date_of_that(form: str) -> None:
    for (done, who), day in product((("opened", "ada"), ("merged", "bert")), DAYS.values()):
        said = form.format(done=done, who=who, day=day)
        assert not says(said) or day == DAYS[done], said


@pytest.mark.parametrize(
    "said",
    [
        "On 2024-02-07 PR #742 was merged.",
        "On 2024-02-07, PR #742 was merged by bert; it was opened on 2024-01-05.",
        "2024-01-05: ada opened PR #742.",
        "PR #742 (2024-02-07, merged).",
    ],
)
def test_a_true_date_before_what_happened_holds(said: str) -> None:
    assert says(said)


@pytest.mark.parametrize(
    "said",
    [
        "PR #742 has to be merged by bert.",
        "PR #742 was to be merged.",
        "PR #742 is being merged.",
        "PR #742 had to be merged by bert.",
        "PR #742 is to be merged.",
        "PR #742 was assigned to cleo (2024-02-07).",
        "PR #742 was assigned to cleo on 2024-01-05.",
        "ada, bert wrote PR #742.",
        "ada wrote, opened, merged PR #742.",
    ],
)
def test_what_was_done_is_not_told_as_what_is_to_be_done(said: str) -> None:
    assert not says(said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Everyone but Ada may deploy.", "Ada may deploy."),
        ("No one but Ada may deploy.", "Ada may deploy."),
        ("Every browser but Safari works.", "Safari works."),
        ("All systems but Windows are supported.", "Windows are supported."),
        ("Anything but Redis is fine.", "Redis is fine."),
    ],
)
def test_what_is_excepted_is_not_what_is_said(body: str, said: str) -> None:
    assert not says(said, body)


NARROWED: Final = (
    "{} (experimental)", "{} (staging)", "{} (in the EU)", "{} (payments: off)", "{} (flaky ones excluded)",
    "{}, given that the nightly run of the job succeeds", "{}, should the job of the night fail it waits",
    "{}, subject to the approval of the board", "{}, pending a decision of the board of directors",
    "{}, barring an outage of the whole data centre", "{}, starting with the release of next spring",
    "{}, a feature to be built by the next team", "{}, something that we have yet to implement",
    "{}, which nobody has ever confirmed in practice", "{}, so Ada says", "{}, so long as Redis is up",
    "{}, now only on Linux", "{}, now just for admins", "{}; should the job fail it rotates weekly",
    "{}, rarely", "{}, sometimes", "{}, in theory", "{}, apart from cards", "{}, excluding cards", "{}, save for cards",
    "{}, cards excluded", "{}, according to the vendor", "{} — allegedly", "{}, in rare cases", "{}: only on ARM",
    "{}, on a good day", "{}, mostly", "{}, says nobody", "{}, or so it was", "{}, but slowly", "{}, if at all",
    "Less than half, {}", "Under Linux, {}", "On paper, {}", "In staging: {}", "Bob joked: {}", "Experimental: {}",
)  # fmt: skip


@pytest.mark.parametrize("form", NARROWED)
def test_nothing_that_narrows_a_sentence_is_left_out(form: str, demo: Brain) -> None:
    made = 0
    for (body,) in demo.db.execute(
        "select body from records where type <> 'ownership' order by id limit 150"
    ).fetchall():
        for span in [*sentences(body)][:2]:
            text = plain(body[span.start : span.end]).rstrip(".")
            said = {*tokens(text)}
            if len(said - FREE - EMPTY - GLUE - NEGATIONS) < 3 or said & (HEDGES | BINDING) or not text[-1:].isalnum():
                continue
            narrowed = form.format(text) + "."
            assert not says(f"{text}.", narrowed), narrowed
            made += 1
            if not form.endswith("{}"):
                assert not says(f"PR #742: “{text}.”", narrowed), narrowed
            assert says(f"PR #742: “{narrowed}”", narrowed), narrowed
    assert made > 60


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("This endpoint is deprecated; that endpoint is supported.", "That endpoint is deprecated."),
        ("These tests are flaky. Those tests are fine.", "Those tests are flaky."),
        ("A few tests fail on ARM.", "Few tests fail on ARM."),
        ("A few tests fail on ARM.", "“… few tests fail on ARM.”"),
        ("A little memory is free.", "Little memory is free."),
        ("Less than 5 users, 3 admins.", "3 admins."),
        ("We support Linux, Windows and Solaris.", "We support Linux."),
        ("Retries are on (payments: off).", "Retries are on."),
    ],
)
def test_what_tells_one_thing_from_another_is_said(body: str, said: str) -> None:
    assert not says(said, body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("The host gives three tries (see #741) to a packet.", "The host gives three tries to a packet."),
        ("The limit is 10 GB (https://example.org/limits).", "The limit is 10 GB."),
        ("The limit is 10 GB (closes #12).", "The limit is 10 GB."),
        ("The limit is 10 GB, because disks are small.", "The limit is 10 GB."),
        ("The limit is 10 GB; uploads are cut.", "The limit is 10 GB."),
        ("The limit is 10 GB, and uploads are cut.", "Uploads are cut."),
        ("The limit is 10 GB, so uploads are cut.", "The limit is 10 GB."),
    ],
)
def test_what_narrows_nothing_may_be_left_out(body: str, said: str) -> None:
    assert says(said, body)


PEOPLE: Final[dict[str, Callable[[str, str], str]]] = {
    "of two": lambda one, other: f"{one} and {other} merged PR #742.",
    "by two": lambda one, other: f"PR #742 was merged by {one} and {other}.",
    "a list": lambda one, other: f"PR #742 was merged by {one}, {other}.",
}


@pytest.mark.parametrize("form", PEOPLE.values(), ids=PEOPLE.keys())
def test_nobody_is_told_to_have_done_what_somebody_else_did(form: Callable[[str, str], str]) -> None:
    for one, other in combinations(("ada", "bert", "cleo"), 2):
        assert not says(form(one, other))
        assert not says(form(other, one))


@pytest.mark.parametrize("empty", ["- ", "## ", "1. ", "* \n"])
def test_an_item_or_heading_without_words_says_nothing(empty: str) -> None:
    body = f"{empty}\n\nThe limit is 10 GB.\n\n{empty}"
    assert says("The limit is 10 GB.", body)
    assert not says("The limit is 20 GB.", body)

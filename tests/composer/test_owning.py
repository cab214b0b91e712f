"""Who owns everything, what somebody owns, and where a line that says who owns a path is no answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.ask import ask
from cortex.composer.retrieve.owners import names_no_owner
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record


def line(number: int, pattern: str, *who: str) -> Record:
    written = " ".join(f"@{one}" for one in who)
    return record(
        f"ownership:CODEOWNERS#{number}", f"{pattern} {written}", title=f"CODEOWNERS › {pattern}", path="CODEOWNERS",
        assignees=who, lines=(number, number),
    )  # fmt: skip


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("owned") / "brain.db") as brain:
        index_records(
            brain,
            line(1, "*", "rosa-m"),
            line(2, "/checkout/", "lin-y"),
            line(3, "/billing/", "goran-t", "lin-y"),
            record("doc:README.md", "# Shop\n\nRun `make dev` to start everything at once.", path="README.md"),
            record(
                "doc:docs/incidents/1.md",
                "# 2024-07-20: checkout down for 47 minutes\n\nSeverity: 1",
                title="2024-07-20: checkout down for 47 minutes",
                path="docs/incidents/1.md",
            ),
            record(
                "issue:1", "Seats are lost\n\nThe seat map forgets them after a minute.", author="ada", state="open"
            ),
        )
        yield brain


def cited(brain: Brain, text: str) -> list[str]:
    return [one.record.ref for one in ask(brain, text, scope=Scope()).citations]


ALL, CHECKOUT, BILLING = (f"ownership:CODEOWNERS#{number}" for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who owns everything?", [ALL]),
        ("Who owns the repository?", [ALL]),
        ("Who is the default owner?", [ALL]),
        ("What does lin-y own?", [CHECKOUT, BILLING]),
        ("Which paths does @goran-t own?", [BILLING]),
        ("What is owned by rosa-m?", [ALL]),
        ("Who owns checkout?", [CHECKOUT]),
        ("Does goran-t own checkout?", [CHECKOUT]),
        ("Is billing owned by rosa-m?", [BILLING]),
        ("Does lin-y own anything?", [CHECKOUT, BILLING]),
    ],
)
def test_who_owns_what_is_the_line_that_says_it(owned: Brain, text: str, refs: list[str]) -> None:
    assert cited(owned, text) == refs


@pytest.mark.parametrize(
    "text",
    [
        "Who owns the seat map?",
        "Who is the owner of the mobile app?",
        "Who does not own checkout?",
        "Who doesn't own checkout?",
        "Who owned checkout in 2020?",
    ],
)
def test_who_owns_what_no_line_names_is_refused(owned: Brain, text: str) -> None:
    assert ask(owned, text, scope=Scope()).refused


@pytest.mark.parametrize(
    "text", ["Who tests the checkout?", "How many checkouts failed?", "Which language is billing in?"]
)
def test_who_owns_a_path_is_no_answer_where_nobody_asks_for_owners(owned: Brain, text: str) -> None:
    answer = ask(owned, text, scope=Scope())
    assert "ownership" not in {one.record.type for one in (*answer.citations, *answer.considered)}


def test_a_thing_of_somebodys_own_is_no_question_for_owners(owned: Brain) -> None:
    assert names_no_owner(understand(owned, "Who does own the moon?", owned.stemmer), [])
    assert not names_no_owner(understand(owned, "Who wrote a parser of their own?", owned.stemmer), [])


def test_a_line_of_the_path_that_a_question_names_is_among_what_was_found(owned: Brain) -> None:
    answer = ask(owned, "Who knows /checkout/ best?", scope=Scope())
    assert CHECKOUT in {one.record.ref for one in (*answer.citations, *answer.considered)}


def test_that_something_was_down_tells_although_the_word_is_everywhere(owned: Brain) -> None:
    answer = ask(owned, "How long was the checkout down?", scope=Scope())
    assert answer.answer.startswith("2024-07-20: checkout down for 47 minutes:")


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("overridden") / "brain.db") as brain:
        index_records(brain, line(1, "checkout/", "lin-y"), line(2, "*", "rosa-m"), line(3, "/maps/*.svg", "goran-t"))
        yield brain


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who owns checkout?", [CHECKOUT]),
        ("Who owns the checkout directory?", [CHECKOUT]),
        ("Who owns checkout/?", [CHECKOUT]),
        ("Is checkout owned by lin-y?", [CHECKOUT]),
        ("Who owns maps/city.svg?", [BILLING]),
        ("What does goran-t own?", [BILLING]),
        ("What does lin-y own?", []),
    ],
)
def test_the_last_line_that_speaks_of_all_it_does_counts(overridden: Brain, text: str, refs: list[str]) -> None:
    assert cited(overridden, text) == refs


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who owns the billing app?", [BILLING]),
        ("Who owns the app of billing?", []),
        ("Who owns the loyalty app?", []),
    ],
)
def test_whoever_owns_what_a_thing_is_called_by_owns_it_as_far_as_is_known(
    owned: Brain, text: str, refs: list[str]
) -> None:
    answer = ask(owned, text, scope=Scope())
    assert [one.record.ref for one in answer.citations] == refs
    assert answer.evidence == ("moderate" if refs else "none")

"""Who owns everything, what somebody owns, and where a line that says who owns a path is no answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.ask import ask
from cortex.composer.retrieve.owners import names_no_owner
from cortex.composer.search import search
from cortex.composer.understanding import understand
from cortex.indexers.connectors import tree
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record
from tests.trees import write


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


FILE = """\
# Changes are reviewed by those named last.

* @rosa-m
/checkout/ @lin-y

# The tax tables are nobody's: the ministry writes them.
/tax/

# Never edit the vendored parser by hand, run make vendor.
/parser/ @goran-t
"""


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    root = write(
        tmp_path_factory.mktemp("filed"), {".github/CODEOWNERS": FILE, "README.md": "# Shop\n\nIt sells hats.\n"}
    )
    with open_brain(root.parent / "filed.db") as brain:
        index_records(brain, *(item for item in tree.read(root, source="demo") if isinstance(item, Record)))
        yield brain


LINE = "ownership:.github/CODEOWNERS#"
DOCUMENT = "doc:.github/CODEOWNERS"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Who are the code owners?", 3),
        ("Who is listed as owner of everything?", 3),
        ("Who gets asked for review automatically?", 3),
        ("Whose review is requested by default?", 3),
        ("Which reviewers are added automatically?", 3),
        ("Who reviews changes to the hats by default?", 3),
        ("Who reviews changes to checkout by default?", 4),
        ("Who has to review a change of checkout/?", 4),
        ("Who must approve pull requests that touch checkout/pay.py?", 4),
        ("Who owns checkout?", 4),
    ],
)
def test_who_owns_what_is_told_once_and_cited_by_its_line_and_by_the_document(
    filed: Brain, text: str, number: int
) -> None:
    answer = ask(filed, text, scope=Scope())
    line_, document = answer.citations
    assert (line_.record.ref, document.record.ref) == (f"{LINE}{number}", DOCUMENT)
    assert line_.excerpt == document.excerpt == FILE.splitlines()[number - 1]
    start, end = map(int, document.handle.rpartition("@")[2].split("-"))
    assert FILE[start:end] == document.excerpt
    assert answer.answer.count("is owned by") == 1
    assert len(answer.answer.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Why do the tax tables belong to nobody?", "the ministry writes them."),
        ("How do I change the vendored parser?", "Never edit the vendored parser by hand, run make vendor."),
    ],
)
def test_what_a_comment_among_owners_says_answers(filed: Brain, text: str, told: str) -> None:
    answer = ask(filed, text, scope=Scope())
    assert told in answer.answer
    assert DOCUMENT in {one.record.ref for one in answer.citations}
    assert "@" not in answer.answer.replace(f"[CITATION:{DOCUMENT}@", "")


@pytest.mark.parametrize(
    "text",
    [
        "Who broke the parser?",
        "Who edited the vendored parser?",
        "What did lin-y decide?",
        "Who reviewed the hats?",
        "Who must approve a release?",
        "Why does rosa-m review automatically?",
    ],
)
def test_a_list_of_handles_is_no_answer_to_who_did_something(filed: Brain, text: str) -> None:
    answer = ask(filed, text, scope=Scope())
    assert answer.refused, answer.answer


def test_a_line_that_comes_twice_is_cited_where_it_counts(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"CODEOWNERS": "/a/ @bob\r\n* @ada\r\n/a/ @bob\r\n"})
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(brain, *(item for item in tree.read(root, source="demo") if isinstance(item, Record)))
        answer = ask(brain, "Who owns a/b.py?", scope=Scope())
    assert [one.handle for one in answer.citations][1:] == ["doc:CODEOWNERS@18-26"]


def test_a_list_of_owners_is_found_as_a_document(filed: Brain) -> None:
    assert DOCUMENT in {hit.record.ref for hit in search(filed, "code owners of checkout", scope=Scope())}
    assert DOCUMENT in {hit.record.ref for hit in search(filed, "vendored parser", scope=Scope())}


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who are the code owners?", [CHECKOUT, BILLING]),
        ("Who gets asked for review automatically?", [CHECKOUT, BILLING]),
        ("Who owns everything?", []),
    ],
)
def test_where_nobody_owns_everything_the_code_owners_are_those_of_its_parts(
    tmp_path: Path, text: str, refs: list[str]
) -> None:
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(brain, line(2, "/checkout/", "lin-y"), line(3, "/billing/", "goran-t"))
        assert cited(brain, text) == refs

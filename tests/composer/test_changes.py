"""Who changed a file, when, and by which commits and pull requests is looked up in the files that commits touch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def commit(hash_: str, month: int, author: str, title: str, *files: str, pull: int = 0) -> Record:
    links = [Link(relation="touches", to_ref=f"file:{path}") for path in files]
    links += [Link(relation="merges", to_ref=f"pull:{pull}")] if pull else []
    at = datetime(2024, month, 1, tzinfo=UTC)
    return record(f"commit:{hash_}", title, author=author, created_at=at, links=tuple(links))


def pull(number: int, month: int, title: str) -> Record:
    at = datetime(2024, month, 1, tzinfo=UTC)
    return record(
        f"pull:{number}", title, author="ada", state="merged", created_at=at, merged_at=at, closed_at=at,
        merged_by="carol",
    )  # fmt: skip


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("changes") / "brain.db") as brain:
        index_records(
            brain,
            commit("aaaaaaaaaaa1", 1, "Ada Low", "Import everything", "shop/hold.go", "Makefile", "a/x.py", "b/x.py"),
            commit("aaaaaaaaaaa2", 3, "Bob Bee", "Hold seats longer (#9)", "shop/hold.go", pull=9),
            commit("aaaaaaaaaaa3", 5, "Cy Dee", "Sort the changes in the list of sailings", "shop/list.go"),
            pull(9, 3, "Hold seats longer"),
            record("issue:4", "Changes in hold times confuse people", author="dan", state="open"),
            record("doc:README.md", "# Shop\n\nWho changed seats last pays.", path="README.md"),
        )
        yield brain


def asked(brain: Brain, text: str, *, as_of: datetime | None = None) -> Answer:
    return ask(brain, text, scope=Scope(), as_of=as_of)


FIRST, HOLD, LIST = "commit:aaaaaaaaaaa1", "commit:aaaaaaaaaaa2", "commit:aaaaaaaaaaa3"


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who last changed shop/hold.go?", [HOLD]),
        ("When was shop/hold.go last changed?", [HOLD]),
        ("Who created shop/hold.go?", [FIRST]),
        ("What changed in shop/hold.go?", [HOLD, FIRST]),
        ("What changed recently in `shop/hold.go`?", [HOLD, FIRST]),
        ("Which commits touched shop/?", [LIST, HOLD, FIRST]),
        ("What is the latest change to hold.go?", [HOLD]),
        ("Which commits changed shop/hold.go before 2024-02?", [FIRST]),
        ("Show the last 2 commits that changed shop/", [LIST, HOLD]),
        ("Which pull requests changed shop/hold.go?", ["pull:9"]),
        ("Who last changed the Makefile?", [FIRST]),
    ],
)
def test_what_changed_a_file_is_listed_newest_first(history: Brain, text: str, refs: list[str]) -> None:
    assert [one.record.ref for one in asked(history, text).citations] == refs


def test_how_many_changed_it_is_counted(history: Brain) -> None:
    assert asked(history, "How many commits changed shop/hold.go?").answer.startswith("2 in all: ")


@pytest.mark.parametrize(
    "text",
    [
        "Who last changed shop/gone.go?",
        "Which pull requests changed shop/list.go?",
        "Which commits changed shop/hold.go in 2023?",
        "Who last changed x.py?",
    ],
)
def test_of_a_file_that_nothing_changed_so_or_that_may_be_several_it_is_refused(history: Brain, text: str) -> None:
    assert asked(history, text).refused


def test_what_changed_a_file_is_told_as_of_a_day(history: Brain) -> None:
    then = asked(history, "Who last changed shop/hold.go?", as_of=datetime(2024, 2, 1, tzinfo=UTC))
    assert [one.record.ref for one in then.citations] == [FIRST]


@pytest.mark.parametrize("text", ["Why did we change hold times?", "Is shop/hold.go tested?", "What changes confuse?"])
def test_what_asks_more_of_a_file_or_of_none_is_looked_up_in_texts(history: Brain, text: str) -> None:
    assert not {one.record.ref for one in asked(history, text).citations} & {FIRST}

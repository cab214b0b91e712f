"""Showing one thing by its name, and proving the whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.brains import index_records, open_new, record
from tests.surfaces.conftest import SEEDS, Ran

Cortex = Callable[..., Ran]


@pytest.fixture
def db(brain: Path) -> Iterator[sqlite3.Connection]:
    """The brain, open to be tampered with."""
    with open_new(brain) as opened:
        yield opened.db


@pytest.fixture
def handle(db: sqlite3.Connection) -> str:
    """A fact of pull request 958."""
    wanted = "select handle from facts f join records r on r.id = f.record_id where r.ref = 'pull:958' order by f.id"
    return str(db.execute(wanted).fetchone()[0])


def test_a_fact_is_shown_with_its_excerpt_and_record(cortex: Cortex, handle: str) -> None:
    shown = cortex("show", handle, "--json").json
    assert (shown["what"], shown["fact"]["handle"], shown["record"]["ref"]) == ("fact", handle, "pull:958")
    text = cortex("show", handle).out
    assert text.startswith(handle)
    assert "authority 0.95" in text
    assert "https://github.com/o8-labs/o8/pull/958" in text


def test_a_record_is_shown_with_all_that_hangs_on_it(cortex: Cortex, handle: str) -> None:
    shown = cortex("show", "pull:958", "--json").json
    assert shown["what"] == "record"
    assert handle in {fact["handle"] for fact in shown["facts"]}
    assert "pull:870" in {link["ref"] for link in shown["links"]}
    assert shown["body"].startswith(shown["record"]["title"])
    text = cortex("show", "pull:958").out
    for part in ("points at", "pointed at by", "comment", handle):
        assert part in text


@pytest.mark.usefixtures("brain")
def test_a_passage_is_exactly_its_characters(cortex: Cortex) -> None:
    body = cortex("show", "pull:958", "--json").json["body"]
    shown = cortex("show", "pull:958@10-42", "--json").json
    assert (shown["what"], shown["excerpt"]) == ("passage", body[10:42])
    assert body[10:42] in cortex("show", "pull:958@10-42").out


@pytest.mark.usefixtures("brain")
def test_every_citation_of_an_answer_can_be_shown(cortex: Cortex) -> None:
    for citation in cortex("ask", "What did we decide to pin above the other rows?", "--json").json["citations"]:
        shown = cortex("show", citation["handle"], "--json").json
        assert shown.get("excerpt", shown.get("fact", {}).get("excerpt")) in citation["excerpt"]


UNKNOWN = [
    "fact-000000000000",
    "issue:999999",
    "pull:958@5-5",
    "pull:958@9-3",
    "pull:958@0-99999999",
    "'; --",
    "a@b",
    "",
]


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_says_what_names_look_like(cortex: Cortex, name: str) -> None:
    ran = cortex("show", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith("cortex: nothing here is called ")


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize(
    ("name", "ref"),
    [
        ("PR #958", "pull:958"),
        ("#958", "pull:958"),
        ("958", "pull:958"),
        ("pr:958", "pull:958"),
        ("pull/958", "pull:958"),
        ("issue:958", "pull:958"),
        ("Issue #671", "issue:671"),
        ("pull:671", "issue:671"),
        ("o8-labs/o8#671", "issue:671"),
        ("https://github.com/o8-labs/o8/pull/958", "pull:958"),
        ("https://github.com/o8-labs/o8/pull/958/files#diff-1", "pull:958"),
        ("https://github.com/O8-labs/o8/issues/958", "pull:958"),
    ],
)
def test_a_record_is_found_by_what_people_call_it(cortex: Cortex, name: str, ref: str) -> None:
    assert cortex("show", name, "--json").json["record"]["ref"] == ref


@pytest.mark.usefixtures("brain")
def test_a_comment_and_a_commit_are_found_by_their_addresses(cortex: Cortex, db: sqlite3.Connection) -> None:
    for ref, url in db.execute(
        "select ref, url from records where id in (select min(id) from records where url <> '' group by type, origin)"
    ):
        assert cortex("show", url, "--json").json["record"]["ref"] == ref


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize(
    "name", ["acme/app#958", "https://github.com/acme/app/pull/958", "https://github.com/o8-labs/o8"]
)
def test_what_is_of_another_repository_is_not_taken_for_ours(cortex: Cortex, name: str) -> None:
    ran = cortex("show", name)
    assert ran.code == 2
    assert "refs like issue:496, pull:958" in ran.complaint


def test_a_number_of_an_issue_here_and_a_pull_request_there_must_say_which(cortex: Cortex, brain: Path) -> None:
    with open_new(brain) as opened:
        index_records(opened, record("issue:958", "Another"), source="another")
    ran = cortex("show", "#958")
    assert "could be of another, o8-labs/o8" in ran.complaint
    assert cortex("show", "PR #958", "--json").json["source"] == "o8-labs/o8"


def test_a_long_record_is_shown_in_parts_that_say_how_to_go_on(cortex: Cortex, brain: Path) -> None:
    body = "\n".join(f"Line {number} of a long log." for number in range(1_000))
    with open_new(brain) as opened:
        remarks = [record(f"comment:7#{n}", f"Remark {n}", thread="issue:7") for n in range(200)]
        index_records(opened, record("issue:7", f"Long\n\n{body}"), *remarks, source="long")
    first = cortex("show", "issue:7", "--source", "long")
    assert f"10,000 of {len(body) + 6:,} characters; on with: cortex show issue:7 --start 10000" in first.out
    assert "more: cortex show issue:7 --thread" in first.out
    assert "200 comments" in first.out
    second = cortex("show", "issue:7", "--source", "long", "--start", "10000")
    assert "on with: cortex show issue:7 --start 20000" in second.out
    assert "comment:7#0" not in second.out
    assert cortex("show", "issue:7", "--source", "long", "--limit", "100000", "--json").json["body"].endswith(body)


def test_a_ref_of_two_sources_must_say_which(cortex: Cortex, brain: Path) -> None:
    cortex("index", "--github-export", SEEDS / "o8", "--source", "fork", db=brain)
    ran = cortex("show", "pull:958")
    assert ran.code == 2
    assert ran.complaint == "cortex: pull:958 could be of fork, o8-labs/o8; name one with --source"
    assert cortex("show", "pull:958", "--source", "fork", "--json").json["source"] == "fork"


def test_a_sound_brain_verifies(cortex: Cortex, db: sqlite3.Connection) -> None:
    (facts,) = db.execute("select count(*) from facts").fetchone()
    ran = cortex("verify", "-q")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Everything holds: {facts:,} facts of ")
    checked = cortex("verify", "--json").json
    assert (checked["facts"], checked["failed"], checked["failures"]) == (facts, 0, [])


TAMPERED = {
    "excerpt": (
        "update facts set excerpt = replace(excerpt, 'pin', 'pan') where handle = ?",
        "its excerpt is not what",
    ),
    "offset": ("update facts set start = start + 1 where handle = ?", "its excerpt is not what"),
    "end": ("update facts set end_ = 9999999 where handle = ?", "its excerpt lies outside pull:958"),
    "statement": ("update facts set statement = statement || ' not' where handle = ?", "its fingerprint is not"),
    "fingerprint": ("update facts set fingerprint = 'x' where handle = ?", "its fingerprint is not"),
    "handle": ("update facts set handle = 'fact-000000000000' where handle = ?", "its handle is not"),
    "source": ("update facts set source_id = 2 where handle = ?", "it belongs to another source"),
    "record": (
        "update records set body = '' where id = (select record_id from facts where handle = ?)",
        "lies outside",
    ),
}


@pytest.mark.parametrize(("change", "problem"), TAMPERED.values(), ids=TAMPERED.keys())
def test_tampering_is_found_and_named(
    cortex: Cortex, db: sqlite3.Connection, handle: str, change: str, problem: str
) -> None:
    db.execute(change, (handle,))
    ran = cortex("verify", "-q")
    assert ran.code == 1
    assert problem in ran.out
    assert cortex("verify", "--json").json["failed"] >= 1


@pytest.mark.of_a_file("FTS5 takes rows out of an index by command")
def test_an_index_that_lies_is_found(cortex: Cortex, db: sqlite3.Connection) -> None:
    db.execute("insert into facts_fts (facts_fts) values ('delete-all')")
    ran = cortex("verify", "-q")
    assert ran.code == 1
    assert "facts_fts: the index does not hold what its rows say" in ran.out


@pytest.mark.of_a_file("the server keeps references")
def test_a_row_without_its_parent_is_found(cortex: Cortex, db: sqlite3.Connection) -> None:
    db.execute("pragma foreign_keys = off")
    db.execute("update links set source_id = 99 where from_ref = 'pull:958'")
    assert "links: a row refers to no row of sources" in cortex("verify", "-q").out


def test_of_many_failures_the_first_are_named_and_all_counted(cortex: Cortex, db: sqlite3.Connection) -> None:
    changed = db.execute("update facts set fingerprint = 'x'").rowcount
    checked = cortex("verify", "--json").json
    assert (checked["failed"], len(checked["failures"])) == (changed, 20)
    assert f"and {changed - 20:,} more" in cortex("verify").out

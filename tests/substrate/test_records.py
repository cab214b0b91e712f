"""Records are written when they change, with their passages, links and jobs, and only then."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.errors import UnknownHandle, UsageError
from cortex.language.markdown import blocks
from cortex.substrate.address import is_database
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ShownRecord, show
from cortex.substrate.model import Link, Record, Scope
from cortex.substrate.records import begin_listing, newest_record, note_gone, put_records, resolve_links
from cortex.substrate.search import text_index
from tests.brains import LATER, NOW, Rows, dump, incoming, indexes_agree, put, record

COUNTS = {"added": 0, "replaced": 0, "unchanged": 0}
COMMENT = record("comment:12#7", "We settled on WAL. It never blocks readers.", title="Locking", thread="issue:12")


def rows(brain: Brain, statement: str) -> Rows:
    return brain.db.execute(statement).fetchall()


@pytest.mark.parametrize(
    "one",
    [
        record("issue:12", "Locked\n\nSee #3 and ada/engine#4.", labels=("bug",), assignees=("ada", "bob")),
        record("pull:3", "Fix\n\nFixes #12", state="merged", merged_at=NOW, merged_by="ada", author="bob"),
        COMMENT,
        record("doc:a.md#b", "Text", path="a.md", lines=(3, 9)),
        record("commit:0a1b2c3d4e5f", "Subject", links=(Link(relation="touches", to_ref="file:a.py"),)),
        record("directive:AGENTS.md#1", "Never do this.", title=""),
    ],
    ids=lambda one: one.type,
)
def test_putting_a_record_twice_writes_nothing(brain: Brain, one: Record) -> None:
    assert put(brain, one) == COUNTS | {"added": 1}
    with brain.reader() as other:  # which sees when anybody else commits
        before, version = dump(brain), other.data_version
        assert put(brain, one, now=LATER) == COUNTS | {"unchanged": 1}
        assert is_database(brain.path) or other.data_version == version  # temporary tables count there
    assert dump(brain) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "Another"),
        ("body", "Another body."),
        ("state", "closed"),
        ("labels", ("bug",)),
        ("assignees", ("eve",)),
        ("author", "eve"),
        ("closed_at", LATER),
        ("url", "https://example.org/12"),
        ("lines", (1, 2)),
        ("thread", "issue:13"),
        ("links", (Link(relation="replies", to_ref="comment:12#6"),)),
    ],
)
def test_whatever_changes_is_stored(brain: Brain, field: str, value: object) -> None:
    put(brain, COMMENT)
    assert put(brain, COMMENT.model_copy(update={field: value})) == COUNTS | {"replaced": 1}


def test_an_edit_replaces_passages_and_links_and_brings_a_job(brain: Brain) -> None:
    put(brain, record("comment:12#7", "Fixes #1. The lock is held by the writer."))
    put(brain, record("comment:12#7", "Duplicate of #2. The lock is held by the reader."))
    assert rows(brain, "select body from passages") == [("Duplicate of #2. The lock is held by the reader.",)]
    assert rows(brain, "select relation, to_ref from links") == [("duplicates", "#2")]
    assert not text_index(brain.db, "passages", None).holding([["writer"]], titled=False)
    assert text_index(brain.db, "passages", None).holding([["reader"]], titled=False)
    assert rows(brain, "select count(*) from facts_queue where state = 'pending'") == [(2,)]
    assert indexes_agree(brain)


def test_a_record_edited_back_is_due_again(brain: Brain) -> None:
    first, second = record("comment:1#1", "One thing."), record("comment:1#1", "Another thing.")
    put(brain, first)
    brain.db.execute("update facts_queue set state = 'done'")
    for one in (second, first):
        put(brain, one)
    jobs = "select q.state from facts_queue q join records r using (content_hash) where r.id = q.record_id"
    assert rows(brain, jobs) == [("pending",)]


def gone(brain: Brain, *listed: Record) -> int:
    begin_listing(brain)
    put_records(brain, [incoming(one) for one in listed], source_id=1, now=LATER)
    return note_gone(brain, source_id=1, origin="github", newest=newest_record(brain), now=LATER)


def test_what_a_listing_lacks_is_gone_and_returns(brain: Brain) -> None:
    one, other = record("issue:1", "One"), record("issue:2", "Two")
    put(brain, one, other)
    assert gone(brain, one) == 1
    assert rows(brain, "select ref from records where gone_at is not null") == [("issue:2",)]
    assert gone(brain, one) == 0
    assert put(brain, other) == COUNTS | {"replaced": 1}
    assert rows(brain, "select ref from records where gone_at is not null") == []


def test_only_the_origin_that_brought_a_record_can_miss_it(brain: Brain) -> None:
    put(brain, record("commit:0a1b2c3", "From git"), origin="git")
    put(brain, record("issue:1", "From GitHub"))
    assert gone(brain, record("issue:1", "From GitHub")) == 0


def test_a_stronger_origin_stands_whichever_comes_first(brain: Brain) -> None:
    told, stated = record("pull:5", "As git tells it"), record("pull:5", "As GitHub states it")
    put(brain, told, origin="git")
    assert put(brain, stated, origin="github")["replaced"] == 1
    assert put(brain, told, origin="git") == COUNTS | {"unchanged": 1}
    assert rows(brain, "select title, origin from records") == [("As GitHub states it", "github")]


def test_a_weaker_origin_stands_in_for_a_record_that_is_gone(brain: Brain) -> None:
    put(brain, record("pull:5", "As GitHub states it"))
    assert gone(brain) == 1
    put(brain, record("pull:5", "As git tells it"), origin="git")
    assert rows(brain, "select title, origin, gone_at from records") == [("As git tells it", "git", None)]


def test_of_two_rows_with_one_ref_the_last_is_stored(brain: Brain) -> None:
    assert put(brain, record("issue:1", "One"), record("issue:1", "Two")) == COUNTS | {"added": 1}
    assert rows(brain, "select title from records") == [("Two",)]


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\0", "\ud83d x \ude00"], ids=ascii)
def test_what_cannot_be_stored_is_replaced_character_for_character(brain: Brain, text: str) -> None:
    put(brain, record("issue:1", text, author=text))
    ((body, author, length),) = rows(brain, "select body, author, length(body) from records")
    assert body == author
    assert length == len(body) == len(text)
    assert [a for a, b in zip(text, body, strict=True) if b not in (a, "\ufffd")] == []


def test_numbers_become_the_issue_or_pull_request_that_has_them(brain: Brain) -> None:
    put(
        brain,
        record("pull:3", "Fix\n\nFixes #1, see #2, #9 and ada/engine#1"),
        record("issue:1", "I"),
        record("pull:2", "P"),
    )
    assert resolve_links(brain, source_id=1) == 2
    found = rows(brain, "select relation, to_source, to_ref from links order by to_source, to_ref")
    assert found == [
        ("mentions", "", "#9"),
        ("fixes", "", "issue:1"),
        ("mentions", "", "pull:2"),
        ("mentions", "ada/engine", "#1"),
    ]
    assert resolve_links(brain, source_id=1) == 0
    put(brain, record("issue:9", "Late"))
    assert resolve_links(brain, source_id=1) == 1


def test_times_are_kept_in_utc(brain: Brain) -> None:
    put(brain, record("issue:1", "One", created_at=datetime.fromisoformat("2025-03-01T01:00:00+02:00")))
    assert rows(brain, "select created_at from records") == [("2025-02-28T23:00:00Z",)]
    assert datetime(2025, 2, 28, 23, tzinfo=UTC).isoformat() == "2025-02-28T23:00:00+00:00"


LINE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", "> quoted words", "- item one", "```", "# Heading", "| a | b |", "long " * 60, "x" * 900, "---"]
    ),
)
TEXT = st.lists(LINE, max_size=12).map("\n".join)


@given(TEXT)
def test_passages_are_verbatim_and_leave_nothing_out(brain: Brain, text: str) -> None:
    put(brain, record("issue:1", text, title="Title"))
    ((body,),) = rows(brain, "select body from records")
    found = rows(brain, "select start, end_, body from passages order by start")
    for start, end, searched in found:
        place = start
        for line in searched.splitlines():
            place = body.index(line.strip(), place, end) + len(line.strip())
    covered = {place for start, end, _ in found for place in range(start, end)}
    spans = [place for block in blocks(body) for place in range(block.start, block.end)]
    assert [place for place in spans if place not in covered and not body[place].isspace()] == []
    assert sorted(found) == found
    assert all(a[1] <= b[0] for a, b in pairwise(found))


EDITS = st.lists(st.tuples(st.integers(1, 5), TEXT, st.sampled_from(["github", "git"])), min_size=1, max_size=12)


@settings(max_examples=40)
@given(EDITS)
def test_the_index_follows_any_sequence_of_edits(brain: Brain, edits: list[tuple[int, str, str]]) -> None:
    for number, text, origin in edits:
        put(brain, record(f"comment:1#{number}", text or "…", title="T"), origin=origin)
    assert indexes_agree(brain)
    orphans = "select count(*) from passages where record_id not in (select id from records)"
    assert rows(brain, orphans) == [(0,)]
    missing = "select count(*) from records where id not in (select record_id from passages)"
    assert rows(brain, missing) == [(0,)]


def test_a_commit_is_looked_up_by_as_much_of_its_hash_as_tells_it_apart(brain: Brain) -> None:
    put(brain, record("commit:0a1b2c3d4e5f", "One"), record("commit:0a1b2c3d4fff", "Two"))
    found = show(brain, "0a1b2c3d4e", scope=Scope())
    assert isinstance(found, ShownRecord)
    assert found.record.title == "One"
    with pytest.raises(UsageError, match="2 commits begin with 0a1b2c3"):
        show(brain, "0a1b2c3", scope=Scope())
    with pytest.raises(UnknownHandle):
        show(brain, "0a1b2c3d4d", scope=Scope())
    with pytest.raises(UnknownHandle):
        show(brain, "0a1b2c", scope=Scope())

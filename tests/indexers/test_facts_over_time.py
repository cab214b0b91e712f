"""Facts follow their records: made once, replaced when they change, made again when somebody deletes them."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cortex.indexers.connectors import github_export
from cortex.indexers.promotion import promote
from cortex.substrate.address import is_database, setting
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record
from cortex.substrate.status import start_run
from tests.brains import (
    FACTS,
    LATER,
    NOW,
    SEEDS,
    Rows,
    content,
    dump,
    index_demo,
    index_records,
    indexes_agree,
    open_new,
    put,
    record,
    refusing,
    statements,
)
from tests.trees import read_tree


def pull(number: int, title: str, *text: str, **fields: object) -> Record:
    merged = {"state": "merged", "merged_at": NOW}
    return record(f"pull:{number}", "\n\n".join((title, *text)), title=title, **merged | fields)


def facts(brain: Brain) -> Rows:
    return brain.db.execute(FACTS).fetchall()


def archived(brain: Brain) -> Rows:
    asked = "select record_ref, statement, job from facts_archive order by record_ref, statement"
    return brain.db.execute(asked).fetchall()


def test_promoting_again_changes_nothing(brain: Brain) -> None:
    index_demo(brain)
    run_id = start_run(brain, "index", source_id=1, now=LATER)
    before = dump(brain)
    assert promote(brain, source_id=1, run_id=run_id, now=LATER) == (0, 0, 0)
    assert dump(brain) == before


def delete_facts(brain: Brain) -> None:
    """As another program, which has none of our functions."""
    if is_database(brain.path):
        import psycopg  # noqa: PLC0415  an extra

        with psycopg.connect(setting(brain.path)) as other:
            other.execute("delete from facts")
        return
    with closing(sqlite3.connect(brain.path)) as db, db:
        db.execute("delete from facts")


def test_facts_deleted_by_another_program_are_made_again(brain: Brain) -> None:
    index_demo(brain)
    before = content(brain)
    delete_facts(brain)
    reports = index_demo(brain, now=LATER)
    assert [report.changed for report in reports] == [True, True]
    assert content(brain) == before
    assert indexes_agree(brain)
    assert [report.changed for report in index_demo(brain, now=LATER)] == [False, False]


def test_facts_deleted_after_an_edit_are_made_again(brain: Brain) -> None:
    for title in ("One", "Two"):
        index_records(
            brain, record("issue:1", title, state="open"), record("doc:a.md", f"It must {title} every time we do.")
        )
    before = facts(brain)
    brain.db.execute("delete from facts")
    index_records(brain, record("issue:1", "Two", state="open"), record("doc:a.md", "It must Two every time we do."))
    assert facts(brain) == before != []


def test_what_gives_no_fact_is_not_read_again_and_again(brain: Brain) -> None:
    empty = [
        record("issue:1", "no title", title=""),
        record("directive:AGENTS.md#1", "<!-- nothing -->", title=""),
        record("ownership:CODEOWNERS#1", " ", title=""),
        record("comment:1#1", "+1"),
        record("doc:a.md", "```\ncode\n```"),
    ]
    assert index_records(brain, *empty).changed
    assert not index_records(brain, *empty).changed


def test_an_edit_archives_what_its_record_no_longer_says(brain: Brain) -> None:
    index_records(brain, record("issue:1", "Locked on start", state="open"))
    index_records(brain, record("issue:1", "Locked on stop", state="open"))
    assert statements(brain) == ["Issue #1 (open since an unknown day): Locked on stop"]
    assert archived(brain) == [("issue:1", "Issue #1 (open since an unknown day): Locked on start", "replaced")]
    assert indexes_agree(brain)


def test_the_new_fact_and_the_archive_arrive_together_or_not_at_all(brain: Brain) -> None:
    index_records(brain, record("issue:1", "Locked on start", state="open"))
    put(brain, record("issue:1", "Locked on stop", state="open"))
    before = dump(brain)
    with refusing(brain, "facts") as error, pytest.raises(error, match="power cut"):
        promote(brain, source_id=1, run_id=1, now=LATER)
    assert dump(brain) == before
    assert promote(brain, source_id=1, run_id=1, now=LATER) == (1, 1, 0)


def test_a_pull_request_that_is_reverted_stops_being_true(brain: Brain) -> None:
    change = pull(8, "Faster start")
    index_records(brain, change)
    index_records(brain, change, pull(9, "Back to slow", "Reverts #8", merged_at=LATER))
    asked = "select statement, valid_until from facts f join records r on r.id = record_id where r.ref = 'pull:8'"
    assert brain.db.execute(asked).fetchall() == [
        ("PR #8 (merged 2026-01-01, reverted by PR #9 on 2026-02-01): Faster start", "2026-02-01T00:00:00Z")
    ]


REVERT = pull(9, "Back", "Reverts #8", merged_at=LATER)


@pytest.mark.parametrize(
    "after",
    [
        [],
        [pull(9, "Back", "Never mind", merged_at=LATER)],
        [pull(9, "Back", "Reverts #8", state="open", merged_at=None)],
    ],
    ids=["gone", "edited", "never merged"],
)
def test_a_revert_that_is_none_any_more_is_taken_back(brain: Brain, after: list[Record]) -> None:
    index_records(brain, pull(8, "Faster start"), REVERT)
    index_records(brain, pull(8, "Faster start"), *after)
    assert statements(brain, ref="pull:8") == ["PR #8 (merged 2026-01-01): Faster start"]


def test_a_fact_names_what_it_is_about_as_it_is_called_now(brain: Brain) -> None:
    fix = pull(8, "Wait for the lock", "Fixes #1")
    index_records(brain, fix, record("issue:1", "Old title"))
    index_records(brain, fix, record("issue:1", "New title"))
    assert 'PR #8 "Wait for the lock" (merged 2026-01-01) fixed issue #1 "New title"' in statements(brain)
    assert not [one for one in statements(brain) if "Old title" in one]


def test_a_number_is_understood_once_its_issue_arrives(brain: Brain) -> None:
    fix = pull(8, "Wait for the lock", "Fixes #1")
    index_records(brain, fix)
    assert len(statements(brain)) == 1
    index_records(brain, fix, record("issue:1", "Late"))
    assert len(statements(brain)) == 3


def test_a_commit_that_repeats_the_title_of_a_merged_pull_request_steps_back_for_as_long(brain: Brain) -> None:
    commit = record("commit:bbbb2c3d4e5f", "Read in `WAL` mode.\n\nReaders waited.")
    told = ["Commit bbbb2c3d4e5f (undated): Read in `WAL` mode."]
    pull = record("pull:9", "read in WAL mode", state="open")
    merged = pull.model_copy(update={"state": "merged", "merged_at": NOW})
    for one, said in [
        (pull, told),
        (merged, []),
        (merged.model_copy(update={"title": "WAL", "body": "WAL"}), told),
        (merged, []),
    ]:
        index_records(brain, commit, one)
        assert statements(brain, ref=commit.ref) == said
        assert statements(brain, ref=one.ref) != []


def test_a_commit_steps_back_when_its_pull_request_arrives(brain: Brain) -> None:
    commit = record("commit:0a1b2c3d4e5f", "Merge #8", links=(Link(relation="merges", to_ref="pull:8"),))
    index_records(brain, commit)
    index_records(brain, commit, pull(8, "Wait for the lock"))
    assert statements(brain) == ["PR #8 (merged 2026-01-01): Wait for the lock"]


def test_a_record_that_returns_has_the_facts_it_had(brain: Brain) -> None:
    one, other = record("issue:1", "One", state="open"), record("issue:2", "Two", state="open")
    index_records(brain, one, other)
    before = facts(brain)
    assert index_records(brain, one).origins[0].gone == 1
    assert not index_records(brain, one).changed
    index_records(brain, one, other)
    assert facts(brain) == before


def demo_records() -> list[Record]:
    folder = SEEDS / "o8"
    items = [*github_export.read(folder, source="demo"), *read_tree(folder / "docs", source="demo")]
    return [item for item in items if isinstance(item, Record)]


@pytest.mark.parametrize("seed", range(2))
def test_in_steps_or_at_once_the_facts_are_the_same(brain: Brain, tmp_path: Path, seed: int) -> None:
    everything, chance = demo_records(), random.Random(seed)  # noqa: S311  no secret
    older = [
        one.model_copy(update={"body": f"{one.body}\n\nFixes #{chance.randrange(200, 1200)}"}) for one in everything
    ]
    index_records(brain, *chance.sample(older, len(older) // 2))
    index_records(brain, *chance.sample(everything, len(everything) // 3))
    index_records(brain, *chance.sample(everything, len(everything)))
    with open_new(tmp_path / "at once.db") as other:
        index_records(other, *everything)
        assert facts(brain) == facts(other)
        assert content(brain)["passages"] == content(other)["passages"]
        assert content(brain)["links"] == content(other)["links"]

"""An index run of the demo project: complete, repeatable, and the same after any kill."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cortex.indexers.connectors import Item
from cortex.indexers.feeds import export_feeds, project_feeds, source_of_export, source_of_project
from cortex.indexers.run import IndexReport, index
from cortex.substrate.address import argument, is_database
from cortex.substrate.brain import Brain
from cortex.substrate.records import LONG_LIST, LONG_TITLE
from cortex.substrate.verify import verify
from cortex.surfaces.github import threads
from tests.brains import (
    LATER,
    NOW,
    SEEDS,
    Rows,
    content,
    dump,
    feed_of,
    index_demo,
    index_records,
    indexes_agree,
    open_new,
    place,
    record,
    statements,
)
from tests.trees import commit, git, write
from tests.warm import program


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return shutil.copytree(SEEDS / "o8", tmp_path / "o8")


def run(brain: Brain, folder: Path, *, again: bool = False) -> IndexReport:
    feeds = export_feeds(folder, "o8-labs/o8", lambda: threads(brain, "o8-labs/o8"))
    return index(brain, feeds, source="o8-labs/o8", again=again, now=NOW)


def test_the_demo_is_indexed_whole(brain: Brain) -> None:
    reports = index_demo(brain)
    assert [report.source for report in reports] == ["o8-labs/o8", "o8-labs/o8-runner"]
    assert [len(report.skipped) for report in reports] == [0, 0]
    types = dict(brain.db.execute("select type, count(*) from records group by type"))
    assert types.keys() == {"directive", "pull", "issue", "outcome", "doc", "comment", "commit", "ownership", "project"}
    assert sum(types.values()) == sum(sum(origin.records.values()) for report in reports for origin in report.origins)
    assert {path for (path,) in brain.db.execute("select path from facts")} == {"promotion", "docs", "comments"}
    assert indexes_agree(brain)
    assert brain.db.execute("select distinct status from runs").fetchall() == [("done",)]


def test_the_second_run_writes_nothing(brain: Brain) -> None:
    index_demo(brain)
    before = dump(brain)
    for _ in range(2):
        assert [(report.run, report.changed) for report in index_demo(brain, now=LATER)] == [(None, False)] * 2
    assert dump(brain) == before


def test_reading_everything_again_writes_nothing_either(brain: Brain, export: Path) -> None:
    run(brain, export)
    before = dump(brain)
    assert not run(brain, export, again=True).changed
    assert dump(brain) == before


def test_a_touched_file_is_read_again_and_nothing_more(brain: Brain, export: Path) -> None:
    run(brain, export)
    facts = content(brain)
    os.utime(export / "pulls.jsonl", ns=(1, 1))
    report = run(brain, export)
    assert not report.changed
    assert not report.origins[0].untouched
    assert content(brain) == facts


def test_what_could_not_be_read_is_told_again_when_nothing_changed(brain: Brain, export: Path) -> None:
    with (export / "comments.jsonl").open("a") as lines:
        lines.write('{"id": 1, "body": \n{"id": 2, "body": "whose?", "user": {"login": "ada"}}\n')
    first, second = run(brain, export), run(brain, export)
    assert [skip.input for skip in first.skipped] == ["comments.jsonl:112", "comments.jsonl:113"]
    assert second.skipped == first.skipped
    assert second.origins[0].untouched
    assert not second.changed
    kept = brain.db.execute("select input, reason from skips").fetchall()
    assert kept == [(skip.input, skip.reason) for skip in first.skipped]


def test_a_lost_row_is_gone_and_comes_back(brain: Brain, export: Path) -> None:
    run(brain, export)
    before = content(brain)
    path = export / "issues.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[1:]))
    assert run(brain, export).origins[0].gone == 1
    path.write_text("".join(lines))
    run(brain, export)
    assert content(brain) == before


def test_a_broken_line_does_not_make_its_record_look_deleted(brain: Brain, export: Path) -> None:
    run(brain, export)
    path = export / "issues.jsonl"
    path.write_text(path.read_text().replace('{"id"', '{"id', 1))
    assert run(brain, export).origins[0].gone == 0


def test_a_broken_line_keeps_what_it_may_have_held_and_says_so(brain: Brain, export: Path) -> None:
    run(brain, export)
    before = statements(brain)
    issues, comments = export / "issues.jsonl", export / "comments.jsonl"
    asked = "select thread from records where type = 'comment' and thread glob 'issue:*' limit 1"
    ((thread,),) = brain.db.execute(asked).fetchall()
    number = thread.partition(":")[2]
    issues.write_text(issues.read_text().replace(f'"number": {number},', f'"number: {number},'))
    comments.write_text("".join(comments.read_text().splitlines(keepends=True)[1:]))
    report = run(brain, export)
    assert report.origins[0].gone == 1, "a comment, whose file is whole"
    (told,) = [one for one in report.skipped if "counted as deleted" in one.reason]
    assert (told.input, told.reason) == (
        "1 issue",
        "no longer listed and yet not counted as deleted: 1 input could not be read",
    )
    assert report.origins[0].replaced == 0, "comments keep the title of an issue that was lost"
    assert set(statements(brain)) <= set(before)
    assert run(brain, export).skipped == report.skipped


def test_an_export_of_which_nothing_can_be_read_any_more_is_not_up_to_date(brain: Brain, export: Path) -> None:
    run(brain, export)
    before = dump(brain)
    for path in export.glob("*.jsonl"):
        if path.name != "issues.jsonl":
            path.unlink()
    (export / "issues.jsonl").write_text('{"number": 1, ')
    for _ in range(2):
        assert [one.undone for one in run(brain, export).origins][:1] == ["nothing in it could be read (broken JSON)"]
    assert dump(brain) == before


def test_an_edited_comment_has_its_facts_replaced(brain: Brain, export: Path) -> None:
    run(brain, export)
    asked = "select r.ref, f.excerpt from facts f join records r on r.id = record_id where f.path = 'comments' limit 1"
    ((ref, excerpt),) = brain.db.execute(asked).fetchall()
    path = export / "comments.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    identity = ref.partition("#")[2]
    edited = [line if f'"id": {identity},' not in line else said(line) for line in lines]
    path.write_text("".join(edited))
    run(brain, export)
    assert [one for one in statements(brain, ref=ref) if excerpt in one] == []
    assert any("We decided to keep the queue in memory" in one for one in statements(brain, ref=ref))
    assert brain.db.execute("select count(*) from facts_archive where record_ref = ?", (ref,)).fetchone() != (0,)
    stale = (
        "select count(*) from facts_queue q join records r on r.id = record_id where q.content_hash <> r.content_hash"
    )
    assert brain.db.execute(stale).fetchone() == (0,)


def said(line: str) -> str:
    before, _, rest = line.partition('"body": "')
    _, _, after = rest.partition('", "')
    return f'{before}"body": "We decided to keep the queue in memory, because the disk was slow.", "{after}'


def test_sources_do_not_touch_each_other(brain: Brain, tmp_path: Path) -> None:
    index_demo(brain)
    alone = tmp_path / "alone.db"
    with open_new(alone) as other:
        run(other, SEEDS / "o8")
        held = content(other)
    both = content(brain)
    for name in ("facts", "records", "passages", "queue", "links"):
        assert [row for row in both[name] if row[0] == "o8-labs/o8"] == held[name]
    brain.db.execute("delete from sources where name = 'o8-labs/o8-runner'")
    assert {name: rows for name, rows in content(brain).items() if name != "terms"} == {
        name: rows for name, rows in held.items() if name != "terms"
    }


def test_a_project_is_its_history_and_its_files(brain: Brain, tmp_path: Path) -> None:
    root = write(
        tmp_path / "gear", {"README.md": "# Gear\n\nIt must never block.\n", "AGENTS.md": "- Never force-push.\n"}
    )
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "Start the gear (#4)")
    feeds = project_feeds(root, source_of_project(root))
    index(brain, feeds, source="gear", now=NOW)
    assert dict(brain.db.execute("select ref, origin from records where type in ('pull', 'doc', 'directive')")) == {
        "pull:4": "git", "doc:README.md": "tree", "directive:AGENTS.md#1": "tree",
    }  # fmt: skip
    export = write(tmp_path / "export", {"pulls.jsonl": PULL})
    index(brain, [*export_feeds(export, "gear"), *feeds], source="gear", now=NOW)
    assert brain.db.execute("select title, origin from records where ref = 'pull:4'").fetchall() == [("Gear", "github")]
    assert not index(brain, [*export_feeds(export, "gear"), *feeds], source="gear", now=NOW).changed


@pytest.mark.parametrize("what", ["document", "commit"])
def test_what_another_process_brings_while_a_whole_listing_is_read_is_not_gone(what: str, tmp_path: Path) -> None:
    """As when a hook runs beside somebody who indexes."""
    root = write(tmp_path / "gear", {"old.md": "# Old\n\nIt must never block.\n"})
    git(root, "init")
    commit(root, "Begin")
    history, _, files = project_feeds(root, "gear")

    def overtaken(since: str | None) -> Iterator[Item]:
        listed = [*(files if what == "document" else history).read(since)]
        write(root, {"new.md": "# New\n\nIt must never wait.\n"})
        commit(root, "Second")
        with open_new(tmp_path / "brain.db") as other:
            index(other, project_feeds(root, "gear"), source="gear", now=NOW)
        yield from listed

    one = (files if what == "document" else history)._replace(read=overtaken)
    with open_new(tmp_path / "brain.db") as brain:
        report = index(brain, [one], source="gear", again=True, now=NOW)
        assert report.origins[0].gone == 0
        assert dict(brain.db.execute("select title, gone_at from records")) == {
            "Begin": None, "Second": None, "Old": None, "New": None,
        }  # fmt: skip
        (root / "old.md").unlink()
        assert index(brain, [files], source="gear", now=NOW).origins[0].gone == 1


PULL = (
    '{"number": 4, "title": "Gear", "state": "closed", "merged_at": "2025-01-01T00:00:00Z", "user": {"login": "ada"},'
    ' "html_url": "https://github.com/ada/gear/pull/4", "body": null, "labels": [], "assignees": []}\n'
)


def test_an_export_is_called_what_its_rows_say() -> None:
    assert source_of_export(SEEDS / "o8") == "o8-labs/o8"


KILLED = """
import os, sys
from pathlib import Path
from tempfile import gettempdir
from cortex.indexers import reading, run
from cortex.indexers.connectors import Item
from cortex.indexers.feeds import export_feeds
from cortex.substrate.address import located
from cortex.substrate.brain import open_brain
from tests.brains import NOW

reading.BATCH = 40
left = int(sys.argv[3])

def progress(*_):
    global left
    left -= 1
    if left == 0:
        os._exit(9)

with open_brain(located(sys.argv[1], Path(gettempdir()))) as brain:
    run.index(brain, export_feeds(Path(sys.argv[2]), "o8-labs/o8"), source="o8-labs/o8", progress=progress, now=NOW)
"""


def killed(
    path: Path, folder: Path, steps: int, stop: Callable[[subprocess.Popen[bytes]], None] = lambda _: None
) -> int:
    command = [program(), "-c", KILLED, argument(path), str(folder), str(steps)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)
    stop(started)
    started.communicate(timeout=180)  # to the end of what it writes, as it may outlive its launcher for a moment
    return started.returncode


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    """What a run that nothing disturbs comes to."""
    with open_new(tmp_path_factory.mktemp("whole") / "brain.db") as brain:
        run(brain, SEEDS / "o8")
        return content(brain)


@pytest.mark.parametrize("steps", [1, 9, 11, 13])
def test_a_run_that_dies_between_two_steps_is_made_good_by_the_next(
    tmp_path: Path, whole: dict[str, Rows], steps: int
) -> None:
    path = place(tmp_path / "killed.db")
    assert killed(path, SEEDS / "o8", steps) == 9
    completed(path, whole)


@pytest.mark.parametrize("seed", range(2))
def test_a_run_that_is_killed_at_any_moment_is_made_good_by_the_next(
    tmp_path: Path, whole: dict[str, Rows], seed: int
) -> None:
    path, chance = place(tmp_path / "killed.db"), random.Random(seed)  # noqa: S311  no secret

    def stop(process: subprocess.Popen[bytes]) -> None:
        while not path.exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.6))
        process.send_signal(signal.SIGKILL)

    killed(path, SEEDS / "o8", 0, stop)
    completed(path, whole)


def completed(path: Path, whole: dict[str, Rows]) -> None:
    """Index what is left; the brain is then as if nothing had happened, and says so."""
    with open_new(path) as brain:
        run(brain, SEEDS / "o8")
        assert content(brain) == whole
        assert indexes_agree(brain)
        assert not run(brain, SEEDS / "o8").changed
        assert brain.db.execute("select count(*) from runs where status = 'running'").fetchone() == (0,)
    if not is_database(path):
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_a_brain_does_not_grow_with_the_square_of_a_title(brain: Brain) -> None:
    title = " ".join(f"gear{number}" for number in range(20_000))
    whole = f"{title}\n\nText of its own."
    remarks = [record(f"comment:1#{n}", f"We decided on gear {n}.", title=title, thread="issue:1") for n in range(9)]
    issue = record("issue:1", whole, title=title, labels=(title, *map(str, range(200))))
    report = index_records(brain, issue, *remarks)
    assert [(one.input, one.reason) for one in report.skipped] == [("issue:1", LONG_TITLE), ("issue:1", LONG_LIST)]
    held = brain.db.execute("select sum(length(context)) + sum(length(parts)) from passages").fetchone()[0]
    said = brain.db.execute("select sum(length(statement)) from facts").fetchone()[0]
    assert held + said < 6 * len(whole)
    assert brain.db.execute("select body from records where ref = 'issue:1'").fetchone() == (whole,)
    assert verify(brain).holds
    assert not index_records(brain, issue, *remarks).changed


def test_a_project_knows_itself_by_the_name_it_has_where_it_is_read(brain: Brain) -> None:
    items = [record("issue:1", "Slow", state="open"), record("pull:2", "Fast\n\nFixes ada/engine#1.", state="open")]
    index(brain, [feed_of(items)], source="renamed", known_as=["ada/engine"], now=NOW)
    assert brain.db.execute("select relation, to_source, to_ref from links").fetchall() == [("fixes", "", "issue:1")]

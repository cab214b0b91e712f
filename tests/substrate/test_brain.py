"""A brain is one file that several processes share: opened, refused, filled up, fought over."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cortex.errors import (
    BrainBusy,
    BrainDamaged,
    BrainError,
    BrainMissing,
    BrainTooNew,
    BrainTooOld,
    BrainUnwritable,
    DiskFull,
    NotABrain,
)
from cortex.substrate import brain as brain_module
from cortex.substrate.brain import SCHEMA_VERSION, Brain, open_brain
from cortex.substrate.reading import VerifiedReader
from tests.brains import dump, index_records, open_demo, open_new, put, record
from tests.warm import program


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "brain.db"


@pytest.fixture
def brain(path: Path) -> Iterator[Brain]:
    with open_brain(path) as brain:
        yield brain


def pragma(brain: Brain, name: str) -> object:
    return brain.db.execute(f"pragma {name}").fetchone()[0]


@pytest.mark.parametrize("read_only", [False, True], ids=["writer", "reader"])
def test_every_connection_is_set_up_alike(path: Path, *, read_only: bool) -> None:
    expected = {
        "journal_mode": "wal", "busy_timeout": 30_000, "foreign_keys": 1, "user_version": SCHEMA_VERSION,
        "application_id": brain_module.APPLICATION_ID,
    }  # fmt: skip
    open_brain(path).close()
    with open_brain(path, read_only=read_only) as brain:
        assert {name: pragma(brain, name) for name in expected} == expected


def test_a_table_takes_only_what_its_columns_say(brain: Brain) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
        brain.db.execute("insert into sources (id, name, federated, created_at) values (1, 'a', 'yes', '')")


def test_a_row_belongs_to_a_source_that_is_there(brain: Brain) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        brain.db.execute("insert into runs (source_id, command, started_at) values (7, 'index', '')")


def test_a_new_brain_is_its_owners_alone_to_read(brain: Brain, path: Path) -> None:
    put(brain, record("issue:1", "First"))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"brain.db": 0o600, "brain.db-wal": 0o600, "brain.db-shm": 0o600}


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    open_brain(tmp_path / "a" / "b" / "brain.db").close()
    assert (tmp_path / "a" / "b" / "brain.db").is_file()


@pytest.mark.parametrize("name", ["brain 1.db", "br%61in.db", "brain?mode=ro.db", "brain#1.db", "gehirn-ä.db", "-.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    open_brain(tmp_path / name).close()
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.of_a_file("reads its bytes")
def test_opening_again_changes_nothing(path: Path) -> None:
    open_demo(path).close()
    before = path.read_bytes()
    for read_only in (False, True, False):
        open_brain(path, read_only=read_only).close()
    assert path.read_bytes() == before


def test_a_reader_cannot_write(brain: Brain, path: Path) -> None:
    with open_brain(path, read_only=True) as reader, pytest.raises(BrainUnwritable), reader.transaction() as db:
        db.execute("delete from sources")
    assert dump(brain)


def not_there(path: Path) -> None:
    pass


def empty(path: Path) -> None:
    path.touch()


def one_byte(path: Path) -> None:
    path.write_bytes(b"S")


def folder(path: Path) -> None:
    path.mkdir()


def text(path: Path) -> None:
    path.write_text("Dear diary,\n" * 200)


def other_program(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("create table notes (text)")
    db.close()


def other_programs_empty_file(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("pragma application_id = 77")
    db.close()


def newer(path: Path) -> None:
    with open_brain(path) as brain:
        brain.db.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")


def cut_short(path: Path) -> None:
    open_brain(path).close()
    path.write_bytes(path.read_bytes()[:5000])


def files(path: Path) -> dict[str, bytes]:
    """What lies beside *path*, but for what SQLite keeps there while a brain is open."""
    kept = [file for file in path.parent.iterdir() if not file.name.endswith(("-wal", "-shm"))]
    return {file.name: file.read_bytes() if file.is_file() else b"" for file in kept}


REFUSED: list[tuple[Callable[[Path], None], type[BrainError], bool]] = [
    (folder, NotABrain, False),
    (folder, NotABrain, True),
    (text, NotABrain, False),
    (text, NotABrain, True),
    (other_program, NotABrain, False),
    (other_program, NotABrain, True),
    (other_programs_empty_file, NotABrain, False),
    (newer, BrainTooNew, False),
    (newer, BrainTooNew, True),
    (cut_short, BrainDamaged, False),
    (cut_short, BrainDamaged, True),
    (not_there, BrainMissing, True),
    (empty, BrainMissing, True),
    (empty, BrainMissing, False),
    (one_byte, NotABrain, False),
    (one_byte, NotABrain, True),
]


@pytest.mark.parametrize(
    ("make", "error", "read_only"), REFUSED, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_what_is_no_brain_is_refused_and_left_as_it_was(
    path: Path, make: Callable[[Path], None], error: type[BrainError], *, read_only: bool
) -> None:
    make(path)
    before = files(path)
    with pytest.raises(error) as raised:
        open_brain(path, read_only=read_only)
    assert str(path) in str(raised.value)
    assert raised.value.exit_code == 3
    assert files(path) == before


def test_an_empty_file_is_refused_with_what_to_do(path: Path) -> None:
    path.touch()
    with pytest.raises(BrainMissing, match="the file is empty; restore a copy, or remove the file and index again"):
        open_brain(path)


MAKE = """
import os, sys
from itertools import count
from cortex.substrate.brain import open_brain
open_brain(sys.argv[1] + "/0.db").close()
for step in count(1):
    if not os.fork():
        left = iter(range(step))
        sys.addaudithook(lambda *_: next(left, None) is None and os._exit(9))
        open_brain(f"{sys.argv[1]}/{step}.db")
        os._exit(0)
    if not os.wait()[1]:
        print(step)
        break
"""


def test_a_kill_at_any_step_of_making_a_brain_leaves_none_or_a_whole_one(tmp_path: Path) -> None:
    done = subprocess.run([program(), "-c", MAKE, tmp_path], check=True, capture_output=True, text=True)
    paths = [tmp_path / f"{step}.db" for step in range(1, int(done.stdout) + 1)]
    left = [path.exists() for path in paths]
    assert (left[0], left[-1]) == (False, True)
    for path in paths:
        with open_brain(path) as brain:
            assert pragma(brain, "user_version") == SCHEMA_VERSION
            assert pragma(brain, "integrity_check") == "ok"


def test_a_new_brain_takes_nothing_from_the_log_of_a_lost_one(path: Path, tmp_path: Path) -> None:
    with open_brain(path) as brain:
        put(brain, record("issue:1", "First"))
        for end in ("-wal", "-shm"):
            shutil.copy(path.with_name(path.name + end), tmp_path / f"other.db{end}")
    with open_brain(tmp_path / "other.db") as other:
        assert other.db.execute("select count(*) from records").fetchone() == (0,)


def test_a_link_to_no_file_yet_gets_a_brain_where_it_leads(path: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "kept" / "other.db")
    open_brain(path).close()
    assert path.is_symlink()
    assert (tmp_path / "kept" / "other.db").stat().st_size


def test_a_disk_without_room_for_a_brain_gets_none(path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(DiskFull):
            open_brain(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [*path.parent.iterdir()] == []


def test_a_file_in_place_of_a_folder_takes_no_brain(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BrainUnwritable):
        open_brain(tmp_path / "file" / "brain.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_brain_in_a_folder_that_takes_no_writes_is_read(path: Path) -> None:
    with open_brain(path) as brain:
        put(brain, record("issue:1", "First"))
    path.parent.chmod(0o500)
    try:
        with open_brain(path, read_only=True) as brain:
            assert brain.db.execute("select ref from records").fetchall() == [("issue:1",)]
        with pytest.raises(BrainUnwritable):
            open_brain(path.with_name("other.db"))
    finally:
        path.parent.chmod(0o700)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, sqlite3.IntegrityError])
def test_a_transaction_is_all_or_nothing(brain: Brain, error: type[BaseException]) -> None:
    put(brain, record("issue:1", "First"))
    before = dump(brain)
    with pytest.raises(error), brain.transaction() as db:  # noqa: PT012  what is raised, is raised inside
        db.execute("delete from records")
        raise error
    assert dump(brain) == before
    assert not brain.db.in_transaction


def test_a_full_disk_leaves_the_brain_as_it_was(brain: Brain) -> None:
    put(brain, record("issue:1", "First"))
    before = dump(brain)
    brain.db.execute(f"pragma max_page_count = {pragma(brain, 'page_count')}")
    with pytest.raises(DiskFull, match="no room on its disk"):
        put(brain, *(record(f"issue:{number}", f"words {number} " * 400) for number in range(2, 40)))
    assert dump(brain) == before
    assert pragma(brain, "integrity_check") == "ok"
    brain.db.execute("pragma max_page_count = 100000")
    assert put(brain, record("issue:2", "Second"))["added"] == 1


def test_two_writers_take_turns(brain: Brain, path: Path) -> None:
    with open_brain(path, patience_s=0.05) as other:
        with brain.transaction(), pytest.raises(BrainBusy), other.transaction():
            pass
        assert put(other, record("issue:1", "First"))["added"] == 1


def test_readers_do_not_wait_for_a_writer(brain: Brain, path: Path) -> None:
    put(brain, record("issue:1", "First"))
    with brain.transaction() as db:
        db.execute("update records set title = 'changed'")
        with open_brain(path, read_only=True) as reader, brain.reader() as another:
            for one in (reader, another):
                assert one.db.execute("select title from records").fetchall() == [("First",)]
    with open_brain(path, read_only=True) as reader:
        assert reader.db.execute("select title from records").fetchall() == [("changed",)]


OPEN = """
import sys
from cortex.substrate.brain import open_brain
print("ready", flush=True)
sys.stdin.readline()
with open_brain(sys.argv[1]) as brain:
    print(brain.db.execute("select count(*) from _sqlite_migrations").fetchone()[0])
"""


@pytest.mark.parametrize("round_", range(3))
def test_processes_that_make_a_brain_at_once_make_one(path: Path, round_: int) -> None:  # noqa: ARG001
    command = [program(), "-c", OPEN, str(path)]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.stdout and process.stdout.readline() for process in started] == ["ready\n"] * 4
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate(timeout=180) for process in started]
    assert ended == [(f"{SCHEMA_VERSION}\n", "")] * 4
    with open_brain(path) as brain:
        assert index_records(brain, record("issue:1", "We decided to oil the gears.")).changed


def test_a_large_transaction_is_in_the_file_itself_once_its_readers_have_gone(
    brain: Brain, path: Path, tmp_path: Path
) -> None:
    def in_the_file() -> int:
        copied = shutil.copy(path, tmp_path / "without_its_log.db")
        with closing(sqlite3.connect(copied)) as db:
            return int(db.execute("select count(*) from runs").fetchone()[0])

    brain.db.execute("pragma wal_checkpoint(truncate)").fetchone()
    with open_brain(path, read_only=True) as reader, reader.snapshot():
        reader.db.execute("select count(*) from runs").fetchone()
        with brain.transaction() as db:
            large = "x" * 6_000_000
            db.execute("insert into runs (command, started_at, report) values ('index', '', ?)", (large,))
    assert in_the_file() == 0
    brain.settle()
    assert in_the_file() == 1


def rows_of(brain: Brain) -> dict[str, int]:
    anew = ("sqlite_schema", "_sqlite_migrations", "promotions", "changes_read")
    return {name: len(rows) for name, rows in dump(brain).items() if name not in anew}


def set_back(brain: Brain) -> None:
    """Undo what migrations did from the one on that made tables anew."""
    for statement in (
        "alter table links drop column derived",
        "drop index passages_by_source",
        "drop view closings",
        "drop table tasks",
        "alter table facts_queue drop column closes",
        "alter table records drop column blocks",
        "delete from _sqlite_migrations where name >= '0011'",
        "pragma user_version = 10",
    ):
        brain.db.execute(statement)


def older(path: Path) -> None:
    """A brain of the schema before the one that made tables anew."""
    with open_brain(path) as brain:
        put(brain, record("issue:1", "First"))
        set_back(brain)
        brain.db.execute("pragma wal_checkpoint(truncate)")


def test_an_older_brain_is_brought_up_to_date_for_a_reader_that_lets_it(path: Path) -> None:
    older(path)
    before = files(path)
    with pytest.raises(BrainTooOld, match=r"has schema 10, this Cortex reads .*: cortex doctor"):
        open_brain(path, read_only=True, migrate=False)
    assert files(path) == before
    with open_brain(path, read_only=True) as brain:
        assert pragma(brain, "user_version") == SCHEMA_VERSION


def test_an_older_brain_that_takes_no_writes_says_which_command_brings_it_up_to_date(path: Path) -> None:
    older(path)
    before, (soft, hard) = files(path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(BrainTooOld):
            open_brain(path, read_only=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files(path) == before


@pytest.mark.of_a_file("rows that an earlier schema of SQLite held")
def test_a_table_made_anew_takes_nothing_along(path: Path) -> None:
    """The migration that rebuilds `records` and `facts` keeps what refers to them."""
    with open_demo(path) as brain:
        before = rows_of(brain)
        held = "select name from sqlite_schema where tbl_name in ('records', 'facts') order by name"
        named = brain.db.execute(held).fetchall()
        set_back(brain)
    with open_brain(path) as brain:
        assert rows_of(brain) == before
        assert brain.db.execute(held).fetchall() == named
        assert brain.db.execute("pragma foreign_key_check").fetchall() == []
        assert pragma(brain, "foreign_keys") == 1


def test_what_was_counted_of_some_sources_is_counted_anew_once_anybody_wrote(tmp_path: Path) -> None:
    path = tmp_path / "counted.db"
    with open_new(path) as brain, open_brain(brain.path) as other:
        index_records(brain, record("issue:1", "A lease ends"), source="one")
        index_records(brain, record("issue:1", "A lease begins"), source="two")
        for writer, number in ((brain, 2), (other, 3)):
            assert VerifiedReader(brain, {1: "one"}).frequencies(["leas"])[0] == number - 1
            records = (record(f"issue:{n}", f"A lease ends {n}") for n in range(1, number + 1))
            index_records(writer, *records, source="one")
            rows, found = VerifiedReader(brain, {1: "one"}).frequencies(["leas"])
            assert (rows, found.get("leas")) == (number, number)

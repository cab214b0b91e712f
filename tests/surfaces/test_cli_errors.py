"""What goes wrong costs one line on standard error and the right exit code; with --json, one document too."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.substrate.address import argument, is_database, shown
from cortex.surfaces.cli import cli
from tests.brains import image, nowhere, open_file, open_new
from tests.surfaces.conftest import Ran
from tests.warm import program

Cortex = Callable[..., Ran]


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("create table t (x)")
    db.close()


def newer(path: Path) -> None:
    with open_file(path) as brain:
        brain.db.execute("pragma user_version = 99")


def text(path: Path) -> None:
    path.write_text("these are notes, not a database; " * 9)


def torn(path: Path) -> None:
    open_file(path).close()
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 4000)


UNUSABLE = {
    "missing": lambda _: None,
    "foreign": foreign,
    "newer": newer,
    "text": text,
    "torn": torn,
    "folder": Path.mkdir,
    "cut to nothing": Path.touch,
}
READING = [("ask", "why?"), ("search", "why"), ("show", "issue:1"), ("status",), ("verify",), ("outcome", "list")]


WRITING = [
    ("remember", "Leases last 30 s.", "--by", "ada", "--where", "issue:1"),
    ("outcome", "add", "Retry", "--status", "shipped"),
    ("compact",),
    ("verify", "--mend"),
    ("queue", "retry"),
    ("token", "create", "ci"),
]


@pytest.mark.parametrize(
    ("command", "spoil"),
    [(one, spoil) for one in (READING[0], WRITING[0], WRITING[3]) for spoil in UNUSABLE.values()]
    + [(one, text) for one in READING + WRITING],
    ids=lambda one: " ".join(one[:2]) if isinstance(one, tuple) else None,
)
def test_a_brain_that_cannot_be_used_is_exit_code_3(
    cortex: Cortex, tmp_path: Path, command: tuple[str, ...], spoil: Callable[[Path], object]
) -> None:
    path = tmp_path / "spoilt.db"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    ran = cortex(*command, "-q", db=path)
    assert (ran.code, ran.out) == (3, "")
    assert ran.complaint.startswith("cortex: ")
    assert str(path) in ran.complaint
    assert "; " in ran.complaint
    assert (path.read_bytes() if path.is_file() else None) == before


def test_asking_before_indexing_says_what_to_run(cortex: Cortex, tmp_path: Path) -> None:
    missing = nowhere(tmp_path / "brain.db")
    assert cortex("ask", "why?").complaint == f"cortex: no brain at {shown(missing)}; make one with: cortex index PATH"
    assert image(missing) == b""


@pytest.mark.parametrize("command", [("ask", "why?"), ("search", "why"), ("show", "issue:496"), ("outcome", "list")])
@pytest.mark.usefixtures("brain")
def test_an_unknown_source_is_a_wrong_use(cortex: Cortex, command: tuple[str, ...]) -> None:
    ran = cortex(*command, "--source", "nope")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == "cortex: no source 'nope' here; this brain holds: o8-labs/o8, o8-labs/o8-runner"


@pytest.mark.usefixtures("brain")
def test_with_json_an_error_is_a_document_too(cortex: Cortex) -> None:
    ran = cortex("ask", "why?", "--source", "nope", "--json")
    assert ran.json == {
        "error": {
            "type": "UnknownSource",
            "message": "no source 'nope' here",
            "hint": "this brain holds: o8-labs/o8, o8-labs/o8-runner",
            "exit_code": 2,
        }
    }
    assert ran.complaint.startswith("cortex: no source")


@pytest.mark.parametrize("arguments", [("--json", "ask", ""), ("ask", "--json", ""), ("ask", "", "--json")], ids=str)
@pytest.mark.usefixtures("brain")
def test_the_document_is_printed_wherever_json_was_asked_for(cortex: Cortex, arguments: tuple[str, ...]) -> None:
    ran = cortex(*arguments)
    assert (ran.code, ran.json["error"]["type"]) == (2, "EmptyQuestion")
    assert ran.complaint.startswith("cortex: the question is empty")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "no such command 'frobnicate'"),
        (["ask", "--frobnicate"], "no such option '--frobnicate'"),
        (["search", "x", "-k", "many"], "invalid value for '-k': 'many' is not a valid integer range"),
        (["show"], "missing argument 'HANDLE'"),
        (["outcome", "add", " ", "--status", "shipped"], "invalid value for 'TITLE': it is empty"),
        (["outcome", "add", "x", "--status", "great"], "invalid value for '--status': 'great' is not one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_a_wrong_use_says_where_the_help_is(cortex: Cortex, arguments: list[str], said: str, *, as_json: bool) -> None:
    ran = cortex(*arguments, *["--json"] * as_json)
    assert ran.code == 2
    assert said in ran.complaint
    assert "try: cortex" in ran.complaint
    assert ran.complaint.endswith(" --help")
    assert ran.json["error"]["exit_code"] == 2 if as_json else ran.out == ""


def damage(path: Path) -> None:
    """Overwrite the pages that hold what records say, and leave those that say which tables there are."""
    with open_new(path) as brain:
        brain.db.execute("pragma wal_checkpoint(truncate)")
        (page,) = brain.db.execute("select rootpage from sqlite_master where name = 'records'").fetchone()
        (size,) = brain.db.execute("pragma page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.of_a_file("the server sees to its pages")
def test_verifying_a_damaged_brain_says_how_to_get_one_that_is_whole(cortex: Cortex, brain: Path) -> None:
    damage(brain)
    ran = cortex("verify", "-q")
    assert (ran.code, ran.out) == (3, "")
    assert ran.complaint.startswith(f"cortex: {brain} is damaged: ")
    assert ran.complaint.endswith("; restore a copy of it, or index again into a new file with --db")
    assert cortex("ask", "who owns the eval harness?").complaint.startswith("cortex: ")


def test_a_bad_setting_is_named(cortex: Cortex) -> None:
    ran = cortex("index", ".", CORTEX_AUTHORITY="much")
    assert ran.code == 2
    assert ran.complaint.startswith("cortex: CORTEX_AUTHORITY: ")


def test_the_environment_names_the_brain(brain: Path) -> None:
    def status(**environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([program(), "status"], capture_output=True, text=True, check=False, env=environment)

    assert status(CORTEX_DB=argument(brain)).stdout.startswith(shown(brain))
    if is_database(brain):
        return
    assert status(CORTEX_HOME=str(brain.parent)).stdout.startswith(str(brain))
    assert status(HOME=str(brain.parent)).stderr.startswith(f"cortex: no brain at {brain.parent}/.cortex/brain.db; ")


def test_help_and_version_need_no_brain(cortex: Cortex) -> None:
    assert "Usage: cortex" in cortex("--help").out
    assert cortex().out == cortex("--help").out
    assert cortex("--version").out.startswith("cortex 0.")


COMMANDS = [*cli.list_commands(None)]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_and_the_line_the_overview_has(cortex: Cortex, name: str) -> None:
    help_ = cortex(name, "--help").out
    assert f"\n    cortex {name}" in help_
    assert "--json" in help_
    overview = " ".join(cortex("--help").out.split())
    first_line = " ".join(help_.split("\n\n")[1].split())
    assert f"{name} {first_line}" in overview

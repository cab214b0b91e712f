"""Every SQL file is one statement that the current schema can run, and that something runs.

Those beside `cortex.substrate` speak to a brain, those beside `cortex.evals` to the ledger.

Files named `0001_….sql` are migrations and `…_temp.sql` make temporary tables: both hold several statements.
"""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cortex.evals.ledger import SCHEMA as LEDGER_SCHEMA
from cortex.evals.ledger import open_ledger
from cortex.substrate.brain import SCHEMA_VERSION, Brain, open_brain
from cortex.substrate.migrations import SCHEMA
from tests.sources import PACKAGE, modules, parsed

MIGRATION = re.compile(r"(\d{4})_[a-z_]+")
EVERY = sorted(PACKAGE.rglob("*.sql"))
OF_LEDGER = [path for path in EVERY if path.is_relative_to(PACKAGE / "evals")]
FILES = [path for path in EVERY if path not in OF_LEDGER]
MIGRATIONS = [path for path in FILES if MIGRATION.fullmatch(path.stem)]
TEMPORARY = [path for path in FILES if path.stem.endswith("_temp")]
STATEMENTS = [path for path in FILES if path not in MIGRATIONS and path not in TEMPORARY]
pytestmark = pytest.mark.xdist_group("sql")  # one worker reads the code, once
INLINE = re.compile(r"create (?:temp table|table (?:if not exists )?temp\.)")


class Anything(dict[str, None]):
    """A value for whatever name a statement asks for."""

    def __missing__(self, name: str) -> None:
        return None


def prepare(db: sqlite3.Connection, statement: str) -> None:
    """Compile *statement* without running it.

    Raises:
        sqlite3.Error: it does not fit the schema, is more than one statement, or has a parameter without a name.
    """
    db.execute(f"explain {statement}", Anything())


@cache
def nodes() -> list[ast.AST]:
    return [node for module in modules().values() for node in ast.walk(parsed(module))]


def temporary_tables() -> Iterator[str]:
    """What makes the temporary tables: files, and one-liners in the code."""
    yield from (path.read_text("utf-8") for path in TEMPORARY)
    for node in nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and INLINE.match(node.value):
            yield node.value


def functions() -> Iterator[tuple[str, int]]:
    """Name and number of arguments of each function the code gives to SQLite."""
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "create_function":
            name, arguments, *_ = node.args
            yield ast.literal_eval(name), ast.literal_eval(arguments)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("sql") / "brain.db") as brain:
        for script in temporary_tables():
            brain.db.executescript(script)
        for name, arguments in functions():
            brain.db.create_function(name, arguments, lambda *_: None, deterministic=True)
        yield brain


def test_every_statement_prepares_against_the_schema(brain: Brain) -> None:
    for path in STATEMENTS:
        try:
            prepare(brain.db, path.read_text("utf-8"))
        except Exception as error:
            error.add_note(path.name)
            raise


@pytest.mark.parametrize("path", OF_LEDGER, ids=lambda path: path.stem)
def test_every_statement_prepares_against_the_schema_of_the_ledger(tmp_path: Path, path: Path) -> None:
    with open_ledger(tmp_path / "brain.evals.db") as ledger:
        if path.stem not in LEDGER_SCHEMA:
            prepare(ledger.db, path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("select handel from facts", "no such column"),
        ("select 1 from fact", "no such table"),
        ("select handle from facts where id = ?", "no name|mapping"),
        ("select 1; select 2", "one statement"),
        ("insert into facts (handle) values (:handle, :kind)", "2 values for 1 columns"),
    ],
    ids=["column", "table", "nameless parameter", "two statements", "columns"],
)
def test_a_statement_that_does_not_fit_is_refused(brain: Brain, statement: str, complaint: str) -> None:
    with pytest.raises(sqlite3.Error, match=complaint):
        prepare(brain.db, statement)


def names_in_code() -> re.Pattern[str]:
    """Every string in the code; what an f-string fills in may be any word."""
    plain = {re.escape(n.value) for n in nodes() if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    filled = {
        "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in n.values)
        for n in nodes()
        if isinstance(n, ast.JoinedStr) and isinstance(n.values[0], ast.Constant)
    }
    return re.compile("|".join(plain | filled))


def test_every_file_is_named_by_the_code_that_runs_it() -> None:
    named = names_in_code()
    assert [path.name for path in EVERY if not named.fullmatch(path.stem)] == []


def test_only_migrations_change_the_schema() -> None:
    changes = re.compile(r"\b(create|alter|drop)\s+(?!temp|virtual table if not exists temp\.)", re.IGNORECASE)
    code = {path.name: re.sub(r"--.*", "", path.read_text("utf-8")) for path in STATEMENTS + TEMPORARY}
    assert [name for name, text in code.items() if changes.search(text)] == []


def test_migrations_are_numbered_without_a_gap_and_all_run() -> None:
    assert [path.stem for path in MIGRATIONS] == list(SCHEMA)
    assert [int(name[:4]) for name in SCHEMA] == list(range(1, SCHEMA_VERSION + 1))


def test_every_table_of_ours_is_strict(brain: Brain) -> None:
    loose = "select name from pragma_table_list where schema = 'main' and type = 'table' and not strict"
    ours = {name for (name,) in brain.db.execute(loose) if not name.startswith(("sqlite_", "_sqlite_"))}
    assert ours == set()

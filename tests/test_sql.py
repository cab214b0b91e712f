"""Every SQL file holds the statements of one noun, each of which the current schema can run, and something runs.

Files named `0001_….sql` are migrations, those of the ledger in a folder of their own. Statements called `…_temp` make
temporary tables and may be several; those of `ledger.sql` speak to the ledger, all others to a brain.
"""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cortex.indexers.promotion import WORDING
from cortex.substrate.brain import SCHEMA_VERSION, Brain, open_brain
from cortex.substrate.facts import begin_batch
from cortex.substrate.ledger import SCHEMA as LEDGER_SCHEMA
from cortex.substrate.ledger import open_ledger
from cortex.substrate.migrations import SCHEMA
from cortex.substrate.statements import statements
from tests.sources import PACKAGE, modules, parsed

MIGRATION = re.compile(r"(\d{4})_[a-z_]+")
SQL = PACKAGE / "substrate" / "sql"
NOUNS = sorted(path.stem for path in SQL.glob("*.sql") if not MIGRATION.fullmatch(path.stem))
EVERY = {f"{noun}.{name}": text for noun in NOUNS for name, text in statements(noun).items()}
TEMPORARY = {name: text for name, text in EVERY.items() if name.endswith("_temp")}
OF_LEDGER = {name: text for name, text in EVERY.items() if name.startswith("ledger.")}
STATEMENTS = {name: text for name, text in EVERY.items() if name not in TEMPORARY and name not in OF_LEDGER}
pytestmark = pytest.mark.xdist_group("sql")  # one worker reads the code, once
WHOLE = re.compile(r"(?:select .+ from|select exists|insert (?:or \w+ )?into|update .+ set|delete from) ")
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
    """What makes the temporary tables: statements of the files, and one-liners in the code."""
    yield from TEMPORARY.values()
    for node in nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and INLINE.match(node.value):
            yield node.value


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("sql") / "brain.db") as brain:
        for script in temporary_tables():
            brain.db.executescript(script)
        begin_batch(brain)
        brain.define(**WORDING)
        yield brain


def test_every_file_is_statements_under_their_names() -> None:
    engine = PACKAGE / "substrate" / "postgres"
    assert {path.parent for path in PACKAGE.rglob("*.sql")} - {engine, engine / "sql"} == {SQL, SQL / "ledger"}
    for noun in NOUNS:
        text = (SQL / f"{noun}.sql").read_text("utf-8")
        named = re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)
        assert text.startswith("-- name: "), noun
        assert named == [*statements(noun)], noun


def test_every_statement_prepares_against_the_schema(brain: Brain, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "brain.evals.db") as ledger:
        for name, text in (STATEMENTS | OF_LEDGER).items():
            try:
                prepare(ledger.db if name in OF_LEDGER else brain.db, text)
            except Exception as error:
                error.add_note(name)
                raise


def inline_statements() -> Iterator[str]:
    """The statements that stand in the code of the substrate whole, those of the ledger left out."""
    for name, module in modules().items():
        here = name.startswith("cortex.substrate.") and ".postgres." not in name
        if not here or name.endswith((".ledger", ".migrations")):
            continue
        tree = parsed(module)
        parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node not in parts and WHOLE.match(str(node.value)):
                yield str(node.value)


def test_every_inline_statement_prepares_against_the_schema(brain: Brain) -> None:
    found = {*inline_statements()}
    assert len(found) > 50
    for text in found:
        try:
            prepare(brain.db, text.replace("?", ":given"))
        except Exception as error:
            error.add_note(text)
            raise


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


def test_every_statement_is_named_by_the_code_that_runs_it() -> None:
    named = names_in_code()
    assert [name for name in EVERY if not named.fullmatch(name)] == []


def test_only_migrations_change_the_schema() -> None:
    changes = re.compile(r"\b(create|alter|drop)\s+(?!temp|virtual table if not exists temp\.)", re.IGNORECASE)
    code = {name: re.sub(r"--.*", "", text) for name, text in EVERY.items()}
    assert [name for name, text in code.items() if changes.search(text)] == []


def test_migrations_are_numbered_without_a_gap_and_all_run() -> None:
    assert sorted(path.stem for path in SQL.glob("[0-9]*.sql")) == list(SCHEMA)
    assert sorted(path.stem for path in (SQL / "ledger").glob("*.sql")) == list(LEDGER_SCHEMA)
    assert [int(name[:4]) for name in SCHEMA] == list(range(1, SCHEMA_VERSION + 1))


def test_every_table_of_ours_is_strict(brain: Brain) -> None:
    loose = "select name from pragma_table_list where schema = 'main' and type = 'table' and not strict"
    ours = {name for (name,) in brain.db.execute(loose) if not name.startswith(("sqlite_", "_sqlite_"))}
    assert ours == set()

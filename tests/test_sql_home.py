"""SQL, and the connections it runs on, stay in the substrate: whatever is above calls its functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.sources import imports, modules, parsed
from tests.tables import walk

HOME: Final = "cortex.substrate"
ALONE: Final = "cortex.language.stems"
"""FTS5's tokenizer over nothing but memory: it reads no brain, and the language below the substrate needs it."""

RUNS: Final = {"execute", "executemany", "executescript", "create_function"}
SQL: Final = re.compile(
    r"\s*(?:--.*\n\s*)*(?:(?:select|SELECT)\b.+\s(?i:from)\s|(?:insert|INSERT)\s(?i:(?:or\s\w+\s)?into)\s|(?:delete|DELETE)\s(?i:from)\s"
    r"|(?:update|UPDATE)\s(?i:(?:or\s+\w+\s)?[\w.]+\s+set)\s|(?:pragma|PRAGMA)\s+\w|(?:vacuum|VACUUM)\b"
    r"|(?:with|WITH)\s(?i:(?:recursive\s)?\w+\s(?:\([^)]*\)\s)?as\s(?:materialized\s)?\()"
    r"|(?:create|alter|drop|CREATE|ALTER|DROP)\s(?i:(?:temp\s|virtual\s|unique\s)?(?:table|view|index|trigger))\s)",
    re.DOTALL,
)


def speaking(tree: ast.Module, module: str) -> Iterator[tuple[int, str]]:
    """Where *module* runs SQL, has its text, reaches a connection or reads the files of statements."""
    for name, line in imports(tree, module):
        if f"{name}.".startswith(f"{HOME}.statements."):
            yield line, name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in RUNS:
            yield node.lineno, node.attr
        elif isinstance(node, ast.Attribute) and node.attr == "db" and ast.unparse(node.value).endswith(OPEN):
            yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.withitem) and "transaction(" in ast.unparse(node.context_expr) and node.optional_vars:
            yield node.context_expr.lineno, ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value):
            yield node.lineno, node.value


OPEN: Final = ("brain", "ledger", "copy", "brain()", "reader()", "writer()")


def test_sql_stands_and_runs_in_the_substrate_alone() -> None:
    above = {name: path for name, path in modules().items() if not f"{name}.".startswith(f"{HOME}.") and name != ALONE}
    found = [(name, *one) for name, path in above.items() for one in speaking(parsed(path), name)]
    assert found == []


@walk(
    ("code", "speaks"),
    [
        ("brain.db.execute('vacuum')", True),
        ("self._brain().db", True),
        ("work.brain.db", True),
        ("with brain.transaction() as db: pass", True),
        ("with brain.transaction(): put(brain)", False),
        ("from cortex.substrate.statements import sql", True),
        ("from cortex.substrate import statements", True),
        ("from cortex.substrate.records import put_records", False),
        ("held = 'select 1 from records where ref = ?'", True),
        ('held = f"""\n    with own as (select {name} from records) select 1"""', True),
        ("held = 'insert or ignore into links values (?)'", True),
        ("held = 'update or replace links set to_ref = ?'", True),
        ("held = 'pragma page_count'", True),
        ("held = 'select one from the list below'", True),
        ("'Select what stands from the rows of a brain.'", False),
        ("said = 'Update the index with it.'", False),
        ("said = 'selected from the rows'", False),
        ("open_brain(here.db)", False),
    ],
)
def test_sql_is_seen_however_it_is_written(code: str, *, speaks: bool) -> None:
    assert bool([*speaking(ast.parse(code), "cortex.surfaces.cli")]) is speaks

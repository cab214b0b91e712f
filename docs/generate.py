"""The parts of the documentation that are drawn from the program itself; `make docs` puts them into the pages."""

from __future__ import annotations

import inspect
import json
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from pydantic.fields import FieldInfo

from cortex import errors
from cortex.errors import CortexError
from cortex.settings import PREFIX, Settings
from cortex.substrate.brain import open_brain
from cortex.substrate.ledger import open_ledger
from cortex.surfaces.contract import Operation
from cortex.surfaces.http.routes import PREFIX as ROUTE
from cortex.surfaces.http.routes import offered as routed
from cortex.surfaces.mcp_server import PREFIX as TOOL
from cortex.surfaces.operations import every

HOSTILE = Path(__file__).parents[1] / "tests" / "attacks" / "hostile.toml"
HELP_WIDTH = 100  # columns; what a person sees depends on their terminal, a page does not

_COMMENTED = re.compile(r"^\s+(?P<column>\w+) .*--\s*(?P<comment>.+)$")
_ONE_OF = re.compile(r"check\s*\((?P<column>\w+) in\s*\((?P<values>[^)]*)\)\)")


_ROOT = len(CortexError.mro())


def error_table() -> str:
    """Each error under the one it is a kind of, with what it stands for, its exit code and its HTTP status."""
    rows = (
        (
            f"{'↳ ' * (len(error.mro()) - _ROOT)}`{error.__name__}`",
            _first_line(error),
            error.exit_code,
            error.http_status,
        )
        for error in _errors()
    )
    return table(("error", "what happened", "exit code", "HTTP status"), rows)


def _errors() -> Iterator[type[CortexError]]:
    members = inspect.getmembers(errors, inspect.isclass)
    lines = {error: inspect.getsourcelines(error)[1] for _, error in members if issubclass(error, CortexError)}
    yield from sorted(lines, key=lines.__getitem__)


def _first_line(documented: type) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def settings() -> str:
    """Each setting by the variable that sets it."""
    rows = (
        (f"`{PREFIX}{name.upper()}`", _default(field), field.description)
        for name, field in Settings.model_fields.items()
    )
    return table(("variable", "default", "what it sets"), rows)


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    return "" if value in (None, {}) else f"`{value}`"


def commands(group: click.Group, name: str = "cortex") -> str:
    """Each command of *group*, and of the groups in it, with its help as the command line prints it.

    >>> print(commands(click.Group(commands={"ask": click.Command("ask", help="Ask it.")})), end="")
    ## cortex ask
    <BLANKLINE>
    ```text
    Usage: cortex ask [OPTIONS]
    <BLANKLINE>
      Ask it.
    <BLANKLINE>
    Options:
      --help  Show this message and exit.
    ```
    """
    context = click.Context(group, info_name=name)
    found = ((own, group.get_command(context, own)) for own in group.list_commands(context))
    return "\n".join(_help(command, f"{name} {own}") for own, command in found if command)


def _help(command: click.Command, name: str) -> str:
    settings = {**command.context_settings, "max_content_width": HELP_WIDTH, "terminal_width": HELP_WIDTH}
    text = command.get_help(click.Context(command, info_name=name, **settings))
    own = f"## {name}\n\n```text\n{text}\n```\n"
    return f"{own}\n{commands(command, name)}" if isinstance(command, click.Group) else own


def operations() -> str:
    """Each operation of the contract: what it does, who may call it, where it is offered, what it takes and gives."""
    return "\n".join(_operation(one) for one in every())


def _operation(one: Operation[Any, Any]) -> str:
    offered = [f"`cortex {one.command}`", *([f"`{TOOL}{one.name}`"] if one.tool else [])]
    offered += [f"`POST {ROUTE}{one.name}`"] if one.name in {other.name for other in routed()} else []
    where = "on the brain's own machine only" if one.local else "from anywhere"
    local = set(one.hidden("remote"))
    schema = one.input_schema("operator")
    rows = (
        (
            f"`{name}`", _type(row), "" if row.get("default") in (None, "", []) else f"`{json.dumps(row['default'])}`",
            ("Needed. " if name in schema.get("required", []) else "") + row.get("description", "")
            + (" Only on the brain's own machine." if name in local else ""),
        )
        for name, row in schema["properties"].items()
    )  # fmt: skip
    takes = table(("parameter", "type", "default", "what it is"), rows) if schema["properties"] else ""
    gives = ", ".join(f"`{name}`" for name in _fields(one.output_schema()))
    parts = [
        f"## {one.name}", one.summary, " ".join(one.guidance.split()),
        f"{' · '.join(offered)} · {one.effect}, {where}", takes.rstrip(), f"Gives: {gives}.",
    ]  # fmt: skip
    return "\n\n".join(filter(None, parts)) + "\n"


def _type(row: dict[str, Any]) -> str:
    """A JSON Schema of one value in a few words.

    >>> _type({"type": "array", "items": {"enum": ["a", "b"]}})
    'list of `a` · `b`'
    """
    if "enum" in row:
        return " · ".join(f"`{value}`" for value in row["enum"])
    if row.get("type") == "array":
        return f"list of {_type(row['items'])}"
    bounds = [f"from {row['minimum']}" if "minimum" in row else "", f"to {row['maximum']}" if "maximum" in row else ""]
    return " ".join(filter(None, [row.get("format", row.get("type", "any")), *bounds]))


def _fields(schema: dict[str, Any]) -> list[str]:
    """The fields of a result; of one that may be several things, the fields of each."""
    if "properties" in schema:
        return [*schema["properties"]]
    variants = schema.get("anyOf") or schema.get("oneOf") or []
    held = [schema["$defs"][one["$ref"].rpartition("/")[2]] for one in variants]
    return [*dict.fromkeys(name for one in held for name in one["properties"])]


def schema() -> str:
    """Every table of a brain made on the spot: its columns, what they hold, its indexes."""
    with TemporaryDirectory() as folder, open_brain(Path(folder) / "brain.db") as brain:
        return "\n".join(_table(brain.db, name, sql) for name, sql in _tables(brain.db))


def ledger() -> str:
    """Every table of a ledger made on the spot, as `schema` shows those of a brain."""
    with TemporaryDirectory() as folder, open_ledger(Path(folder) / "brain.evals.db") as opened:
        return "\n".join(_table(opened.db, name, sql) for name, sql in _tables(opened.db))


def _tables(db: sqlite3.Connection) -> list[tuple[str, str]]:
    ours = """
        select l.name, m.sql from pragma_table_list l join sqlite_master m on m.name = l.name and m.type = 'table'
        where l.schema = 'main' and l.type in ('table', 'virtual') and l.name not glob '*sqlite_*'
        order by m.rowid
    """
    return db.execute(ours).fetchall()


def _table(db: sqlite3.Connection, name: str, sql: str) -> str:
    if sql.lower().startswith("create virtual table"):
        return f"## {name}\n\n```sql\n{sql}\n```\n"
    comments = dict(_comments(sql))
    references = {column: f"`{to}`" for to, column in db.execute(_REFERENCES, (name,))}
    columns = (
        (f"`{column}`", kind.lower(), needed, references.get(column, ""), comments.get(column, ""))
        for column, kind, needed in db.execute(_COLUMNS, (name,))
    )
    listed = "".join(f"- {index}\n" for index in _indexes(db, name))
    body = table(("column", "type", "null", "refers to", "holds"), columns)
    return f"## {name}\n\n{body}" + (f"\nIndexes:\n\n{listed}" if listed else "")


_REFERENCES = """select "table", "from" from pragma_foreign_key_list(?)"""
_COLUMNS = """select name, type, iif("notnull" or pk, '', 'may be null') from pragma_table_info(?) order by cid"""
_INDEXES = """
    select l.name, l."unique", group_concat(c.name, ', '), m.sql
    from pragma_index_list(?) l, pragma_index_info(l.name) c left join sqlite_master m on m.name = l.name
    group by l.name order by l.origin desc, l.name
"""


def _comments(sql: str) -> Iterator[tuple[str, str]]:
    """Each column with the values it is held to, or the comment behind it.

    SQLite keeps a table's statement as it was written, comments and all.
    """
    for line in sql.splitlines():
        found = _COMMENTED.match(line)
        if found:
            yield found["column"], found["comment"]
    for found in _ONE_OF.finditer(sql):
        yield found["column"], " · ".join(f"`{value}`" for value in re.findall(r"'([^']*)'", found["values"]))


def _indexes(db: sqlite3.Connection, name: str) -> Iterator[str]:
    for index, unique, columns, sql in db.execute(_INDEXES, (name,)):
        if sql:
            _, _, indexed = sql.partition(f" on {name} ")
            yield f"`{index}` {indexed}"
        else:
            yield f"({columns})" + (", unique" if unique else "")


def routes() -> str:
    """Each route that is an operation, with what it needs and what it does."""
    rows = ((f"`POST /v1/{one.name}`", one.effect, one.summary) for one in routed())
    return table(("route", "scope", "what it does"), rows)


def hostile() -> str:
    """Each request that means harm, and what it gets."""
    listed = tomllib.loads(HOSTILE.read_text("utf-8"))["request"]
    rows = (
        (one["name"], f"`{one.get('send', 'POST /v1/ask')}`", one["gets"], f"`{one['says']}`" if "says" in one else "")
        for one in listed
    )
    return table(("what is tried", "request", "status", "with"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""A Markdown table.

    >>> print(table(["a", "b"], [[1, "x|y"]]), end="")
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [head, *rows]
    cells = ["| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines]
    return "\n".join([cells[0], "|" + "---|" * len(head), *cells[1:]]) + "\n"

"""Copying a brain into another, in parts: one that was stopped goes on where it stood; both are compared at the end.

Rows keep their numbers, and so every handle, citation and vector its place. What an engine makes of the rows for itself
(its text index and the frequencies in it) is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from pydantic import Field

from cortex.errors import OtherBrain
from cortex.substrate.address import shown
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.search import count_terms

PART: Final = 2000  # rows of one transaction

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "sources": ("id",), "runs": ("id",), "records": ("id",), "promotions": ("record_id",),
    "links": ("source_id", "from_ref", "relation", "to_source", "to_ref"), "passages": ("id",), "facts": ("id",),
    "facts_archive": ("id",), "facts_revived": ("id",), "facts_queue": ("id",), "tasks": ("id",), "skips": ("id",),
    "cursors": ("source_id", "connector"), "tree": ("source_id", "path"),
    "changes": ("record_id", "op", "subject", "old", "new", "target_ref"), "changes_read": ("record_id",),
    "lineage": ("record_id", "since", "state", "by_record_id"), "compared": ("fact_id",),
    "comparisons": ("key", "fact_id"), "confidence_before": ("fact_id", "handle", "run_id"), "compactions": ("day",),
    "deliveries": ("id",), "encoded": ("passage_id",), "vector_blocks": ("block",), "tokens": ("id",), "calls": ("id",),
}  # fmt: skip
"""Every table that holds what was read or decided, with what tells its rows apart; each after those it refers to."""

Progress = Callable[[str, int, int | None], None]


class Copied(Value):
    """What was copied, and whether both brains hold the same now."""

    rows: dict[str, int] = Field(description="of each table, how many were copied this time")
    differing: tuple[str, ...] = Field(description="tables that differ: the brain was written to while it was copied")


def copy(brain: Brain, into: Brain, *, progress: Progress = lambda *_: None) -> Copied:
    """Bring what *brain* holds *into* another that holds nothing else, and compare both row by row.

    Raises:
        OtherBrain: the other holds a source that this one does not.
    """
    brain.restrict(None)
    with brain.snapshot():
        if not {*_of(into, "sources", ("id",), "id, name")} <= {*_of(brain, "sources", ("id",), "id, name")}:
            raise OtherBrain(shown(into.path))
        copied = {table: _table(brain, into, table, key, progress) for table, key in TABLES.items()}
        with into.transaction():
            count_terms(into)
        differing = (table for table, key in TABLES.items() if not _same(brain, into, table, key, progress))
        return Copied(rows={table: count for table, count in copied.items() if count}, differing=tuple(differing))


def _table(brain: Brain, into: Brain, table: str, key: Sequence[str], progress: Progress) -> int:
    """Copy the rows of *table* beyond the last that is there already; how many."""
    backwards = ", ".join(f"{one} desc" for one in key)
    last = into.db.execute(f"select {', '.join(key)} from {table} order by {backwards} limit 1").fetchone()  # noqa: S608
    (total,) = brain.db.execute(f"select count(*) from {table}").fetchone()  # noqa: S608
    copied = 0
    columns = _shared(brain, into, table)
    with brain.reading(*_beyond(table, key, columns, last)) as rows:
        insert = f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608
        while part := rows.fetchmany(PART):
            with into.transaction() as db:
                db.executemany(insert, part)
            copied += len(part)
            progress(f"copying {table}", len(part), total)
    return copied


def _shared(brain: Brain, into: Brain, table: str) -> list[str]:
    """The columns of *table* that both have: in a database more tables have a source than in a file."""
    ours, theirs = (
        [column[0] for column in one.db.execute(f"select * from {table} limit 0").description]  # noqa: S608
        for one in (brain, into)
    )
    return [column for column in ours if column in theirs]


def _beyond(
    table: str, key: Sequence[str], columns: Sequence[str], last: Sequence[object] | None
) -> tuple[str, Sequence[object]]:
    beyond = f"where ({', '.join(key)}) > ({', '.join('?' * len(key))}) " if last else ""
    return f"select {', '.join(columns)} from {table} {beyond}order by {', '.join(key)}", last or ()  # noqa: S608


def _of(brain: Brain, table: str, key: Sequence[str], columns: str) -> Iterator[tuple[Any, ...]]:
    with brain.reading(f"select {columns} from {table} order by {', '.join(key)}") as rows:  # noqa: S608
        yield from rows


def _same(brain: Brain, into: Brain, table: str, key: Sequence[str], progress: Progress) -> bool:
    columns = ", ".join(_shared(brain, into, table))
    ours, theirs = (_of(one, table, key, columns) for one in (brain, into))
    progress(f"comparing {table}", 1, 1)
    return all(one == other for one, other in zip_longest(ours, theirs))

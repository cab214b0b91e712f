"""Sources: the named namespaces of a brain, what a scope lets a caller read of them; removing and renaming one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from cortex.errors import BadInput, UnknownSource
from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle
from cortex.substrate.model import Scope, Skipped, is_blank
from cortex.substrate.search import count_terms
from cortex.substrate.statements import column, run


def timestamp(moment: datetime) -> str:
    """*moment* as the tables keep it: 2025-03-01T12:00:00Z."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}Z"  # strftime's %Y has no zeros in front


def register_source(brain: Brain, name: str, *, location: str, federated: bool | None = None, now: datetime) -> int:
    """The id of the source called *name*, made when it is new.

    Args:
        federated: whether reads that name no source include it; None leaves it, and is yes for a new one.
    """
    row = brain.db.execute("select id, location, federated from sources where name = ?", (name,)).fetchone()
    if row is None:
        return _add_source(brain, name, location, federated=federated is not False, now=now)
    wanted = (location or row[1], row[2] if federated is None else int(federated))
    if wanted != (row[1], row[2]):
        with brain.transaction() as db:
            db.execute("update sources set location = ?, federated = ? where id = ?", (*wanted, row[0]))
    return int(row[0])


def _add_source(brain: Brain, name: str, location: str, *, federated: bool, now: datetime) -> int:
    with brain.transaction() as db:
        db.execute(
            "insert into sources (name, location, federated, created_at) values (?, ?, ?, ?) on conflict do nothing",
            (name, location, int(federated), timestamp(now)),
        )
        (source_id,) = db.execute("select id from sources where name = ?", (name,)).fetchone()
    return int(source_id)


def as_listed(name: str, known: Iterable[str]) -> str:
    """*name* as *known* has it, in the same case before another; as it is where none of them is called so.

    >>> as_listed("Acme/W", ["acme/v", "acme/w"]), as_listed("w", ["W", "w"]), as_listed("new", [])
    ('acme/w', 'w', 'new')
    """
    by_name: dict[str, str] = {}
    for one in known:
        by_name.setdefault(one.casefold(), one)
        by_name[one] = one
    return by_name.get(name, by_name.get(name.casefold(), name))


def as_held(brain: Brain, name: str) -> str:
    """The source called *name*, whatever the case, as the brain spells it; *name* where there is none."""
    return as_listed(name, source_names(brain).values())


def source_names(brain: Brain) -> dict[int, str]:
    """The names of all sources by id, the oldest first."""
    return dict(brain.db.execute("select id, name from sources order by id"))


def find_source(brain: Brain, name: str) -> int | None:
    """The id of the source that is called exactly *name*; None where there is none."""
    (found,) = brain.db.execute("select id from sources where name = ?", (name,)).fetchone() or (None,)
    return found


def kept_cursor(brain: Brain, source_id: int, connector: str) -> tuple[str | None, list[Skipped]]:
    """How far a connector has read a source, None where it never did, and what it could not use."""
    kept = "select value, skipped from cursors where source_id = ? and connector = ?"
    value, skipped = brain.db.execute(kept, (source_id, connector)).fetchone() or (None, "[]")
    return value, [Skipped.model_validate(one) for one in json.loads(skipped)]


_KEEP: Final = (
    "insert into cursors values (?, ?, ?, ?)"
    " on conflict (source_id, connector) do update set value = excluded.value, skipped = excluded.skipped"
)


def keep_cursor(brain: Brain, source_id: int, connector: str, value: str, skipped: Iterable[Skipped]) -> None:
    """Keep how far a connector has read a source, and what it could not use."""
    unusable = json.dumps([one.model_dump() for one in skipped], ensure_ascii=False)
    with brain.transaction() as db:
        db.execute(_KEEP, (source_id, connector, value, unusable))


def readable(brain: Brain, scope: Scope) -> dict[int, str]:
    """Names of the sources *scope* may read, by id: from here on a reader reads those and no others.

    Raises:
        UnknownSource: the scope names one this brain does not hold.
    """
    found = _readable(brain, scope)
    brain.restrict(found)
    return found


def readable_or_all(brain: Brain, scope: Scope | None) -> dict[int, str] | None:
    """As `readable`; None where *scope* names no sources: all of them, federated or not."""
    if scope is not None and scope.sources is not None:
        return readable(brain, scope)
    brain.restrict(None)
    return None


def _readable(brain: Brain, scope: Scope) -> dict[int, str]:
    rows = brain.db.execute("select id, name, federated from sources order by name").fetchall()
    if scope.sources is None:
        return {id_: name for id_, name, federated in rows if federated}
    known = {name: id_ for id_, name, _ in rows}
    asked = [as_listed(name, known) for name in scope.sources]
    for name in asked:
        if name not in known:
            raise UnknownSource(name, known)
    return {known[name]: name for name in asked}


def begun(brain: Brain, sources: Mapping[int, str], *, as_of: str) -> dict[int, str]:
    """Those of *sources* of which anything was known at *as_of*; all of them where it is ''."""
    if not as_of:
        return dict(sources)
    return {id_: sources[id_] for id_ in column(brain, "sources.sources_begun", sources=sources, as_of=as_of)}


_HOLDING: Final = (
    ("facts", "handle"), ("facts_archive", "handle"), ("facts_archive", "merged_into"), ("facts_revived", "handle"),
    ("facts_revived", "merged_into"), ("confidence_before", "handle"),
)  # fmt: skip
"""Columns that hold handles."""


def source_id(brain: Brain, name: str) -> int:
    """The id of the source called *name*, whatever the case.

    Raises:
        UnknownSource: the brain does not hold it.
    """
    (found,) = readable(brain, Scope(sources=(name,)))
    return found


def remove_source(brain: Brain, id_: int) -> None:
    """Delete a source from the brain; its files stay."""
    with brain.transaction() as db:
        db.execute("delete from sources where id = ?", (id_,))
        db.execute("delete from tasks where source_id = ?", (id_,))
        count_terms(brain)


def rename_source(brain: Brain, id_: int, name: str) -> None:
    """Rename a source; its facts get the handles that indexing under *name* gives.

    Raises:
        BadInput: another source has the name, or it is blank.
    """
    if is_blank(name):
        raise BadInput(name, "no name", hint="give it one that shows")
    if brain.db.execute("select 1 from sources where lower(name) = lower(?) and id <> ?", (name, id_)).fetchone():
        raise BadInput(name, "another source is called so", hint="name another, or first: cortex sources remove")
    brain.define(handle_of=handle)
    brain.db.execute("create temp table if not exists renaming (was text primary key, becomes text)")
    brain.db.execute("delete from temp.renaming")
    with brain.transaction() as db:
        (was,) = db.execute("select name from sources where id = ?", (id_,)).fetchone()
        run(brain, "sources.find_renamed", source_id=id_, name=name)
        for table, column in _HOLDING:
            renamed = f"update {table} set {column} = n.becomes from temp.renaming n where n.was = {column}"  # noqa: S608  names of tables
            db.execute(renamed)
        db.execute("update sources set name = ? where id = ?", (name, id_))
        run(brain, "sources.rename_in_tokens", was=was, name=name)


def set_aside(brain: Brain, id_: int, *, aside: bool) -> bool:
    """Exclude a source from reads that name none, or include it again; whether that changed."""
    changed = "update sources set federated = :federated where id = :id and federated <> :federated"
    return run(brain, changed, id=id_, federated=int(not aside)).rowcount > 0

"""Removing, renaming and archiving a source."""

from __future__ import annotations

from typing import Final

from cortex.errors import BadInput, UnknownSource
from cortex.substrate.blank import is_blank
from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle
from cortex.substrate.search import count_terms
from cortex.substrate.sources import as_held
from cortex.substrate.statements import sql

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
    known = dict(brain.db.execute("select name, id from sources order by name"))
    if (called := as_held(brain, name)) not in known:
        raise UnknownSource(name, known)
    return int(known[called])


def remove_source(brain: Brain, id_: int) -> None:
    """Delete a source from the brain; its files stay."""
    with brain.transaction() as db:
        db.execute("delete from sources where id = ?", (id_,))
        count_terms(db)


def rename_source(brain: Brain, id_: int, name: str) -> None:
    """Rename a source; its facts get the handles that indexing under *name* gives.

    Raises:
        BadInput: another source has the name, or it is blank.
    """
    if is_blank(name):
        raise BadInput(name, "no name", hint="give it one that shows")
    if brain.db.execute("select 1 from sources where lower(name) = lower(?) and id <> ?", (name, id_)).fetchone():
        raise BadInput(name, "another source is called so", hint="name another, or first: cortex sources remove")
    brain.db.create_function("handle_of", 3, handle, deterministic=True)
    for statement in sql("rename_handles_temp").split(";\n"):
        brain.db.execute(statement)
    with brain.transaction() as db:
        (was,) = db.execute("select name from sources where id = ?", (id_,)).fetchone()
        db.execute(sql("find_renamed"), {"source_id": id_, "name": name})
        for table, column in _HOLDING:
            renamed = f"update {table} set {column} = n.becomes from temp.renaming n where n.was = {column}"  # noqa: S608  names of tables
            db.execute(renamed)
        db.execute("update sources set name = ? where id = ?", (name, id_))
        db.execute(sql("rename_in_tokens"), {"was": was, "name": name})


def set_aside(brain: Brain, id_: int, *, aside: bool) -> bool:
    """Exclude a source from reads that name none, or include it again; whether that changed."""
    changed = "update sources set federated = :federated where id = :id and federated <> :federated"
    return brain.db.execute(changed, {"id": id_, "federated": not aside}).rowcount > 0

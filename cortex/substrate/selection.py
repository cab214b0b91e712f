"""Facts and records selected by kind, name or file, and their rows; an agent's hook reads no more, and in a hurry."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from cortex.substrate.brain import Brain
from cortex.substrate.path_names import signs_of, speaks_of
from cortex.substrate.statements import column, rows, run

if TYPE_CHECKING:
    from cortex.substrate.model import Kind


def locations(brain: Brain) -> list[tuple[int, str, str]]:
    """Id, name and location of every source, the oldest first."""
    return brain.db.execute("select id, name, location from sources order by id").fetchall()


def facts_standing(brain: Brain, ids: Sequence[int], *, sources: Collection[int]) -> list[dict[str, Any]]:
    """What tells how the facts called *ids* stand, by column, in their order."""
    return rows(brain, "facts.facts_standing", chosen=ids, sources=sources)


def among(brain: Brain, ids: Sequence[int], kinds: Collection[Kind]) -> list[int]:
    """Those of the facts called *ids* that are of these kinds, in their order."""
    return column(brain, "facts.among", ids=ids, kinds=kinds)


def facts_of_kinds(
    brain: Brain, kinds: Collection[Kind], *, sources: Collection[int], records: Collection[int] | None, limit: int
) -> list[int]:
    """Ids of the facts of these kinds, the latest first.

    Args:
        records: ids of those they may be of; None is any.
    """
    return column(brain, "facts.facts_of_kinds", sources=sources, kinds=kinds, limit=limit, records=records)


def facts_naming(
    brain: Brain, files: Collection[str], *, kinds: Collection[Kind], sources: Collection[int], limit: int
) -> list[int]:
    """Ids of the facts of these kinds whose statements name one of the files or folders, the latest first."""
    found = run(brain, "facts.facts_naming", sources=sources, kinds=kinds, limit=limit, names=signs_of(files))
    return [id_ for id_, statement in found if speaks_of(statement, files)]


def known_records(brain: Brain, ids: Collection[int], *, as_of: str, facts: bool = False) -> set[int]:
    """Those of the records called *ids* that were known at *as_of*, or of which *facts* were; all where it is ''."""
    return {*column(brain, "text_index.known_records", ids=ids, as_of=as_of, facts=facts)} if as_of else {*ids}


def unverified_facts(brain: Brain, ids: Collection[int]) -> set[int]:
    """Those of the facts called *ids* that nobody of the project stands behind."""
    return {*column(brain, "vouching.unverified_facts", ids=ids)}


def records_about(brain: Brain, paths: Collection[str], *, sources: Collection[int]) -> list[int]:
    """Ids of the records that are kept in these files or folders, change them, or were merged with what does."""
    return column(brain, "paths.records_about_paths", paths=paths, sources=sources)

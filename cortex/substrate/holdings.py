"""What a brain holds of its sources: records by origin, ref and kind, as connectors and surfaces ask for them."""

from __future__ import annotations

from typing import Any, Literal

from cortex.substrate.brain import Brain
from cortex.substrate.sources import find_source
from cortex.substrate.statements import column, run


def ids_by_ref(brain: Brain, *, source_id: int) -> dict[str, int]:
    """The ids of the records that a source has, by ref."""
    return dict(brain.db.execute("select ref, id from records where source_id = ? and gone_at is null", (source_id,)))


def all_refs(brain: Brain) -> set[tuple[str, str]]:
    """Source and ref of every record."""
    held = "select s.name, r.ref from records r join sources s on s.id = r.source_id where r.gone_at is null"
    return {*brain.db.execute(held)}


def count_of_origin(brain: Brain, origin: str, *, source_id: int) -> dict[str, int]:
    """How many records of an origin a source has, by type."""
    listed = "select type, count(*) from records where source_id = ? and origin = ? and gone_at is null group by type"
    return dict(brain.db.execute(listed, (source_id, origin)))


def changed_at(brain: Brain, ref: str, *, source_id: int) -> tuple[str | None, str | None]:
    """When a record changed last and when it went, ISO 8601; None where that is not known, or it is not held."""
    held = "select updated_at, gone_at from records where source_id = ? and ref = ?"
    return brain.db.execute(held, (source_id, ref)).fetchone() or (None, None)


def holds(brain: Brain, source: str, *origins: str, gone: bool = False) -> bool:
    """Whether a source has a record of one of these origins, or of any; with *gone* those that went count, too."""
    return run(brain, "records.holds", source=source, origins=origins, gone=gone).fetchone() is not None


def sources_holding(brain: Brain, ref: str) -> list[str]:
    """The names of the sources that have, or had, a record of this ref."""
    held = "select s.name from sources s cross join records r on r.source_id = s.id and r.ref = :ref"
    return column(brain, held, ref=ref)


def origin_of(brain: Brain, source: str, ref: str) -> str | None:
    """The origin of a record; None where the source does not have it."""
    held = "select origin from records where source_id = ? and ref = ? and gone_at is null"
    (origin,) = brain.db.execute(held, (find_source(brain, source), ref)).fetchone() or (None,)
    return origin


def last_titles(brain: Brain, most: int) -> list[str]:
    """The titles of the records that were stored last."""
    with brain.unrestricted():
        return column(brain, "select title from records order by id desc limit :most", most=most)


def titles_of_threads(brain: Brain, source: str) -> list[tuple[Literal["issue", "pull"], int, str]]:
    """Type, number and title of the issues and pull requests of a source, those that only commits tell of first."""
    return run(brain, "records.titles_of_threads", source=source).fetchall()


def held_of_github(brain: Brain, source: str) -> list[tuple[str, str]]:
    """Ref and address of all that a source has of GitHub's lists."""
    held = (
        "select ref, url from records where source_id = ? and gone_at is null"
        " and origin = 'github' and type in ('issue', 'pull', 'comment')"
    )
    return brain.db.execute(held, (find_source(brain, source),)).fetchall()


def outcomes_of(brain: Brain, *, source_id: int) -> list[tuple[Any, ...]]:
    """The outcomes of a source, as `records.outcomes_of_source` has them."""
    return run(brain, "records.outcomes_of_source", source_id=source_id).fetchall()


def noted_facts(brain: Brain, *, source_id: int) -> dict[str, int | None]:
    """The id of the fact of each directive and event of a source, by the ref of its record; None where it has none."""
    noted = (
        "select r.ref, f.id from records r left join facts f on f.record_id = r.id"
        " where r.source_id = ? and r.type in ('directive', 'event') and r.gone_at is null"
    )
    return dict(brain.db.execute(noted, (source_id,)))


def unwritten(brain: Brain, source: str) -> list[tuple[Any, ...]] | None:
    """The notes and outcomes of a source as `records.unwritten` has them; None where they were written to files."""
    migrated = "select 1 from cursors where source_id = ? and connector = 'remembered'"
    if brain.db.execute(migrated, (find_source(brain, source),)).fetchone():
        return None
    return run(brain, "records.unwritten", source=source).fetchall()


def mark_written(brain: Brain, source: str) -> None:
    """Note that the notes and outcomes of a source were written to files."""
    read = "insert or ignore into cursors select id, 'remembered', 'read', '[]' from sources where name = ?"
    with brain.transaction() as db:
        db.execute(read, (source,))


def facts_of(brain: Brain, source: str, ref: str, handle: str = "") -> list[int]:
    """Ids of the facts of a record, or of the one of *handle*."""
    return column(brain, "facts.facts_of", source=source, ref=ref, handle=handle)


def runs_that_removed(brain: Brain, source: str, ref: str, handle: str = "", *, job: str) -> list[int]:
    """The runs in which *job* archived facts of a record, or the one of *handle*."""
    return column(brain, "archive.runs_that_removed", source=source, ref=ref, handle=handle, job=job)


def beginning(brain: Brain, of: Literal["sources", "handles"], begun: str, *, most: int) -> list[str]:
    """Names of sources, or handles of facts, that begin so, in their order."""
    names = "select name from sources where substr(name, 1, length(:begun)) = :begun order by 1 limit :most"
    handles = "select handle from facts where handle >= :begun and handle < :begun || 'g' order by 1 limit :most"
    with brain.unrestricted():
        return column(brain, names if of == "sources" else handles, begun=begun, most=most)

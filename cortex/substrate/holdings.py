"""What a brain holds of its sources: records by origin, ref and kind, as connectors and surfaces ask for them."""

from __future__ import annotations

import json
from typing import Any, Literal

from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql


def ids_by_ref(brain: Brain, *, source_id: int) -> dict[str, int]:
    """The ids of the records that a source has, by ref."""
    return dict(brain.db.execute("select ref, id from records where source_id = ? and gone_at is null", (source_id,)))


def all_refs(brain: Brain) -> set[tuple[str, str]]:
    """Source and ref of every record."""
    asked = "select s.name, r.ref from records r join sources s on s.id = r.source_id where r.gone_at is null"
    return {*brain.db.execute(asked)}


def count_of_origin(brain: Brain, origin: str, *, source_id: int) -> dict[str, int]:
    """How many records of an origin a source has, by type."""
    counted = "select type, count(*) from records where source_id = ? and origin = ? and gone_at is null group by type"
    return dict(brain.db.execute(counted, (source_id, origin)))


def changed_at(brain: Brain, ref: str, *, source_id: int) -> tuple[str | None, str | None]:
    """When a record changed last and when it went, ISO 8601; None where that is not known, or it is not held."""
    held = "select updated_at, gone_at from records where source_id = ? and ref = ?"
    return brain.db.execute(held, (source_id, ref)).fetchone() or (None, None)


def holds(brain: Brain, source: str, *origins: str, gone: bool = False) -> bool:
    """Whether a source has a record of one of these origins, or of any; with *gone* those that went count, too."""
    held = """
        select 1 from sources s cross join records r on r.source_id = s.id
        where s.name = ?1 and (?2 = '[]' or r.origin in (select value from json_each(?2))) and (?3 or r.gone_at is null)
        limit 1
    """
    return brain.db.execute(held, (source, json.dumps(origins), gone)).fetchone() is not None


def sources_holding(brain: Brain, ref: str) -> list[str]:
    """The names of the sources that have, or had, a record of this ref."""
    held = "select s.name from sources s cross join records r on r.source_id = s.id and r.ref = ?"
    return [name for (name,) in brain.db.execute(held, (ref,))]


def origin_of(brain: Brain, source: str, ref: str) -> str | None:
    """The origin of a record; None where the source does not have it."""
    asked = """
        select r.origin from records r join sources s on s.id = r.source_id
        where s.name = ? and r.ref = ? and r.gone_at is null
    """
    (origin,) = brain.db.execute(asked, (source, ref)).fetchone() or (None,)
    return origin


def last_titles(brain: Brain, most: int) -> list[str]:
    """The titles of the records that were stored last."""
    return [title for (title,) in brain.db.execute("select title from records order by id desc limit ?", (most,))]


def titles_of_threads(brain: Brain, source: str) -> list[tuple[Literal["issue", "pull"], int, str]]:
    """Type, number and title of the issues and pull requests of a source, those that only commits tell of first."""
    return brain.db.execute(sql("records.titles_of_threads"), {"source": source}).fetchall()


def held_of_github(brain: Brain, source: str) -> list[tuple[str, str]]:
    """Ref and address of all that a source has of GitHub's lists."""
    return brain.db.execute(sql("records.held_of_github"), {"source": source}).fetchall()


def outcomes_of(brain: Brain, *, source_id: int) -> list[tuple[Any, ...]]:
    """The outcomes of a source, as `records.outcomes_of_source` has them."""
    return brain.db.execute(sql("records.outcomes_of_source"), {"source_id": source_id}).fetchall()


def noted_facts(brain: Brain, *, source_id: int) -> dict[str, int | None]:
    """The id of the fact of each directive and event of a source, by the ref of its record; None where it has none."""
    held = """
        select r.ref, f.id from records r left join facts f on f.record_id = r.id
        where r.source_id = ? and r.type in ('directive', 'event') and r.gone_at is null
    """
    return dict(brain.db.execute(held, (source_id,)))


def unwritten(brain: Brain, source: str) -> list[tuple[Any, ...]] | None:
    """The notes and outcomes of a source as `records.unwritten` has them; None where they were written to files."""
    if brain.db.execute(sql("records.is_migrated"), {"source": source}).fetchone():
        return None
    return brain.db.execute(sql("records.unwritten"), {"source": source}).fetchall()


def mark_written(brain: Brain, source: str) -> None:
    """Note that the notes and outcomes of a source were written to files."""
    with brain.transaction() as db:
        db.execute(sql("records.mark_migrated"), {"source": source})


def facts_of(brain: Brain, source: str, ref: str, handle: str = "") -> list[int]:
    """Ids of the facts of a record, or of the one of *handle*."""
    held = """
        select f.id from sources s cross join records r on r.source_id = s.id and r.ref = :ref
        cross join facts f on f.record_id = r.id
        where s.name = :source and :handle in ('', f.handle)
    """
    return [id_ for (id_,) in brain.db.execute(held, {"source": source, "ref": ref, "handle": handle})]


def runs_that_removed(brain: Brain, source: str, ref: str, handle: str = "", *, job: str) -> list[int]:
    """The runs in which *job* archived facts of a record, or the one of *handle*."""
    archived = """
        select distinct a.run_id from facts_archive a join sources s on s.id = a.source_id
        where s.name = ? and a.job = ? and a.record_ref = ? and ? in ('', a.handle)
    """
    return [run for (run,) in brain.db.execute(archived, (source, job, ref, handle))]


def beginning(brain: Brain, of: Literal["sources", "handles"], begun: str, *, most: int) -> list[str]:
    """Names of sources, or handles of facts, that begin so, in their order."""
    asked = "select name from sources where substr(name, 1, length(:begun)) = :begun order by 1 limit :most"
    if of == "handles":
        asked = "select handle from facts where handle >= :begun and handle < :begun || 'g' order by 1 limit :most"
    return [name for (name,) in brain.db.execute(asked, {"begun": begun, "most": most})]

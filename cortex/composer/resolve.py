"""Resolve: what superseded, reverted or amended a row comes before it, as stored when it was indexed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cortex.composer.values import Candidate, Reason, Scored
from cortex.substrate.changes import Lineage
from cortex.substrate.reading import STANDING, Reader, Row

LOOKED_AT: Final = 10
"""Rows whose lineage is followed: those that may be cited."""

AS_LIKE: Final = 0.85
"""Likeness to the question, beside the amended row's, from which an amendment comes before it."""

TRUSTED: Final = 0.5
"""Certainty from which what took a row's place comes before it."""


def resolve(
    reader: Reader, ranked: Sequence[Scored], score: Callable[[Sequence[Candidate]], Sequence[Scored]]
) -> list[Scored]:
    """*ranked* with what took the place of a row before it; an amendment that says less of the question, after it.

    Args:
        score: ranks candidates that no retriever found.
    """
    first = ranked[:LOOKED_AT]
    lineage = reader.lineage([one.row.record_id for one in first])
    if not lineage:
        return _later_first(ranked)
    undone = _undone(reader, first, lineage)
    successors = _successors(reader, ranked, lineage, score)
    ordered: dict[tuple[int, int], Scored] = {}
    for one in ranked:
        own = replace(one, lineage=tuple(lineage.get(one.row.record_id, ())))
        for by in (*own.lineage, *undone.get(one.row.record_id, ())):
            other = successors.get(by.by_record_id)
            if other is None or by.certainty < TRUSTED:
                continue
            if by.state == "amended" and other.features["titled"] < AS_LIKE * one.features["titled"]:
                _add(ordered, own)
            _add(ordered, replace(other, lineage=other.lineage or (by,)))
        _add(ordered, own)
    return _later_first([*ordered.values()])


def _later_first(ranked: Sequence[Scored]) -> list[Scored]:
    """*ranked* led by the last verified comment of the first row's thread that says as much of the question.

    Of equal authority the later holds.
    """
    if not ranked or ranked[0].row.type != "comment":
        return [*ranked]
    first = ranked[0]
    later = [
        one
        for one in ranked[:LOOKED_AT]
        if (one.row.source_id, one.row.about, one.row.type) == (first.row.source_id, first.row.about, "comment")
        and one.row.day > first.row.day
        and not (one.row.unverified or one.features["asks"])
        and one.window.best_holds >= first.window.best_holds
    ]
    if not later:
        return [*ranked]
    last = max(later, key=lambda one: one.row.day)
    return [last, *(one for one in ranked if one is not last)]


def _undone(
    reader: Reader, ranked: Sequence[Scored], lineage: Mapping[int, Sequence[Lineage]]
) -> dict[int, list[Lineage]]:
    """By record that took another back: what brought that one back since."""
    changes = reader.changes_of([one.row.record_id for one in ranked])
    return {
        record: [by for change in made for by in lineage.get(change.target_id or 0, ()) if by.state == "reinstated"]
        for record, made in changes.items()
    }


def _successors(
    reader: Reader,
    ranked: Sequence[Scored],
    lineage: Mapping[int, Sequence[Lineage]],
    score: Callable[[Sequence[Candidate]], Sequence[Scored]],
) -> dict[int, Scored]:
    """By the id of each record that took another's place, the row of it, or of its file, that ranks best."""
    wanted = {by.by_record_id for every in lineage.values() for by in every}
    rows = reader.first_rows([*wanted])
    missing = [row for id_, row in rows.items() if not _of(ranked, row)]
    found = score([Candidate(row, Reason.LINEAGE) for row in missing])
    return {id_: best for id_, row in rows.items() if (best := _of(ranked, row) or _of(found, row))}


def _of(ranked: Sequence[Scored], row: Row) -> Scored | None:
    """The first of *ranked* that is of the record or the file of *row*."""
    path = row.ref.partition(":")[2].partition("#")[0] if row.type in STANDING else ""
    for one in ranked:
        same = one.row.source_id == row.source_id and path and one.record["path"] == path
        if one.row.record_id == row.record_id or same:
            return one
    return None


def _add(ordered: dict[tuple[int, int], Scored], one: Scored) -> None:
    ordered.setdefault((one.row.record_id, one.row.start), one)

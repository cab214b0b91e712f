"""Resolve: what superseded, reverted or amended a row comes before it, as stored when it was indexed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cortex.answering.values import Candidate, Reason, Scored
from cortex.substrate.reading import Reader

LOOKED_AT: Final = 10
"""Rows whose lineage is followed: those that may be cited."""

TRUSTED: Final = 0.5
"""Certainty from which what took a row's place comes before it."""


def resolve(
    reader: Reader, ranked: Sequence[Scored], score: Callable[[Sequence[Candidate]], Sequence[Scored]]
) -> list[Scored]:
    """*ranked* with what took the place of a row before it, unverified rows after the verified.

    Args:
        score: ranks candidates that no retriever found.
    """
    first = ranked[:LOOKED_AT]
    lineage = reader.lineage([one.row.record_id for one in first])
    if not lineage:
        return _verified_first(ranked)
    by_record = {one.row.record_id: one for one in reversed(ranked)}
    missing = {by.by_record_id for every in lineage.values() for by in every if by.by_record_id not in by_record}
    rows = reader.first_rows([*missing])
    by_record |= {one.row.record_id: one for one in score([Candidate(row, Reason.LINEAGE) for row in rows.values()])}
    ordered: dict[tuple[int, int], Scored] = {}
    for one in ranked:
        became = lineage.get(one.row.record_id, ())
        for by in became:
            before = by_record.get(by.by_record_id)
            if before and by.certainty >= TRUSTED and by.state != "reinstated" and not before.row.unverified:
                placed = replace(before, score=max(before.score, one.score), lineage=before.lineage or (by,))
                ordered.setdefault((before.row.record_id, before.row.start), placed)
        ordered.setdefault((one.row.record_id, one.row.start), replace(one, lineage=tuple(became)))
    return _verified_first([*ordered.values()])


def _verified_first(ranked: Sequence[Scored]) -> list[Scored]:
    return sorted(ranked, key=lambda one: bool(one.row.unverified))

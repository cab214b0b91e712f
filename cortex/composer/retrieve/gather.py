"""Candidate generation: run each retriever and fuse the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final, NamedTuple

from cortex.composer.query.matching import Matcher
from cortex.composer.retrieve.links import THREADS, find_named, with_linked
from cortex.composer.retrieve.lookup import look_up
from cortex.composer.retrieve.passages import find_facts, find_near, find_passages
from cortex.composer.values import Candidate, Listed, Query, Reason
from cortex.substrate.reading import Reader

CANDIDATES: Final = 30
PINNED_FACTS: Final = 6
UNVERIFIED_KEPT: Final = 3  # candidates that nobody with rights wrote or took up, however many match
Find = Callable[[Reader, Query, Matcher], Sequence[Candidate]]

RETRIEVERS: Final[dict[str, tuple[Find, float]]] = {
    Reason.TEXT: (find_passages, 1.0),
    Reason.FACT: (find_facts, 0.1),
    Reason.VECTOR: (find_near, 0.3),
}
"""What finds candidates, and the weight of its share in the fused score. Register a retriever here."""


class Gathered(NamedTuple):
    """Candidates, best first, with each retriever's own ranking (record ids) and time in milliseconds.

    Attributes:
        listed: what stored fields answer, where the question is a lookup.
    """

    candidates: list[Candidate]
    ranks: Mapping[str, Sequence[int]]
    took_ms: Mapping[str, float]
    listed: Listed | None = None


def gather(reader: Reader, query: Query, matcher: Matcher, *, limit: int = CANDIDATES) -> Gathered:
    """Up to *limit* candidates for *query*; the first facts and named records are always kept."""
    started = perf_counter()
    found = look_up(reader, query.text, today=query.today, query=query)
    rows = reader.first_rows([record for record, _ in found.items]) if found else {}
    told = (
        [Candidate(rows[id_], Reason.LISTED, relation="listed") for id_ in dict(found.items) if id_ in rows]
        if found
        else []
    )
    took = {"lookup": round(1000 * (perf_counter() - started), 3)}
    ranks: dict[str, list[Candidate]] = {}
    if found and found.complete:
        return Gathered(told, {Reason.LISTED: [one.row.record_id for one in told]}, took, found)
    for name, (find, _) in RETRIEVERS.items():
        started = perf_counter()
        ranks[name] = [*find(reader, query, matcher)]
        took[name] = round(1000 * (perf_counter() - started), 3)
    started = perf_counter()
    named = [*told, *find_named(reader, query)]
    fused = fuse(ranks, {name: weight for name, (_, weight) in RETRIEVERS.items()})
    joined = with_linked(reader, put_first(named, fused), threads=max(THREADS, len(named)))
    took["links"] = round(1000 * (perf_counter() - started), 3)
    kept = _kept(joined, ranks.get(Reason.FACT, []), limit)
    return Gathered(kept, {name: [one.row.record_id for one in found] for name, found in ranks.items()}, took)


def fuse(ranks: Mapping[str, Sequence[Candidate]], weights: Mapping[str, float]) -> list[Candidate]:
    """One candidate per passage, best first: weighted sum of its relative score in each ranking.

    A fact counts for the first passage of its record.

    Source: relative score fusion, as in Lee 1997, doi:10.1145/258525.258587.
    """
    joined: dict[tuple[int, int], Candidate] = {}
    first: dict[int, tuple[int, int]] = {}
    for name, found in ranks.items():
        for one in found:
            record, key = one.row.record_id, (one.row.record_id, one.row.start)
            key = first.get(record, key) if one.fact else key
            first.setdefault(record, key)
            known = joined.get(key)
            worth = weights[name] * one.scores[name]
            if known is None:
                joined[key] = Candidate(one.row, one.reason, one.fact, one.scores, one.relation, worth)
            else:
                scores, fact = {**known.scores, **one.scores}, known.fact or one.fact
                joined[key] = replace(known, fact=fact, scores=scores, fused=known.fused + worth)
    return sorted(joined.values(), key=lambda one: -one.fused)


def put_first(named: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
    """The records the question names first, each with its best passage, then *found*."""
    of_named = {one.row.record_id: one for one in named}
    top = found[0].fused if found else 1.0
    first = {}
    for one in [*found, *named]:
        if (about := of_named.get(one.row.record_id)) and one.row.record_id not in first:
            scores, fact = {**one.scores, **about.scores}, about.fact or one.fact
            first[one.row.record_id] = replace(
                one, fact=fact, scores=scores, relation=about.relation, reason=about.reason, fused=2 * top
            )
    taken = {(record, one.row.start) for record, one in first.items()}
    return [*first.values(), *(one for one in found if (one.row.record_id, one.row.start) not in taken)]


def _kept(joined: Sequence[Candidate], facts: Sequence[Candidate], limit: int) -> list[Candidate]:
    pinned = {one.row.record_id for one in facts[:PINNED_FACTS] if not one.row.unverified}
    trusted = [*_few_unverified(joined)]
    late = [one for one in trusted[limit:] if one.row.record_id in pinned]
    return [*trusted[: limit - len(late)], *late] if late else trusted[:limit]


def _few_unverified(joined: Iterable[Candidate]) -> Iterable[Candidate]:
    seen = 0
    for one in joined:
        seen += bool(one.row.unverified)
        if not one.row.unverified or seen <= UNVERIFIED_KEPT:
            yield one

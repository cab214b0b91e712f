"""Several rankings become one, record by record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.retrieve.graph import Related
from cortex.composer.retrieve.passages import Found
from cortex.composer.rows import Row

FACTS: Final = 0.1
"""What the best fact weighs beside the best passage."""

NAMED: Final = 3.0
"""How often the best score a record has that the question names by its number."""

TIE: Final = 0.01
"""What a related record's own score adds, so that of two the one with the better words stands first."""


class Fused(NamedTuple):
    """A record with its best passage and its best fact, where it has them."""

    score: float
    covered: float
    passage: Row | None
    fact: Row | None
    relation: str = ""  # how it came in, where that was by a link: 'fixed by'
    total: int = 0  # how many records a list has that this one is of, where that is asked
    total_by: str = ""  # by what they are known, where that leaves some out: 'reviews on GitHub'
    total_of: str = ""  # what tells of its record whose they are, where that is asked: 'merged_by'
    none: bool = False  # of what is counted there is none, and this is the newest of the others

    @property
    def row(self) -> Row:
        """The row that speaks for the record: its passage, for it shows more than the fact."""
        row = self.passage or self.fact
        if row is None:
            raise ValueError("a fused record has a passage or a fact")
        return row


def fuse(passages: Sequence[Found], facts: Sequence[Found]) -> list[Fused]:
    """Merge both rankings by relative score: each is measured against its own best, for BM25 of two indexes differ.

    Args:
        passages: best first.
        facts: best first.

    Returns:
        Each record once, best first; ties keep the order in which they were found.

    Source: relative score fusion, as in Lee 1997, doi:10.1145/258525.258587; why not reciprocal rank fusion stands
    in docs/decisions/0002-relative-score-fusion.md.
    """
    passage_of, fact_of = _best_by_record(passages), _best_by_record(facts)
    top = passages[0].score if passages else 1.0
    scale = FACTS * top / facts[0].score if facts else 0.0
    fused = []
    for record in passage_of | fact_of:
        passage, fact = passage_of.get(record), fact_of.get(record)
        score = (passage.score if passage else 0.0) + (scale * fact.score if fact else 0.0)
        covered = max(passage.covered if passage else 0.0, fact.covered if fact else 0.0)
        fused.append(Fused(score, covered, passage and passage.row, fact and fact.row))
    return sorted(fused, key=lambda one: -one.score)


def put_first(named: Sequence[Fused], fused: Sequence[Fused]) -> list[Fused]:
    """*fused* after the records the question names, each with the passage that was found of it where one was."""
    found = {one.row.record_id: one for one in fused}
    top = fused[0].score if fused else 1.0
    first = []
    for place, one in enumerate(named):
        known = found.pop(one.row.record_id, one)
        score = NAMED * top / (1 + place / 10)
        first.append(one._replace(score=score, covered=known.covered, passage=known.passage or one.passage))
    return [*first, *found.values()]


def join_related(fused: Sequence[Fused], related: Sequence[Related], firsts: Mapping[int, Row]) -> list[Fused]:
    """Let what is related to the first threads rise to its share of their score.

    Args:
        fused: best first.
        related: as `find_related` gives it for the first threads of *fused*.
        firsts: a row for each related record that *fused* may lack, by its id.
    """
    of_threads = {(link.source_id, link.thread) for link in related}
    best: dict[tuple[int, str], float] = {}
    joined: dict[int, Fused] = {}
    for one in fused:
        row = one.row
        joined[row.record_id] = one
        if len(best) < len(of_threads) and (thread := (row.source_id, row.about)) in of_threads:
            best.setdefault(thread, one.score)
    for link in related:
        own = joined.get(link.record_id) or Fused(0.0, 0.0, firsts.get(link.record_id), None, link.relation)
        worth = best[link.source_id, link.thread] * link.worth + TIE * own.score
        if worth > own.score and (own.passage or own.fact):
            relation = link.relation if link.relation != "itself" else ""
            relation = own.relation if own.relation in ("named", "listed", "owns") else relation
            joined[link.record_id] = own._replace(score=worth, relation=relation)
    return sorted(joined.values(), key=lambda one: -one.score)


def _best_by_record(ranking: Sequence[Found]) -> dict[int, Found]:
    best: dict[int, Found] = {}
    for found in ranking:
        best.setdefault(found.row.record_id, found)
    return best

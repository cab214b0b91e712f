"""How much facts and titles bear on a text, and how few unverified entries a list holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from cortex.answering.query.matching import Matcher
from cortex.answering.query.understand import understand
from cortex.substrate.brain import Brain
from cortex.substrate.reading import Reader
from cortex.substrate.search import Match
from cortex.substrate.vouched import unverified_facts

SHARE: Final = 3
"""Unverified entries of a brief or a list, however many match."""

FACTS: Final = 300
"""Facts a search weighs: enough of each kind."""

MOST: Final = 5_000
"""Facts a search reads to find `FACTS` among unverified ones."""

COVERAGE: Final = 2.0
"""Weight of covering all of the text, beside BM25, as in `retrieve.passages`."""


class Told(Protocol):
    """An entry that states whether it is unverified."""

    @property
    def unverified(self) -> bool:
        """Whether nobody of the project wrote it or took it up."""
        ...


T = TypeVar("T", bound=Told)


class Relevance:
    """How much facts and titles bear on one text; nothing bears on a text without words.

    Args:
        sources: names of the sources that may be read, by id.
    """

    def __init__(self, brain: Brain, text: str, *, sources: Mapping[int, str]) -> None:
        self._reader = Reader(brain, sources)
        self._query = understand(self._reader, text, brain.stemmer)
        self._matcher = Matcher(self._query, brain.stemmer)

    def covered(self, texts: Iterable[str]) -> list[float]:
        """Share of the text's weight that each of *texts* holds, 0 to 1."""
        return [self._matcher.covered(stems) for stems in self._matcher.holds(texts)]

    def facts(self, kinds: Collection[str]) -> dict[int, float]:
        """Facts of these kinds by id, best first, each with its share of the best verified fact's score, at most 1."""
        matches, unverified = self._matches()
        rows = self._reader.fact_rows([one.rowid for one in matches])
        found = [(one, row) for one in matches if (row := rows.get(one.rowid)) and row.kind in kinds]
        shares = self.covered(f"{row.title} {row.text}" for _, row in found)
        scores = {one.rowid: one.score * (1 + COVERAGE * share) for (one, _), share in zip(found, shares, strict=True)}
        verified = [score for id_, score in scores.items() if id_ not in unverified]
        best = max(verified or scores.values(), default=0.0) or 1.0
        return {id_: min(1.0, score / best) for id_, score in sorted(scores.items(), key=lambda one: -one[1])}

    def _matches(self) -> tuple[list[Match], set[int]]:
        """The best facts with at most `SHARE` unverified ones, and the ids of these; reads on past a crowd of them."""
        limit = FACTS
        while True:
            found = self._reader.facts(self._query.terms, limit=limit)
            unverified = unverified_facts(self._reader.brain, [one.rowid for one in found])
            crowd = {*[one.rowid for one in found if one.rowid in unverified][SHARE:]}
            if not crowd or len(found) - len(crowd) >= FACTS or len(found) < limit or limit >= MOST:
                return [one for one in found if one.rowid not in crowd][:FACTS], unverified
            limit *= 4


def listed(ranked: Sequence[T], limit: int) -> list[T]:
    """The first *limit* verified entries of *ranked*, then a few unverified ones where there is room."""
    verified = [one for one in ranked if not one.unverified][:limit]
    room = min(limit - len(verified), max(SHARE, limit // 5))
    return [*verified, *[one for one in ranked if one.unverified][:room]]

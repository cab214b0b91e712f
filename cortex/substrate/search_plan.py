"""Which rows a ranked query has to look at: those whose matched terms are together rare enough.

BM25 costs a microsecond a row, finding rows by a boolean expression a thirtieth of that for each posting. A row's
score is the sum over its matched terms of their idf, times 0.7 to 2.2 for length and repetition, so the best rows are
among those whose idf sum is high. A plan turns such a threshold into an expression FTS5 can run: with idfs of 6, 4
and 3 a threshold of 7 is `a AND (b OR c) OR b AND c`. Where to put it follows from the document frequencies: as low
as a given number of rows allows. This is the bound of MaxScore (Turtle and Flood 1995, doi:10.1016/0306-4573(95)00020-H),
taken over sets of terms instead of one list at a time, as FTS5 intersects lists far faster than it scores rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

MOST_WEIGHED: Final = 9
"""Terms an expression combines; its size grows with two to that power, in the worst case."""

_COMPANY: Final = 2.0
"""How much likelier a term is in a row that has another of the query's, than in any row."""

_MOST_PHRASES: Final = 120


class Term(NamedTuple):
    """A term of a query, with what the index says of it."""

    word: str
    stem: str
    documents: int
    idf: float


class Plan:
    """The expressions of one query, by the idf sum a row has to reach.

    Terms so rare that all their rows fit are matched wherever they stand; of the others the rarest are weighed.

    Attributes:
        least: the lowest threshold at which no row with any of the terms is left out.
    """

    def __init__(self, terms: Sequence[Term], *, rows: int, room: int) -> None:
        by_rarity = sorted(terms, key=lambda term: term.documents)
        taken = 0
        for count, term in enumerate(by_rarity):
            taken += term.documents
            if taken > room:
                break
        else:
            count = len(by_rarity)
        self.always = by_rarity[:count]
        self.weighed = by_rarity[count : count + MOST_WEIGHED]
        self.ignored = by_rarity[count + MOST_WEIGHED :]
        self.rows = rows

    @property
    def whole(self) -> bool:
        """Whether matching the rare terms wherever they stand matches every row there is."""
        return not self.weighed

    def threshold(self, target: int) -> float:
        """The lowest idf sum that about *target* rows reach, were terms spread as chance and company have it."""
        expected = 0.0
        for total, count in self._sums:
            expected += count
            if expected >= target:
                return total
        return self._sums[-1][0]

    @cached_property
    def _sums(self) -> list[tuple[float, float]]:
        """Every sum of idfs and the rows expected to have just those terms, highest sum first."""
        sums = [(0.0, float(self.rows))]
        for term in self.weighed:
            share = term.documents / self.rows
            near = min(1.0, share * _COMPANY)
            sums += [(total + term.idf, count * (near if total else share)) for total, count in sums]
        return sorted(sums[1:], reverse=True)

    def expression(self, threshold: float) -> str:
        """What FTS5 has to match for the rows that reach *threshold*, or have a term that always counts."""
        clauses = [quoted(term.word) for term in self.always]
        clauses += self._clauses(0, threshold - 1e-9)
        return " OR ".join(clauses)

    def _clauses(self, first: int, threshold: float) -> list[str]:
        clauses = []
        for place in range(first, len(self.weighed)):
            if self._left[place] < threshold:
                break
            term = self.weighed[place]
            if term.idf >= threshold:
                clauses.append(quoted(term.word))
            elif others := self._clauses(place + 1, threshold - term.idf):
                clauses.append(f"({quoted(term.word)} AND ({' OR '.join(others)}))")
        return clauses

    @cached_property
    def _left(self) -> list[float]:
        """For each weighed term, the sum of its idf and those after it."""
        return [sum(term.idf for term in self.weighed[place:]) for place in range(len(self.weighed))]


def quoted(word: str) -> str:
    """*word* as an FTS5 string, in which nothing is syntax."""
    return '"' + word.replace('"', '""') + '"'

"""Which rows a ranked query has to look at: those whose matched terms are together rare enough.

BM25 costs a microsecond a row, finding rows by a boolean expression a thirtieth of that for each posting. A row's
score is the sum over its matched terms of their idf, times 0.7 to 2.2 for length and repetition, so the best rows are
among those whose idf sum is high. A plan turns such a threshold into an expression FTS5 can run: with idfs of 6, 4
and 3 a threshold of 7 is `a AND (b OR c) OR b AND c`. Where to put it follows from the document frequencies: as low
as a given number of rows allows. This is the idea of MaxScore, taken over sets of terms instead of one list at a
time, and aimed at a number of rows instead of a proof: the provable bound is twice as low and reads ten times the rows.

Source: Turtle and Flood 1995, doi:10.1016/0306-4573(95)00020-H.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import inf
from typing import Final, NamedTuple

MOST_WEIGHED: Final = 8
"""Terms an expression combines; its size grows with two to that power, in the worst case."""

COMPANY: Final = 3.0
"""How much higher a term's odds are in a row that has another of the query's, than in any row."""

MUCH: Final = 4
"""How many times the rows aimed at a set of terms may add, when there are enough without it."""


class Term(NamedTuple):
    """A term of a query, with what the index says of it."""

    word: str
    stem: str
    documents: int
    idf: float


class Plan:
    """The expressions of one query, by the idf sum a row has to reach.

    Terms so rare that all their rows fit are matched wherever they stand; of the others the rarest are weighed.
    """

    def __init__(self, terms: Sequence[Term], *, rows: int, room: int) -> None:
        by_rarity = sorted(terms, key=lambda term: term.documents)
        count = sum(taken <= room for taken in accumulate(term.documents for term in by_rarity))
        self.always = by_rarity[:count]
        self.weighed = by_rarity[count : count + MOST_WEIGHED]
        self.rows = rows

    @property
    def highest(self) -> float:
        """The threshold that only rows with every weighed term reach."""
        return self._sums[0][0] if self.weighed else 0.0

    def threshold(self, target: float, *, enough: int) -> float:
        """The lowest idf sum that about *target* rows reach, were terms spread as chance and company have it.

        A set of terms that far more rows have is left out, when *enough* are there without it.
        """
        expected = float(sum(term.documents for term in self.always))
        lowest = self.highest
        for total, count in self._sums:
            if expected >= target or (expected >= enough and count > MUCH * target):
                break
            expected += count
            lowest = total
        return lowest

    @cached_property
    def _sums(self) -> list[tuple[float, float]]:
        """Every sum of idfs and the rows expected to have just those terms, highest sum first."""
        sums = [(0.0, float(self.rows), 0)]
        for place, term in enumerate(self.weighed):
            whole = sum(1 << earlier for earlier, other in enumerate(self.weighed[:place]) if term.word in other.word)
            share = term.documents / self.rows
            near = share * COMPANY / (1 + share * (COMPANY - 1))
            for total, count, terms in sums.copy():
                likely = 0.9 if terms & whole else near if terms else share
                sums.append((total + term.idf, count * likely, terms | 1 << place))
        return sorted(((total, count) for total, count, _ in sums[1:]), reverse=True)

    def expression(self, threshold: float) -> str:
        """What FTS5 has to match for the rows that reach *threshold*, or have a term that always counts."""
        clauses = [quoted(term.word) for term in self.always]
        clauses += self._clauses(len(self.weighed), threshold - 1e-9, inf)
        return " OR ".join(clauses)

    def _clauses(self, end: int, threshold: float, lightest: float) -> list[str]:
        """The smallest sets among the first *end* terms that reach *threshold*.

        Sets are written by their commonest term, so that the longest lists are walked least often. One that would
        reach the threshold without its *lightest* term is not among the smallest.
        """
        clauses = []
        for place, term in enumerate(self.weighed[:end]):
            if self._sum_to[place] < threshold or term.idf >= threshold + lightest:
                continue
            if term.idf >= threshold:
                clauses.append(quoted(term.word))
            elif others := self._clauses(place, threshold - term.idf, min(lightest, term.idf)):
                clauses.append(f"({quoted(term.word)} AND ({' OR '.join(others)}))")
        return clauses

    @cached_property
    def _sum_to(self) -> list[float]:
        """For each weighed term, the sum of its idf and those before it."""
        return list(accumulate(term.idf for term in self.weighed))


def quoted(word: str) -> str:
    """*word* as an FTS5 string, in which nothing is syntax."""
    return '"' + word.replace('"', '""') + '"'

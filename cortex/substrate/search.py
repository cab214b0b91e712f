"""Full-text search over facts and passages, ranked by BM25, without scoring every row that has a common word.

`match 'a OR b …' order by bm25()` scores each row any of the words stands in: 25 ms on 100,000 facts, 300 ms on a
million. Here the terms' document frequencies decide which combinations of terms are worth looking at (`search_plan`),
FTS5 finds the rows that have them, and those alone are scored, from their text, with all the terms (`search_scores`).
It stops when no row left out is likely to score among the best, and looks further when one is. Rows so found carry
exactly the score FTS5 would give them.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from zlib import crc32

from cortex.substrate.search_plan import Plan, Term, quoted
from cortex.substrate.search_scores import Extent, idf, longest_rival, scored, varints
from cortex.substrate.search_words import stems, words
from cortex.substrate.statements import sql
from cortex.substrate.tokens import parts

FACT_WEIGHTS: Final = (1.0, 0.4)
"""Of a fact's statement, and of its identifiers taken apart."""

PASSAGE_WEIGHTS: Final = (2.0, 1.0, 0.4)
"""Of a passage's context (its thread's title, its headings), its text, and its identifiers taken apart."""

MOST_TERMS: Final = 32
"""Terms a query is cut to, the rarest."""

PLAIN: Final = 5000
"""Postings up to which scoring every row is as fast as planning."""

FIRST_ROWS: Final = 100
SECOND_ROWS: Final = 300
MOST: Final = 4
CHARACTERS: Final = 7.0
LONGEST: Final = 1e9
SHORTEST: Final = 24

_ELISION: Final = re.compile(r"(?<=[^\W_])['’](?:s|t|d|m|re|ll|ve)\b", re.IGNORECASE)

STOP_WORDS: Final = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could couldn did didn do does doesn doing don done down during each either else ever every few for from
    further get gets got had hadn has hasn have haven having he her here hers him his how i if in into is isn it its
    itself just let like may me might more most must my no nor not now of off on once only or other our ours out over
    own please same shall she should shouldn so some such than that the their theirs them then there these they this
    those through to too under until up upon us very was wasn we were weren what when where whether which while who
    whom whose why will with within without won would wouldn yet you your yours""".split()
)


class Match(NamedTuple):
    """A row that was found."""

    rowid: int
    score: float
    """BM25, higher is better; comparable within one search only."""


class _Index(NamedTuple):
    name: str
    table: str


_FACTS: Final = _Index("facts", "facts_fts")
_PASSAGES: Final = _Index("passages", "records_fts")


def query_terms(text: str) -> list[str]:
    """The words to search for *text*: lower case, each once, without stop words unless nothing else is left.

    An identifier gives its pieces and its joined form beside its words. Any text is fine; one of only punctuation
    gives none.

    >>> query_terms("What doesn't busy_timeout do?")
    ['busy', 'timeout', 'busytimeout']
    """
    found = dict.fromkeys(words(_ELISION.sub(" ", text)))
    found |= dict.fromkeys(parts(text).split())
    return [word for word in found if word not in STOP_WORDS] or list(found)


def count_terms(db: sqlite3.Connection) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""
    for index in (_FACTS, _PASSAGES):
        db.execute(sql(f"search_{index.name}_flush")).fetchone()
        blocks = db.execute(sql(f"search_{index.name}_state")).fetchall()
        state = crc32(b"".join(block for _, block in blocks))
        if _documents(db, index, []).get(" ") == state:
            continue
        db.execute(sql(f"search_count_{index.name}"))
        db.execute(sql(f"search_uncount_{index.name}"))
        extent = _extent(db, index)
        db.execute(sql("search_note_count"), {"index": index.table, "rows": extent.rows, "state": state})


def search_facts(
    db: sqlite3.Connection, query: str | Sequence[str], *, sources: Sequence[int] | None, limit: int = 30
) -> list[Match]:
    """Facts for *query*, best first, equals by rowid; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
    """
    return _Search(db, _FACTS, FACT_WEIGHTS, sources, limit).best(query)


def search_passages(
    db: sqlite3.Connection,
    query: str | Sequence[str],
    *,
    sources: Sequence[int] | None,
    limit: int = 30,
    weights: tuple[float, float, float] = PASSAGE_WEIGHTS,
) -> list[Match]:
    """Passages for *query*, best first, equals by rowid; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
        weights: of a passage's context, its text, and its identifiers taken apart.
    """
    return _Search(db, _PASSAGES, weights, sources, limit).best(query)


@dataclass(frozen=True)
class _Search:
    db: sqlite3.Connection
    index: _Index
    weights: Sequence[float]
    sources: Sequence[int] | None
    limit: int

    def best(self, query: str | Sequence[str]) -> list[Match]:
        found = query_terms(query) if isinstance(query, str) else [word for term in query for word in words(term)]
        extent = _extent(self.db, self.index)
        terms, counted = self._terms(found, extent)
        if not terms or self.limit < 1:
            return []
        if not counted or sum(term.documents for term in terms) <= PLAIN:
            return self._plain(terms)
        return self._planned(terms, extent)

    def _terms(self, found: Sequence[str], extent: Extent) -> tuple[list[Term], bool]:
        words_of: dict[str, str] = {}
        for word, stem in stems(found).items():
            words_of.setdefault(stem, word)
        documents = _documents(self.db, self.index, list(words_of))
        terms = []
        for stem, word in words_of.items():
            count = min(documents.get(stem, 1), extent.rows)
            terms.append(Term(word, stem, count, idf(count, extent.rows)))
        return sorted(terms, key=lambda term: term.documents)[:MOST_TERMS], "" in documents

    def _plain(self, terms: Sequence[Term]) -> list[Match]:
        match = " OR ".join(quoted(term.word) for term in terms)
        first = dict(self._run("_best", match=match, limit=2 * self.limit))
        best = self._readable(first)
        if len(best) == self.limit or len(first) < 2 * self.limit:
            return best
        return [Match(*row) for row in self._run("", match=match)]

    def _planned(self, terms: Sequence[Term], extent: Extent) -> list[Match]:
        plan = Plan(terms, rows=extent.rows, room=FIRST_ROWS)
        idfs = {term.stem: term.idf for term in terms}
        found: dict[int, float] = {}
        best: list[Match] = []
        longest = LONGEST
        for target in (FIRST_ROWS + 2 * self.limit, SECOND_ROWS + 10 * self.limit + extent.rows // 1000):
            threshold, rows = self._rows(plan, target)
            new = json.dumps([rowid for rowid in rows if rowid not in found])
            texts = self._run("_texts", rows=new, longest=longest).fetchall()
            found.update(scored(texts, idfs, self.weights, extent.mean_length))
            best = self._readable(found)
            if len(best) == self.limit:
                longest = CHARACTERS * longest_rival(best[-1].score, threshold, extent.mean_length)
            if longest < SHORTEST:
                return best
        return best if len(best) == self.limit else self._plain(terms)

    def _rows(self, plan: Plan, target: int) -> tuple[float, list[int]]:
        """About *target* rows, and the idf sum that all rows reach that are not left out.

        Terms may keep each other's company more than a plan expects. As rows come in the order of their ids, how far
        a limit reaches tells how many there are.
        """
        most, aim = MOST * target, float(target)
        while True:
            threshold = plan.threshold(aim, enough=2 * self.limit)
            match = plan.expression(threshold)
            rows = [rowid for (rowid,) in self._run("_rows", match=match, limit=most)]
            if len(rows) < most:
                return threshold, rows
            if threshold >= plan.highest:
                return threshold, [rowid for rowid, _ in self._run("_best", match=match, limit=target)]
            aim *= min(0.5, rows[-1] / plan.rows / MOST)

    def _readable(self, found: Mapping[int, float]) -> list[Match]:
        """The best of the rows that may be shown."""
        order = sorted(found, key=lambda rowid: (-found[rowid], rowid))
        best: list[Match] = []
        step = 2 * self.limit
        for start in range(0, len(order), step):
            some = order[start : start + step]
            allowed = {rowid for (rowid,) in self._run("_readable", rows=json.dumps(some))}
            best += [Match(rowid, found[rowid]) for rowid in some if rowid in allowed]
            if len(best) >= self.limit:
                break
        return best[: self.limit]

    def _run(self, statement: str, **values: object) -> sqlite3.Cursor:
        given: dict[str, object] = {f"w{place}": weight for place, weight in enumerate(self.weights)}
        given["sources"] = None if self.sources is None else json.dumps(list(self.sources))
        given["limit"] = self.limit
        return self.db.execute(sql(f"search_{self.index.name}{statement}"), given | values)


def _extent(db: sqlite3.Connection, index: _Index) -> Extent:
    row = db.execute(sql(f"search_{index.name}_extent")).fetchone()
    rows, *tokens = varints(row[0]) if row and row[0] else [0]
    return Extent(rows, sum(tokens))


def _documents(db: sqlite3.Connection, index: _Index, terms: Sequence[str]) -> dict[str, int]:
    asked = json.dumps(["", " ", *terms])
    return dict(db.execute(sql("search_frequencies"), {"index": index.table, "terms": asked}))

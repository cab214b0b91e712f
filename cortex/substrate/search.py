"""Full-text search over facts and passages, ranked by BM25, without scoring every row that has a common word.

`match 'a OR b …' order by bm25()` scores each row any of the words stands in, a microsecond each. Where that is too
many, the terms' document frequencies decide which combinations of terms are worth looking at (`search_plan`); FTS5
finds the rows that have them, and those alone are scored, from their text, with all the terms (`search_scores`).
A first look, at few rows, tells how good a result has to be; a second, at more, leaves out rows too long to be as
good. What is found carries exactly the score FTS5 would give it, and a row among the best is seldom missed;
`bench/search.py` measures how seldom. A row is scored from its text because `bm25()` cannot be asked for single rows,
and walks the postings of every phrase before the first one.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, starmap
from math import inf
from typing import Final, NamedTuple
from zlib import crc32

from cortex.language.identifiers import parts
from cortex.language.stems import split, stemmer
from cortex.language.words import STOP_WORDS
from cortex.substrate.search_plan import Plan, Term, quoted
from cortex.substrate.search_scores import Extent, Text, idf, longest_rival, scored, varints
from cortex.substrate.statements import sql

FACT_WEIGHTS: Final = (1.0, 0.4)
"""Of a fact's statement, and of its identifiers taken apart."""

PASSAGE_WEIGHTS: Final = (2.0, 1.0, 0.4)
"""Of a passage's context (its thread's title, its headings), its text, and its identifiers taken apart."""

MOST_TERMS: Final = 32
"""Terms a query is cut to, the rarest."""

FIRST_ROWS: Final = 60
SECOND_ROWS: Final = 300
"""Rows a plan aims at in a small index: to know what score is good, and then to look for better ones."""

MOST: Final = 3
"""How many times the rows aimed at are still worth scoring one by one."""

STEP: Final = 2
"""How many times fewer rows to aim at when there were too many."""

LEAST_SHARE: Final = 0.05
"""Share of the rows that may be read below which a plan would look at too many others."""

CHARACTERS: Final = 8.0
"""Of a token and what separates it from the next: generous for English, so that a row is seldom thought too long."""

SHORTEST: Final = 24
"""Characters below which hardly any row says something."""

LONGEST: Final = 1e9
"""Characters no row has."""

MOST_SEGMENTS: Final = 4
"""B-trees of an index beyond which it is merged: each term of an expression is looked up in all of them."""

GROWN: Final = 0.2
"""Share of an index's rows that may have come or gone since its terms were counted: the plans stay good."""

_ELISION: Final = re.compile(r"(?<=[^\W_])['’](?:s|t|d|m|re|ll|ve)\b", re.IGNORECASE)


class Match(NamedTuple):
    """A row that was found."""

    rowid: int
    score: float
    """BM25, higher is better; comparable within one search only."""


class _Index(NamedTuple):
    name: str
    table: str
    plain: int
    """Postings that FTS5 scores in the time it takes to score one row from its text."""
    least: int
    """Rows with the rarest terms from which a row that has only commoner ones is hardly among the best."""


_FACTS: Final = _Index("facts", "facts_fts", 5, 2500)
_PASSAGES: Final = _Index("passages", "records_fts", 20, 1000)


def query_terms(text: str) -> list[str]:
    """The words to search for *text*: lower case, each once, without stop words unless nothing else is left.

    An identifier gives its pieces and its joined form beside its words. Any text is fine; one of only punctuation
    gives none.

    >>> query_terms("What doesn't busy_timeout do?")
    ['busy', 'timeout', 'busytimeout']
    """
    found = dict.fromkeys(split(_ELISION.sub(" ", text)))
    found |= dict.fromkeys(parts(text).split())
    return [word for word in found if word not in STOP_WORDS] or list(found)


def count_terms(db: sqlite3.Connection) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""
    for index in (_FACTS, _PASSAGES):
        db.execute(sql(f"search_{index.name}_flush")).fetchone()
        if _documents(db, index, []).get(" ") == _state(db, index):
            continue
        (segments,) = db.execute(sql(f"search_{index.name}_segments")).fetchone()
        if segments > MOST_SEGMENTS:
            db.execute(sql(f"search_{index.name}_merge"))
        db.execute(sql(f"search_count_{index.name}"))
        db.execute(sql(f"search_uncount_{index.name}"))
        noted = {"index": index.table, "rows": _extent(db, index).rows, "state": _state(db, index)}
        db.execute(sql("search_note_count"), noted)


def counted(db: sqlite3.Connection) -> bool:
    """Whether the terms of both indexes were counted when these were about as large as they are."""
    for index in (_FACTS, _PASSAGES):
        rows, then = _extent(db, index).rows, _documents(db, index, []).get("")
        if rows and (then is None or abs(rows - then) > GROWN * rows):
            return False
    return True


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
    beside: Sequence[str] = (),
) -> list[Match]:
    """Passages for *query*, best first, equals by rowid; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
        weights: of a passage's context, its text, and its identifiers taken apart.
        beside: more terms; a passage must hold one of these and one of *query*, unless those are too many to look at.
    """
    return _Search(db, _PASSAGES, weights, sources, limit).best(query, beside)


@dataclass(frozen=True)
class _Search:
    db: sqlite3.Connection
    index: _Index
    weights: Sequence[float]
    sources: Sequence[int] | None
    limit: int

    @cached_property
    def _asked(self) -> str | None:
        return None if self.sources is None else json.dumps(list(self.sources))

    def best(self, query: str | Sequence[str], beside: Sequence[str] = ()) -> list[Match]:
        found, others = _words_of(query), _words_of(beside)
        extent = _extent(self.db, self.index)
        terms, counted = self._terms([*found, *others], extent)
        if not terms or self.limit < 1:
            return []
        postings = sum(term.documents for term in terms)
        if counted and postings > self.index.plain * (self._first(extent) + self._second(extent)):
            return self._planned(terms, extent)
        if not others:
            return self._by_rarest(terms)
        asked = {*found}
        own = [term for term in terms if term.word in asked]
        ours, theirs = _any(own[: self._rarest(own)]), _any(term for term in terms if term.word not in asked)
        return self._plain(f"({ours}) AND ({theirs})" if ours and theirs else ours or theirs)

    def _first(self, extent: Extent) -> int:
        return FIRST_ROWS + 2 * self.limit + extent.rows // 4000

    def _second(self, extent: Extent) -> int:
        return SECOND_ROWS + 5 * self.limit + extent.rows // 1000

    def _terms(self, found: Sequence[str], extent: Extent) -> tuple[list[Term], bool]:
        words_of: dict[str, str] = {}
        for word, stem in stemmer().stem(found).items():
            words_of.setdefault(stem, word)
        documents = _documents(self.db, self.index, list(words_of))
        terms = []
        for stem, word in words_of.items():
            count = min(documents.get(stem, 1), extent.rows)
            terms.append(Term(word, stem, count, idf(count, extent.rows)))
        return sorted(terms, key=lambda term: term.documents)[:MOST_TERMS], "" in documents

    def _by_rarest(self, terms: Sequence[Term]) -> list[Match]:
        """Rows with any of the rarest terms; of the others each counts where it stands beside one of those.

        Looked for apart, rows with and without those others are scored once each.
        """
        count = self._rarest(terms)
        rare, rest = _any(terms[:count]), _any(terms[count:])
        if not rest:
            return self._plain(rare)
        scores = {rowid: score for one in ("NOT", "AND") for rowid, score in self._plain(f"({rare}) {one} ({rest})")}
        best = _top(scores, self.limit)
        return best if len(best) == self.limit else self._plain(_any(terms))

    def _rarest(self, terms: Sequence[Term]) -> int:
        """How many of *terms*, rarest first, are enough to find the best rows by."""
        taken = accumulate((term.documents for term in terms[:-1]), initial=0)
        return sum(before < self.index.least for before in taken)

    def _plain(self, match: str) -> list[Match]:
        if self._all_readable():
            return [*starmap(Match, self._run("_best", match=match).fetchall())]
        first = self._run("_best", match=match, limit=2 * self.limit).fetchall()
        readable = self._readable([rowid for rowid, _ in first])
        best = [Match(*row) for row in first if row[0] in readable][: self.limit]
        if len(best) == self.limit or len(first) < 2 * self.limit:
            return best
        return [*starmap(Match, self._run("", match=match).fetchall())]

    def _planned(self, terms: Sequence[Term], extent: Extent) -> list[Match]:
        first = self._first(extent)
        plan = Plan(terms, rows=extent.rows, room=first)
        threshold, rows = self._rows(plan, first)
        texts = self._texts(rows)
        if len(texts) < LEAST_SHARE * len(rows):
            return self._plain(_any(terms))
        scores = self._scores(texts, terms, extent)
        best = _top(scores, self.limit)
        longest = LONGEST
        if len(best) == self.limit:
            longest = CHARACTERS * longest_rival(best[-1].score, threshold, extent.mean_length)
        second = self._second(extent) * len(rows) // max(1, len(texts))
        if 2 * len(rows) < second and longest > SHORTEST and plan.threshold(second, enough=second) < threshold:
            _, rows = self._rows(plan, second)
            others = self._texts([rowid for rowid in rows if rowid not in scores], longest)
            others.sort(key=_characters)
            best = _top(scores | self._scores(others[:second], terms, extent), self.limit)
        return best if len(best) == self.limit else self._plain(_any(terms))

    def _texts(self, rows: Iterable[int], longest: float = LONGEST) -> list[Text]:
        return self._run("_texts", rows=json.dumps(list(rows)), longest=longest).fetchall()

    def _scores(self, texts: Sequence[Text], terms: Sequence[Term], extent: Extent) -> dict[int, float]:
        idfs = {term.stem: term.idf for term in terms}
        return dict(scored(texts, idfs, self.weights, extent.mean_length))

    def _rows(self, plan: Plan, target: int) -> tuple[float, list[int]]:
        """About *target* rows, and the idf sum that all rows reach that are not left out.

        Terms may keep each other's company more than a plan expects; a limit makes finding that out cheap.
        Where too many have all the terms, FTS5 tells the best of those, and no others are worth a look.
        """
        most, aim = MOST * target, float(target)
        while True:
            threshold = plan.threshold(aim, enough=2 * self.limit)
            match = plan.expression(threshold)
            rows = [rowid for (rowid,) in self._run("_rows", match=match, limit=most)]
            if len(rows) < most:
                return threshold, rows
            if threshold >= plan.highest:
                return -inf, [rowid for rowid, _ in self._run("_best", match=match, limit=target)]
            aim /= STEP

    def _all_readable(self) -> bool:
        (all_,) = self.db.execute(sql("search_all_readable"), {"sources": self._asked}).fetchone()
        return bool(all_)

    def _readable(self, rows: Iterable[int]) -> set[int]:
        return {rowid for (rowid,) in self._run("_readable", rows=json.dumps(list(rows)))}

    def _run(self, statement: str, **values: object) -> sqlite3.Cursor:
        given: dict[str, object] = {f"w{place}": weight for place, weight in enumerate(self.weights)}
        given["sources"] = self._asked
        given["limit"] = self.limit
        return self.db.execute(sql(f"search_{self.index.name}{statement}"), given | values)


def _words_of(query: str | Sequence[str]) -> list[str]:
    return query_terms(query) if isinstance(query, str) else [word for term in query for word in split(term)]


def _any(terms: Iterable[Term]) -> str:
    """What FTS5 has to match for rows with any of *terms*."""
    return " OR ".join(quoted(term.word) for term in terms)


def _characters(text: Text) -> int:
    _, _, *columns = text
    return sum(map(len, columns))


def _top(scores: Mapping[int, float], limit: int) -> list[Match]:
    return [Match(rowid, -worse) for worse, rowid in sorted([(-scores[rowid], rowid) for rowid in scores])[:limit]]


def _extent(db: sqlite3.Connection, index: _Index) -> Extent:
    row = db.execute(sql(f"search_{index.name}_extent")).fetchone()
    rows, *tokens = varints(row[0]) if row and row[0] else [0]
    return Extent(rows, sum(tokens))


def _state(db: sqlite3.Connection, index: _Index) -> int:
    blocks = db.execute(sql(f"search_{index.name}_state")).fetchall()
    return crc32(b"".join(block for _, block in blocks))


def _documents(db: sqlite3.Connection, index: _Index, terms: Sequence[str]) -> dict[str, int]:
    asked = json.dumps(["", " ", *terms])
    return dict(db.execute(sql("search_frequencies"), {"index": index.table, "terms": asked}))

"""Full-text search over facts and passages, ranked by BM25.

`match 'a OR b …' order by bm25()` scores each row any of the words stands in, a microsecond each. So rows are looked
for by the rarest words of a query, as counted in the index; its common words count in those rows alone. Where a
caller reads some sources only, statistics are of these alone: what the others hold changes no score.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, starmap
from typing import Final, Literal, NamedTuple, Self
from zlib import crc32

from cortex.language.identifiers import parts
from cortex.language.stems import split, stemmer
from cortex.language.words import STOP_WORDS
from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, run, run_script, sql

FACT_WEIGHTS: Final = (1.0, 0.4)  # of a fact's statement, and of its identifiers taken apart
PASSAGE_WEIGHTS: Final = (2.0, 1.0, 0.4)
"""Of a passage's context (its thread's title, its headings), its text, and its identifiers taken apart."""

MOST_TERMS: Final = 32  # terms a query is cut to, the rarest
MOST_SEGMENTS: Final = 4
"""B-trees of an index beyond which it is merged: each term of an expression is looked up in all of them."""

WIDER: Final = 8  # how many times more rows are looked at when too few of the best may be read

GROWN: Final = 0.2
"""Share of an index's rows that may have come or gone since its terms were counted: the plans stay good."""

_ELISION: Final = regex(r"(?<=[^\W_])['’](?:s|t|d|m|re|ll|ve)\b", re.IGNORECASE)


class Match(NamedTuple):
    """A row that was found."""

    rowid: int
    score: float
    """BM25, higher is better; comparable within one search only."""


class _Term(NamedTuple):
    word: str
    stem: str
    documents: int


class _Index(NamedTuple):
    table: str
    weights: Mapping[str, float]
    merge: str
    least: int
    """Rows with the rarest terms from which a row that has only commoner ones is hardly among the best."""


Name = Literal["facts", "passages"]
_FACTS: Final = dict(zip(("w0", "w1", "w2"), (*FACT_WEIGHTS, 0.0), strict=True))
_PASSAGES: Final = dict(zip(("w0", "w1", "w2"), PASSAGE_WEIGHTS, strict=True))
_INDEXES: Final[Mapping[Name, _Index]] = {
    "facts": _Index("facts_fts", _FACTS, "insert into facts_fts (facts_fts) values ('optimize')", 2500),
    "passages": _Index("records_fts", _PASSAGES, "insert into records_fts (records_fts) values ('optimize')", 1000),
}


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


def count_terms(brain: Brain) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""
    db = brain.db
    # Reading a vocabulary makes FTS5 write out what it still holds in memory.
    db.execute("select exists (select 1 from facts_terms), exists (select 1 from records_terms)").fetchone()
    for index in _INDEXES.values():
        of = {"index": index.table}
        if _documents(db, index, []).get(" ") == _state(db, index):
            continue
        (segments,) = run(brain, "text_index.search_segments", **of).fetchone()
        if segments > MOST_SEGMENTS:
            db.execute(index.merge)
        run(brain, "text_index.search_count", **of)
        run(brain, "text_index.search_uncount", **of)
        run(brain, "text_index.search_note_count", **of, rows=_rows(db, index), state=_state(db, index))


def counted(brain: Brain) -> bool:
    """Whether the terms of both indexes were counted when these were about as large as they are."""
    db = brain.db
    for index in _INDEXES.values():
        rows, then = _rows(db, index), _documents(db, index, []).get("")
        if rows and (then is None or abs(rows - then) > GROWN * rows):
            return False
    return True


def search(
    db: sqlite3.Connection,
    index: Name,
    query: str | Sequence[str],
    *,
    sources: Sequence[int] | None,
    limit: int = 30,
    beside: Sequence[str] = (),
    share: Share | None = None,
) -> list[Match]:
    """Facts or passages for *query*, best first, equals by rowid; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
        beside: more terms; a row must hold one of these and one of *query*, unless those are too many to look at.
        share: the statistics of these sources, where they were read before.
    """
    share = share or share_of(db, index, sources)
    return _Search(db, _INDEXES[index], share, limit).best(query, beside)


@dataclass(frozen=True)
class _Search:
    db: sqlite3.Connection
    index: _Index
    share: Share | None
    limit: int

    def best(self, query: str | Sequence[str], beside: Sequence[str] = ()) -> list[Match]:
        found, others = _words_of(query), _words_of(beside)
        terms = self._terms([*found, *others])
        if not terms or self.limit < 1:
            return []
        if not others:
            return self._by_rarest(terms)
        asked = {*found}
        own = [term for term in terms if term.word in asked]
        own = own[: self._rarest(own)]
        rest = [term for term in terms if term.word not in asked]
        ours, theirs = _any(own), _any(rest)
        return self._plain(f"({ours}) AND ({theirs})" if ours and theirs else ours or theirs, [*own, *rest])

    def _terms(self, found: Sequence[str]) -> list[_Term]:
        words_of: dict[str, str] = {}
        for word, stem in stemmer().stem(found).items():
            words_of.setdefault(stem, word)
        stems = [*words_of]
        documents = self.share.documents(stems) if self.share else _documents(self.db, self.index, stems)
        terms = [_Term(word, stem, documents.get(stem, 1)) for stem, word in words_of.items()]
        return sorted(terms, key=lambda term: term.documents)[:MOST_TERMS]

    def _by_rarest(self, terms: Sequence[_Term]) -> list[Match]:
        """Rows with any of the rarest terms; of the others each counts where it stands beside one of those.

        Looked for apart, rows with and without those others are scored once each.
        """
        count = self._rarest(terms)
        rare, rest = _any(terms[:count]), _any(terms[count:])
        if not rest:
            return self._plain(rare, terms)
        apart = (self._plain(f"({rare}) {one} ({rest})", terms) for one in ("NOT", "AND"))
        best = _top(dict(chain.from_iterable(apart)), self.limit)
        return best if len(best) == self.limit else self._plain(_any(terms), terms)

    def _rarest(self, terms: Sequence[_Term]) -> int:
        taken = accumulate((term.documents for term in terms[:-1]), initial=0)
        return sum(before < self.index.least for before in taken)

    def _plain(self, match: str, terms: Sequence[_Term]) -> list[Match]:
        if self.share:
            return _top(self.share.scores(match, [term.stem for term in terms]), self.limit)
        if self.db.execute("select 1 from records where gone_at is not null").fetchone() is None:
            return self._best(match, self.limit)
        most = self.limit
        while True:
            most *= 2
            found = self._best(match, most)
            rows = [one.rowid for one in found]
            readable = {*column(self, "text_index.search_readable", index=self.index.table, rows=rows)}
            best = [one for one in found if one.rowid in readable][: self.limit]
            if len(best) == self.limit or len(found) < most:
                return best
            most *= WIDER

    def _best(self, match: str, most: int) -> list[Match]:
        values = {"index": self.index.table, "match": match, "limit": most}
        return [*starmap(Match, run(self, "text_index.search_best", **values, **self.index.weights))]


def _words_of(query: str | Sequence[str]) -> list[str]:
    return query_terms(query) if isinstance(query, str) else [word for term in query for word in split(term)]


def quoted(word: str) -> str:
    """*word* as an FTS5 string, in which nothing is syntax."""
    return '"' + word.replace('"', '""') + '"'


def _any(terms: Iterable[_Term]) -> str:
    return " OR ".join(quoted(term.word) for term in terms)


def _top(scores: Mapping[int, float], limit: int) -> list[Match]:
    return [Match(rowid, -worse) for worse, rowid in sorted([(-scores[rowid], rowid) for rowid in scores])[:limit]]


def _rows(db: sqlite3.Connection, index: _Index) -> int:
    return int(db.execute(sql("text_index.search_extent"), {"index": index.table}).fetchone()[0])


def _state(db: sqlite3.Connection, index: _Index) -> int:
    blocks = db.execute(sql("text_index.search_state"), {"index": index.table})
    return crc32(b"".join(block for _, block in blocks))


def _documents(db: sqlite3.Connection, index: _Index, terms: Sequence[str]) -> dict[str, int]:
    asked = json.dumps(["", " ", *terms])
    return dict(db.execute(sql("text_index.search_frequencies"), {"index": index.table, "terms": asked}))


K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6  # of a term that stands in half of the rows; all three as in FTS5


class Share:
    """BM25 over one index as if it held some sources alone; each statistic is read once.

    Args:
        index: what is searched.
        sources: ids.
    """

    def __init__(self, db: sqlite3.Connection, index: Name, sources: Sequence[int]) -> None:
        self.db, self._index, self._sources = db, _INDEXES[index], json.dumps([*sources])
        self._documents: dict[str, int] = {}

    def ready(self) -> Self:
        """Itself, to be read from: what a transaction made for that is gone with it."""
        run_script(self.db, "text_share.places_temp")
        return self

    @cached_property
    def _norms(self) -> dict[int, float]:
        """By row: what its length adds below the line of BM25."""
        sizes = {rowid: _tokens(size) for rowid, size in self._run("sizes")}
        mean = sum(sizes.values()) / max(1, len(sizes)) or 1
        return {rowid: K1 * (1 - B + B * size / mean) for rowid, size in sizes.items()}

    @property
    def rows(self) -> int:
        """How many rows the sources have."""
        return len(self._norms)

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        """In how many rows each of *stems* stands; those that stand in none are left out."""
        asked = {*stems}
        if new := asked.difference(self._documents):
            self._documents |= dict(self._run("documents", terms=new))
        return {stem: self._documents[stem] for stem in asked if self._documents[stem]}

    def scores(self, match: str, stems: Collection[str]) -> dict[int, float]:
        """The rows that *match* finds, by id, each with the BM25 of *stems*; none whose record is gone.

        Source: https://www.sqlite.org/fts5.html#the_bm25_function.
        """
        asked = {"rows": json.dumps([rowid for (rowid,) in self._run("rows", match=match)]), **self._index.weights}
        norms, rows = self._norms, self.rows
        scores = defaultdict[int, float](float)
        for stem, documents in self.documents(stems).items():
            idf = max(math.log((rows - documents + 0.5) / (documents + 0.5)), LEAST_IDF)
            for rowid, often in self._run("places", term=stem, **asked):
                scores[rowid] += idf * often * (K1 + 1) / (often + norms[rowid])
        return scores

    def _run(self, statement: str, **values: object) -> sqlite3.Cursor:
        return run(self, f"text_share.share_{statement}", index=self._index.table, sources=self._sources, **values)


def share_of(db: sqlite3.Connection, index: Name, sources: Sequence[int] | None) -> Share | None:
    """The statistics of *sources*; None where they are all that the brain has, so that the index's own are theirs."""
    left_out = "select 1 from sources where id not in (select value from json_each(?))"
    if sources is None or db.execute(left_out, (json.dumps([*sources]),)).fetchone() is None:
        return None
    return Share(db, index, sources).ready()


def _tokens(size: bytes) -> int:
    """The sum of the varints in *size*, one a column.

    >>> _tokens(bytes([3, 0x81, 0x02, 1]))
    134
    """
    if size.isascii():
        return sum(size)
    total = value = 0
    for byte in size:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            total, value = total + value, 0
    return total

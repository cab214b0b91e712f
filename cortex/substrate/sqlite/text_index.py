"""The full-text index of SQLite: FTS5, and BM25 over its vocabulary where a caller reads some sources only."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import chain, starmap
from typing import Final, NamedTuple, Self
from zlib import crc32

from cortex.substrate.statements import column, run, run_script, sql
from cortex.substrate.text_index import (
    FACT_WEIGHTS,
    GROWN,
    K1,
    PASSAGE_WEIGHTS,
    B,
    Match,
    Name,
    Term,
    TextIndex,
    idf,
    top,
)

MOST_SEGMENTS: Final = 4
"""B-trees of an index beyond which it is merged: each term of an expression is looked up in all of them."""

WIDER: Final = 8  # how many times more rows are looked at when too few of the best may be read


class _Index(NamedTuple):
    table: str
    weights: Mapping[str, float]
    merge: str


_FACTS: Final = dict(zip(("w0", "w1", "w2"), (*FACT_WEIGHTS, 0.0), strict=True))
_PASSAGES: Final = dict(zip(("w0", "w1", "w2"), PASSAGE_WEIGHTS, strict=True))
_INDEXES: Final[Mapping[Name, _Index]] = {
    "facts": _Index("facts_fts", _FACTS, "insert into facts_fts (facts_fts) values ('optimize')"),
    "passages": _Index("records_fts", _PASSAGES, "insert into records_fts (records_fts) values ('optimize')"),
}


class _Opened(NamedTuple):
    db: sqlite3.Connection


def count_terms(db: sqlite3.Connection) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""
    # Reading a vocabulary makes FTS5 write out what it still holds in memory.
    db.execute("select exists (select 1 from facts_terms), exists (select 1 from records_terms)").fetchone()
    for index in _INDEXES.values():
        of = {"index": index.table}
        if _documents(db, index, []).get(" ") == _state(db, index):
            continue
        (segments,) = run(_Opened(db), "text_index.search_segments", **of).fetchone()
        if segments > MOST_SEGMENTS:
            db.execute(index.merge)
        run(_Opened(db), "text_index.search_count", **of)
        run(_Opened(db), "text_index.search_uncount", **of)
        run(_Opened(db), "text_index.search_note_count", **of, rows=_rows(db, index), state=_state(db, index))


def counted(db: sqlite3.Connection) -> bool:
    """Whether the terms of both indexes were counted when these were about as large as they are."""
    for index in _INDEXES.values():
        rows, then = _rows(db, index), _documents(db, index, []).get("")
        if rows and (then is None or abs(rows - then) > GROWN * rows):
            return False
    return True


def examined(db: sqlite3.Connection, *, read_only: bool) -> Iterator[bool]:
    """Whether each index holds what its rows say, the facts' first: a write for SQLite, so a reader checks a copy."""
    with closing(sqlite3.connect("")) as copy:
        if read_only:
            db.backup(copy)
        for index in _INDEXES.values():
            yield _holds(copy if read_only else db, index.table)


def rebuild(db: sqlite3.Connection, name: Name) -> None:
    """Make the index anew from its rows."""
    table = _INDEXES[name].table
    db.execute(f"insert into {table} ({table}) values ('rebuild')")  # noqa: S608  one of two names


def _holds(db: sqlite3.Connection, table: str) -> bool:
    try:
        db.execute(f"insert into {table} ({table}, rank) values ('integrity-check', 1)")  # noqa: S608  one of two names
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return False
    return True


def text_index(db: sqlite3.Connection, name: Name, sources: Sequence[int] | None) -> TextIndex:
    """The index of *sources*: with the statistics of FTS5 where they are all that the brain has."""
    left_out = "select 1 from sources where id not in (select value from json_each(?))"
    if sources is None or db.execute(left_out, (json.dumps([*sources]),)).fetchone() is None:
        return _Whole(db, _INDEXES[name])
    return _Share(db, _INDEXES[name], sources).ready()


class _Whole:
    """An index of all sources."""

    _sources: str | None = None

    def __init__(self, db: sqlite3.Connection, index: _Index) -> None:
        self.db, self._index = db, index

    def ready(self) -> Self:
        return self

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        return _documents(self.db, self._index, stems)

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        found = _documents(self.db, self._index, stems)
        rows = found.pop("", 0)
        found.pop(" ", None)
        others = [stem for stem in stems if stem not in found]
        return rows, found | dict(run(self, "text_index.passages_of_one", terms=others))

    def unverified(self, stem: str) -> int:
        run_script(self.db, "text_share.places_temp")
        return int(run(self, "text_index.unverified_passages", stem=stem, sources=self._sources).fetchone()[0])

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        """The best rows; looked for apart, rows with and without *rest* are scored once each."""
        rare, others = _any(any_of), _any(rest)
        if beside:
            return self._scored(f"({rare}) AND ({_any(beside)})", limit)
        if not rest:
            return self._scored(rare, limit)
        apart = (self._scored(f"({rare}) {one} ({others})", limit) for one in ("NOT", "AND"))
        return top(dict(chain.from_iterable(apart)), limit)

    def _scored(self, match: str, limit: int) -> list[Match]:
        if self.db.execute("select 1 from records where gone_at is not null").fetchone() is None:
            return self._matching(match, limit)
        most = limit
        while True:
            most *= 2
            found = self._matching(match, most)
            rows = [one.rowid for one in found]
            readable = {*column(self, "text_index.search_readable", index=self._index.table, rows=rows)}
            best = [one for one in found if one.rowid in readable][:limit]
            if len(best) == limit or len(found) < most:
                return best
            most *= WIDER

    def _matching(self, match: str, most: int) -> list[Match]:
        values = {"index": self._index.table, "match": match, "limit": most}
        return [*starmap(Match, run(self, "text_index.search_best", **values, **self._index.weights))]

    def holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        every = " AND ".join(f"({' OR '.join(map(_pattern, group))})" for group in words)
        return column(self, "text_index.records_holding", match=f"context: ({every})" if titled else every)


class _Share(_Whole):
    """BM25 over one index as if it held some sources alone; each statistic is read once.

    Args:
        index: what is searched.
        sources: ids.
    """

    def __init__(self, db: sqlite3.Connection, index: _Index, sources: Sequence[int]) -> None:
        super().__init__(db, index)
        self._sources = json.dumps([*sources])
        self._documents: dict[str, int] = {}

    def ready(self) -> Self:
        run_script(self.db, "text_share.places_temp")
        return self

    @cached_property
    def _norms(self) -> dict[int, float]:
        """By row: what its length adds below the line of BM25."""
        sizes = {rowid: _tokens(size) for rowid, size in self._run("sizes")}
        mean = sum(sizes.values()) / max(1, len(sizes)) or 1
        return {rowid: K1 * (1 - B + B * size / mean) for rowid, size in sizes.items()}

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        asked = {*stems}
        if new := asked.difference(self._documents):
            self._documents |= dict(self._run("documents", terms=new))
        return {stem: self._documents[stem] for stem in asked if self._documents[stem]}

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        return len(self._norms), self.documents(stems)

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        match = f"({_any(any_of)}) AND ({_any(beside)})" if beside else _any(any_of)
        asked = {"rows": [rowid for (rowid,) in self._run("rows", match=match)], **self._index.weights}
        norms, scores = self._norms, defaultdict[int, float](float)
        stems = [term.stem for term in (*any_of, *rest, *beside)]
        for stem, documents in self.documents(stems).items():
            weight = idf(len(norms), documents)
            for rowid, often in self._run("places", term=stem, **asked):
                scores[rowid] += weight * often * (K1 + 1) / (often + norms[rowid])
        return top(scores, limit)

    def _run(self, statement: str, **values: object) -> sqlite3.Cursor:
        return run(self, f"text_share.share_{statement}", index=self._index.table, sources=self._sources, **values)


def quoted(word: str) -> str:
    """*word* as an FTS5 string, in which nothing is syntax."""
    return '"' + word.replace('"', '""') + '"'


def _pattern(word: str) -> str:
    return f"{quoted(word.removesuffix('*'))}{'*' * word.endswith('*')}"


def _any(terms: Iterable[Term]) -> str:
    return " OR ".join(quoted(term.word) for term in terms)


def _rows(db: sqlite3.Connection, index: _Index) -> int:
    return int(db.execute(sql("text_index.search_extent"), {"index": index.table}).fetchone()[0])


def _state(db: sqlite3.Connection, index: _Index) -> int:
    blocks = db.execute(sql("text_index.search_state"), {"index": index.table})
    return crc32(b"".join(block for _, block in blocks))


def _documents(db: sqlite3.Connection, index: _Index, terms: Iterable[str]) -> dict[str, int]:
    asked = json.dumps(["", " ", *terms])
    return dict(db.execute(sql("text_index.search_frequencies"), {"index": index.table, "terms": asked}))


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

"""The full-text index of PostgreSQL: our own postings, stemmed as FTS5 stems, and BM25 over them as FTS5 has it.

Triggers note which facts and passages came and went; before a transaction ends, `settle` takes them into the postings.
A block of postings is of 1,024 rows of one source: a common term is read in a few pieces, and a new row touches one
piece a term.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from cortex.language.stems import stemmer
from cortex.substrate.statements import statements
from cortex.substrate.text_index import FACT_WEIGHTS, GROWN, K1, PASSAGE_WEIGHTS, B, Match, Name, Term, TextIndex, idf

if TYPE_CHECKING:
    from cortex.substrate.postgres.connection import Connection

BLOCK: Final = 1024
TOGETHER: Final = 8192  # changed rows that are taken in at once, which bounds the memory for it
DOUBLED: Final = 0.5  # share of the passages that came since tables were sampled: what a run does next is planned anew
MOST, LONGEST = 255, 65535  # what a posting tells of a term's occurrences in a column, and of a row's tokens
_POSTING: Final = Struct("<IHBBB")
_FIELDS: Final = np.dtype([("id", "<u4"), ("tokens", "<u2"), ("counts", "u1", 3)])
_LAST: Final = "\U0010ffff"
_WEIGHTS: Final[Mapping[Name, Sequence[float]]] = {"facts": (*FACT_WEIGHTS, 0.0), "passages": PASSAGE_WEIGHTS}

_Array = np.ndarray[Any, Any]
_Key = tuple[str, int, int]
"""A term, a source, a block."""


@cache
def _sql(name: str) -> str:
    return statements("postings", "postgres/sql")[name]


def count_terms(db: Connection) -> None:
    """Take in what came and went, and have the server sample its tables where much did."""
    settle(db)
    _sample(db, GROWN)


def counted(db: Connection, grown: float = GROWN) -> bool:
    """Whether the server sampled its tables when there were about as many passages as there are."""
    return bool(db.execute(_sql("is_sampled"), {"grown": grown}).fetchone()[0])


def _sample(db: Connection, grown: float) -> None:
    if not counted(db, grown):
        db.execute("analyze")


def text_index(db: Connection, name: Name, sources: Sequence[int] | None) -> TextIndex:
    """The index of *sources*; None is all that the brain has."""
    if sources is None:
        sources = [id_ for (id_,) in db.execute("select id from sources")]
    return _Postings(db, name, sources)


def examined(db: Connection, *, read_only: bool) -> Iterator[bool]:  # noqa: ARG001  an engine says which it needs
    """Whether each index holds what its rows say, the facts' first."""
    for name in _WEIGHTS:
        sizes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        rows = _pages(db, f"next_{name}", (-1,), {})
        want = sum(map(hash, chain.from_iterable(_postings(page, sizes, 1) for page in rows)))
        held = chain.from_iterable(_pages(db, "next_postings", ("", 0, 0), {"index": name[0]}))
        have = sum(hash((tuple(key), one)) for *key, data in held for one in _each(data))
        counts = {source: (size["rows"], size["tokens"]) for source, size in sizes.items()}
        noted = {source: size for source, *size in db.execute(_sql("sizes"), {"index": name[0]}) if size[0]}
        yield want == have and counts == {source: tuple(size) for source, size in noted.items()}


def rebuild(db: Connection, name: Name) -> None:
    """Make the index anew from its rows."""
    for statement in ("forget_postings", "forget_sizes", f"take_in_{name}"):
        db.execute(_sql(statement), {"index": name[0]})
    settle(db)


def _pages(db: Connection, statement: str, after: Sequence[object], values: Mapping[str, object]) -> Iterator[Any]:
    """The rows of a statement that gives the next ones after a key, which they begin with."""
    names = ("after", "after_source", "after_block")
    while page := db.execute(
        _sql(statement), {**values, "most": TOGETHER, **dict(zip(names, after, strict=False))}
    ).fetchall():
        yield page
        after = page[-1][: len(after)]


def settle(db: Connection) -> None:
    """Take the facts and passages that came or went into the postings, inside the caller's transaction."""
    if not _changes(db):
        return
    for name in _WEIGHTS:
        for batch in _pages(db, "changed", (-1, -1), {"index": name[0]}):
            _take_in(db, name, batch)
    db.execute(_sql("forget_changes"))
    _sample(db, DOUBLED)


def _changes(db: Connection) -> bool:
    return bool(db.execute(_sql("has_changes")).fetchone()[0])


def _take_in(db: Connection, name: Name, batch: Sequence[tuple[int, int, list[str] | None]]) -> None:
    """Replace the postings of the rows in *batch*, which has what each said before where it was there."""
    were = [(id_, source, texts) for id_, source, texts in batch if texts is not None]
    are = db.execute(_sql(f"texts_of_{name}"), {"ids": [id_ for id_, *_ in batch]}).fetchall()
    gone = {_POSTING.pack(id_, 0, 0, 0, 0)[:4] for id_, *_ in were}
    fresh: defaultdict[_Key, bytearray] = defaultdict(bytearray)
    sizes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for key, _ in _postings(were, sizes, -1):
        fresh[key] += b""
    for key, posting in _postings(are, sizes, 1):
        fresh[key] += posting
    held = db.execute(_sql("held"), {"index": name[0], **_columns(fresh)}).fetchall()
    for *key, data in held:
        fresh[*key] = bytearray(_without(data, gone)) + fresh[*key]
    db.execute(_sql("empty"), {"index": name[0], **_columns([key for *key, _ in held])})
    columns = ("index_name", "term", "source_id", "block", "data")
    db.copy("postings", columns, ((name[0], *key, bytes(data)) for key, data in fresh.items() if data))
    for source, size in sizes.items():
        db.execute(_sql("resize"), {"index": name[0], "source": source, "rows": size["rows"], "tokens": size["tokens"]})


def _postings(
    rows: Sequence[tuple[int, int, Sequence[str]]], sizes: Mapping[int, Counter[str]], sign: int
) -> Iterator[tuple[_Key, bytes]]:
    """The postings of *rows* by key, while their number and tokens are added to *sizes*."""
    stems = iter(stemmer().sequences([*chain.from_iterable(texts for _, _, texts in rows)]))
    for id_, source, texts in rows:
        columns = [Counter(next(stems)) for _ in texts]
        tokens, block = sum(map(Counter.total, columns)), id_ // BLOCK
        sizes[source].update(rows=sign, tokens=sign * tokens)
        if tokens > MOST:
            columns = [Counter({term: min(often, MOST) for term, often in column.items()}) for column in columns]
        first, second, third = (column.get for column in (*columns, Counter[str]())[:3])
        for term in {*chain.from_iterable(columns)}:
            often = first(term, 0), second(term, 0), third(term, 0)
            yield (term, source, block), _POSTING.pack(id_, min(tokens, LONGEST), *often)


def _columns(keys: Iterable[Sequence[object]]) -> dict[str, list[object]]:
    columns = [[*column] for column in zip(*keys, strict=True)] or [[], [], []]
    return dict(zip(("terms", "sources", "blocks"), columns, strict=True))


def _without(data: bytes, gone: Collection[bytes]) -> bytes:
    if not gone:
        return data
    return b"".join(one for one in _each(data) if one[:4] not in gone)


def _each(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _POSTING.size] for at in range(0, len(data), _POSTING.size))


class _Postings:
    """The facts or the passages of some sources; what is counted is kept.

    Args:
        name: which.
        sources: ids.
    """

    def __init__(self, db: Connection, name: Name, sources: Sequence[int]) -> None:
        self.db, self._name = db, name
        self._of = {"index": name[0], "sources": [*sources]}
        self._documents: dict[str, int] = {}

    def ready(self) -> Self:
        return self

    @cached_property
    def _size(self) -> tuple[int, int]:
        """How many rows there are, and how many tokens they have."""
        rows, tokens = self.db.execute(_sql("size"), self._of).fetchone()
        return int(rows), int(tokens)

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        asked = {*stems}
        if new := asked.difference(self._documents):
            counts = dict(self.db.execute(_sql("documents"), {**self._of, "terms": [*new]}))
            self._documents |= {stem: int(counts.get(stem, 0)) for stem in new}
        return {stem: self._documents[stem] for stem in asked if self._documents[stem]}

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        return self._size[0], self.documents(stems)

    def unverified(self, stem: str) -> int:
        return int(np.isin(self._rows([stem])[stem]["id"], self._unverified).sum())

    @cached_property
    def _unverified(self) -> _Array:
        ids: _Array = np.array([id_ for (id_,) in self.db.execute(_sql("unverified"), self._of)], np.int64)
        return ids

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        wanted = self._rows([term.stem for term in (*any_of, *beside)])
        candidates = _ids(wanted[term.stem] for term in any_of)
        if beside:
            candidates = np.intersect1d(candidates, _ids(wanted[term.stem] for term in beside))
        if not len(candidates):
            return []
        wanted |= self._rows([term.stem for term in rest], np.unique(candidates // BLOCK).tolist())
        scores = self._scores(wanted, candidates)
        order, best = np.lexsort((candidates, -scores)), list[Match]()
        while len(order) and len(best) < limit:
            some, order = order[: 2 * limit], order[2 * limit :]
            ids = candidates[some].tolist()
            readable = {id_ for (id_,) in self.db.execute(_sql(f"readable_{self._name}"), {"ids": ids})}
            best += [Match(*one) for one in zip(ids, scores[some].tolist(), strict=True) if one[0] in readable]
        return best[:limit]

    def _scores(self, wanted: Mapping[str, _Array], candidates: _Array) -> _Array:
        rows, tokens = self._size
        weights, mean = np.array(_WEIGHTS[self._name]), tokens / max(1, rows) or 1
        scores, documents = np.zeros(len(candidates)), self.documents(wanted)
        for stem, every in wanted.items():
            places = np.searchsorted(candidates, every["id"]).clip(max=len(candidates) - 1)
            is_candidate = candidates[places] == every["id"]
            postings = every[is_candidate]
            often = postings["counts"] @ weights
            norms = K1 * (1 - B + B * postings["tokens"] / mean)
            scores[places[is_candidate]] += idf(rows, documents.get(stem, 0)) * often * (K1 + 1) / (often + norms)
        return scores

    def _rows(self, stems: Sequence[str], blocks: Sequence[int] | None = None) -> dict[str, _Array]:
        """The postings of each of *stems*; with *blocks* those of these."""
        data: dict[str, list[bytes]] = {stem: [] for stem in stems}
        if stems:
            statement = _sql("of_terms" if blocks is None else "of_terms_in_blocks")
            for stem, some in self.db.execute(statement, {**self._of, "terms": [*stems], "blocks": blocks}):
                data[stem].append(some)
        return {stem: _posted(every) for stem, every in data.items()}

    def holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        found: _Array | None = None
        for group in words:
            holding = _ids(rows[rows["counts"][:, 0] > 0] if titled else rows for rows in self._beginning(group))
            found = holding if found is None else np.intersect1d(found, holding)
        return [] if found is None else [id_ for (id_,) in self.db.execute(_sql("records"), {"ids": found.tolist()})]

    def _beginning(self, group: Sequence[str]) -> Iterator[_Array]:
        for word in group:
            for stem in stemmer().sequence(word):
                if not word.endswith("*"):
                    yield self._rows([stem])[stem]
                    continue
                between = {**self._of, "first": stem, "last": stem + _LAST}
                yield _posted(data for (data,) in self.db.execute(_sql("of_terms_between"), between))


def _posted(data: Iterable[bytes]) -> _Array:
    postings: _Array = np.frombuffer(b"".join(data), _FIELDS)
    return postings


def _ids(every: Iterable[_Array]) -> _Array:
    """The ids of these postings in order, each once."""
    ids: _Array = np.unique(np.concatenate([np.empty(0, np.uint32), *(postings["id"] for postings in every)]))
    return ids

"""Postings as they are read and ranked: BM25 as FTS5 has it.

A row of `postings` is a term in a block of 1,024 rows of one source, seven bytes a posting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from cortex.language.stems import stemmer
from cortex.substrate.postgres.connection import Numbers
from cortex.substrate.postgres.kept import Array, Columns, Kept, in_order
from cortex.substrate.statements import statements
from cortex.substrate.text_index import FACT_WEIGHTS, K1, PASSAGE_WEIGHTS, B, Match, Name, Term, idf

if TYPE_CHECKING:
    from cortex.substrate.postgres.connection import Connection

BLOCK: Final = 1024
FIELDS: Final = np.dtype([("place", "<u2"), ("tokens", "<u2"), ("counts", "u1", 3)])
"""A posting: where in its block a row is, its tokens, and how often the term stands in each of its columns."""

WEIGHTS: Final[Mapping[Name, Sequence[float]]] = {"facts": (*FACT_WEIGHTS, 0.0), "passages": PASSAGE_WEIGHTS}
DEAR: Final = 4  # how many times longer a block of a term is looked up than it is read beside all others
FEW: Final = 4  # times as many rows as are wanted, of which none is let go
WIDER: Final = 8  # how many times more rows are looked at when too few of the best may be read
_LAST: Final = "\U0010ffff"
_BLOCKS: Final = np.dtype([("source", ">i8"), ("block", ">i8"), ("bytes", ">i4")])
_TOLD: Final = np.dtype([("tokens", "<u2"), ("counts", "u1", 3)])
_COUNTS: Final = np.dtype([("source", ">i8"), ("bytes", ">i8")])
_NONE: Final[Array] = np.empty(0, np.uint32)
_NOWHERE: Final = Columns(_NONE, _NONE, np.empty(0, _TOLD))


@cache
def sql(name: str) -> str:
    """A statement of the postings."""
    return statements("postings", "postgres/sql")[name]


class Postings:
    """The facts or the passages of some sources; what is counted is kept.

    Args:
        name: which.
        sources: ids.
    """

    def __init__(self, db: Connection, name: Name, sources: Sequence[int]) -> None:
        self.db, self._name = db, name
        self._sources = Numbers(sources)
        self._of = {"index": name[0], "sources": self._sources}
        self._weights = WEIGHTS[name]

    def ready(self) -> Self:
        """As `TextIndex.ready`."""
        return self

    @cached_property
    def _sizes(self) -> tuple[int, int, int]:
        """How many rows there are, how many tokens they have, and the sum of the versions."""
        rows, tokens, state = self.db.execute(sql("size"), self._of).fetchone()
        return int(rows), int(tokens), int(state)

    @cached_property
    def _kept(self) -> Kept:
        scope = (self.db.place, self._name, (*self._sources,))
        return Kept(scope, self._sizes[2], self._versions, _NOWHERE)

    @cached_property
    def _counted(self) -> Kept:
        scope = (self.db.place, self._name, (*self._sources,))
        return Kept(scope, self._sizes[2], self._versions, Columns(_NONE, _NONE, _NONE))

    def _versions(self) -> dict[int, int]:
        return dict(self.db.execute(sql("versions"), self._of))

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        """As `TextIndex.documents`."""
        asked = {*stems}
        found = {stem: len(held.keys) for stem in asked if (held := self._kept.holds("postings", stem)) is not None}
        counts = self._counted.of("counts", asked - found.keys(), self._read_counts)
        found |= {stem: int(count.values.sum()) for stem, count in counts.items()}
        return {stem: often for stem, often in found.items() if often}

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        """As `TextIndex.frequencies`."""
        return self._sizes[0], self.documents(stems)

    def unverified(self, stem: str) -> int:
        """As `TextIndex.unverified`."""
        return int(np.isin(self._posted([stem])[stem].keys, self._unverified).sum())

    @cached_property
    def _unverified(self) -> Array:
        ids: Array = np.array([id_ for (id_,) in self.db.execute(sql("unverified"), self._of)], np.int64)
        return ids

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        """As `TextIndex.best`."""
        wanted = 2 * limit
        while True:
            ids, scores = self._highest(_stems(any_of), _stems(rest), _stems(beside), wanted)
            found = {"ids": ids.tolist()}
            readable = {id_ for (id_,) in self.db.execute(sql(f"readable_{self._name}"), found)}
            best = [Match(*one) for one in zip(found["ids"], scores.tolist(), strict=True) if one[0] in readable]
            if len(best) >= limit or len(ids) < wanted:
                return best[:limit]
            wanted *= WIDER

    def _highest(
        self, any_of: Sequence[str], rest: Sequence[str], beside: Sequence[str], wanted: int
    ) -> tuple[Array, Array]:
        """The *wanted* rows with the highest scores, the best first, and these.

        What a row lacks at most of its score is known by the terms that are left: it is let go where that is too much.
        """
        posted = self._posted(any_of)
        ids = _ids(posted.values())
        within = {stem: self._within(stem, ids, posted) for stem in beside}
        if beside:
            there: Array = np.zeros(len(ids), bool)
            for rows in within.values():
                there[_common(ids, rows.keys)[0]] = True
            ids = ids[there]
        scores = np.zeros(len(ids))
        idfs = self._idfs({*any_of, *rest, *beside})
        stems = [*dict.fromkeys((*any_of, *beside, *sorted(rest, key=lambda stem: -idfs[stem])))]
        for place, stem in enumerate(stems):
            if len(ids) > FEW * wanted:
                left = sum(idfs[one] for one in stems[place:]) * (K1 + 1)
                least = np.partition(scores, -wanted)[-wanted] - left
                ids, scores = ids[scores >= least], scores[scores >= least]
            rows = posted.get(stem) or within.get(stem) or self._within(stem, ids, posted)
            self._add(ids, scores, idfs[stem], rows)
        if len(ids) > wanted:
            least = np.partition(scores, -wanted)[-wanted]
            ids, scores = ids[scores >= least], scores[scores >= least]
        order = np.lexsort((ids, -scores))[:wanted]
        return ids[order], scores[order]

    def _add(self, ids: Array, scores: Array, weight: float, rows: Columns) -> None:
        """Add to the scores of these rows what a term of this weight gives them."""
        places, at = _common(ids, rows.keys)
        told = rows.values[at]
        often = _often(told["counts"], self._weights)
        norms = K1 * (1 - B + B * told["tokens"] / self._mean)
        scores[places] += weight * often * (K1 + 1) / (often + norms)

    @cached_property
    def _mean(self) -> float:
        rows, tokens, _ = self._sizes
        return tokens / max(1, rows) or 1

    def _idfs(self, stems: Collection[str]) -> dict[str, float]:
        often = self.documents(stems)
        return {stem: idf(self._sizes[0], often.get(stem, 0)) for stem in stems}

    def _within(self, stem: str, ids: Array, posted: Mapping[str, Columns]) -> Columns:
        """The postings of a term, of these rows at least, each of which is among *posted*."""
        if (held := self._kept.holds("postings", stem)) is not None:
            return held
        most = min(self.documents([stem]).get(stem, 0), self._sizes[0] // BLOCK + len(self._kept.versions))
        if DEAR * len(np.unique(ids // BLOCK)) > most:
            return self._posted([stem])[stem]
        blocks = np.unique(np.stack([_sources(ids, posted), ids // BLOCK]), axis=1).tolist()
        asked = {"index": self._name[0], "term": stem, "sources": blocks[0], "blocks": blocks[1]}
        return _read(self.db, "of_term_in_blocks", asked).get(stem, _NOWHERE)

    def _posted(self, stems: Sequence[str]) -> dict[str, Columns]:
        found = self._kept.of("postings", stems, self._read_postings)
        return {stem: found[stem] for stem in stems}

    def _read_postings(self, terms: Sequence[str], sources: Sequence[int]) -> dict[str, Columns]:
        return _read(self.db, "of_terms", {**self._of, "terms": [*terms], "sources": self._numbers(sources)})

    def _read_counts(self, terms: Sequence[str], sources: Sequence[int]) -> dict[str, Columns]:
        rows = self.db.execute(sql("documents"), {**self._of, "terms": [*terms], "sources": self._numbers(sources)})
        return {term: _counts(counts) for term, counts in rows}

    def _numbers(self, sources: Sequence[int]) -> Numbers:
        return self._sources if len(sources) == len(self._sources) else Numbers(sources)

    def holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        """As `TextIndex.holding`."""
        found: Array | None = None
        for group in words:
            holding = _ids(_titled(rows) if titled else rows for rows in self._beginning(group))
            found = holding if found is None else np.intersect1d(found, holding, assume_unique=True)
        return [] if found is None else [id_ for (id_,) in self.db.execute(sql("records"), {"ids": found.tolist()})]

    def _beginning(self, group: Sequence[str]) -> Iterator[Columns]:
        for word in group:
            for stem in stemmer().sequence(word):
                if word.endswith("*"):
                    between = {**self._of, "first": stem, "last": stem + _LAST}
                    yield from _read(self.db, "of_terms_between", between).values()
                else:
                    yield self._posted([stem])[stem]


def _read(db: Connection, statement: str, values: Mapping[str, Any]) -> dict[str, Columns]:
    return {term: _postings(blocks, data) for term, blocks, data in db.execute(sql(statement), values)}


def _postings(blocks: bytes, data: bytes) -> Columns:
    """The postings of a term, in the order of their rows."""
    of, posted = np.frombuffer(blocks, _BLOCKS), np.frombuffer(data, FIELDS)
    often = of["bytes"] // FIELDS.itemsize
    ids, sources = (of["block"] * BLOCK).astype(np.uint32), of["source"].astype(np.uint32)
    told: Array = np.empty(len(posted), _TOLD)
    told["tokens"], told["counts"] = posted["tokens"], posted["counts"]
    return in_order(Columns(np.repeat(ids, often) + posted["place"], np.repeat(sources, often), told))


def _counts(data: bytes) -> Columns:
    of = np.frombuffer(data, _COUNTS)
    sources = of["source"].astype(np.uint32)
    return Columns(sources, sources, (of["bytes"] // FIELDS.itemsize).astype(np.uint32))


def _stems(terms: Iterable[Term]) -> list[str]:
    return [*dict.fromkeys(term.stem for term in terms)]


def _titled(rows: Columns) -> Columns:
    """The postings of the first column."""
    return Columns(*(column[rows.values["counts"][:, 0] > 0] for column in rows))


def _common(ids: Array, keys: Array) -> tuple[Array, Array]:
    """The places in both, each in order, at which the same stands."""
    less, more = (ids, keys) if len(ids) < len(keys) else (keys, ids)
    if not len(less):
        return _NONE, _NONE
    at = np.searchsorted(more, less).clip(max=len(more) - 1)
    there = np.flatnonzero(more[at] == less)
    return (there, at[there]) if less is ids else (at[there], there)


def _sources(ids: Array, posted: Mapping[str, Columns]) -> Array:
    """The source of each row, which is among *posted*."""
    sources: Array = np.zeros(len(ids), np.uint32)
    for rows in posted.values():
        places, at = _common(ids, rows.keys)
        sources[places] = rows.sources[at]
    return sources


def _often(counts: Array, weights: Sequence[float]) -> Array:
    """How often the term stands in each row, by the weights of its columns: the same however many rows there are."""
    first, second, third = (counts[:, column] * weight for column, weight in enumerate(weights))
    often: Array = first + second + third
    return often


def _ids(every: Iterable[Columns]) -> Array:
    """The ids of these postings in order, each once."""
    several = [rows.keys for rows in every if len(rows.keys)]
    if len(several) == 1:
        return several[0]
    ids: Array = np.unique(np.concatenate(several)) if several else _NONE
    return ids

"""Postings as they are read and ranked: BM25 as FTS5 has it.

A row of `postings` is a term in a block of 1,024 rows of one source, seven bytes a posting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from cortex.language.stems import stemmer
from cortex.substrate.postgres.kept import Array, Kept, in_order
from cortex.substrate.statements import statements
from cortex.substrate.text_index import FACT_WEIGHTS, K1, PASSAGE_WEIGHTS, B, Match, Name, Term, idf

if TYPE_CHECKING:
    from cortex.substrate.postgres.connection import Connection

BLOCK: Final = 1024
FIELDS: Final = np.dtype([("place", "<u2"), ("tokens", "<u2"), ("counts", "u1", 3)])
"""A posting: where in its block a row is, its tokens, and how often the term stands in each of its columns."""

WEIGHTS: Final[Mapping[Name, Sequence[float]]] = {"facts": (*FACT_WEIGHTS, 0.0), "passages": PASSAGE_WEIGHTS}
FEW_BLOCKS: Final = 64  # blocks in which a term is looked up that is not kept: no more is read of it
_LAST: Final = "\U0010ffff"
_BLOCKS: Final = np.dtype([("source", ">i8"), ("block", ">i8"), ("bytes", ">i4")])
_POSTED: Final = np.dtype([("id", "<u4"), ("source", "<u4"), ("tokens", "<u2"), ("counts", "u1", 3)])
_COUNTED: Final = np.dtype([("source", "<u4"), ("rows", "<u4")])
_COUNTS: Final = np.dtype([("source", ">i8"), ("bytes", ">i8")])


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
        self._of = {"index": name[0], "sources": [*sources]}
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
        scope = (self.db.place, self._name, (*self._of["sources"],))
        return Kept(scope, self._sizes[2], self._versions, np.empty(0, _POSTED))

    @cached_property
    def _counted(self) -> Kept:
        scope = (self.db.place, self._name, (*self._of["sources"],))
        return Kept(scope, self._sizes[2], self._versions, np.empty(0, _COUNTED))

    def _versions(self) -> dict[int, int]:
        return dict(self.db.execute(sql("versions"), self._of))

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        """As `TextIndex.documents`."""
        asked = {*stems}
        found = {stem: len(held) for stem in asked if (held := self._kept.holds("postings", stem)) is not None}
        counts = self._counted.of("counts", asked - found.keys(), self._read_counts)
        found |= {stem: int(count["rows"].sum()) for stem, count in counts.items()}
        return {stem: often for stem, often in found.items() if often}

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        """As `TextIndex.frequencies`."""
        return self._sizes[0], self.documents(stems)

    def unverified(self, stem: str) -> int:
        """As `TextIndex.unverified`."""
        return int(np.isin(self._posted([stem])[stem]["id"], self._unverified).sum())

    @cached_property
    def _unverified(self) -> Array:
        ids: Array = np.array([id_ for (id_,) in self.db.execute(sql("unverified"), self._of)], np.int64)
        return ids

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        """As `TextIndex.best`."""
        terms = [*dict.fromkeys(term.stem for term in (*any_of, *beside))]
        posted = self._posted(terms)
        candidates = _ids(posted[term.stem] for term in any_of)
        if beside:
            candidates = np.intersect1d(candidates, _ids(posted[term.stem] for term in beside), assume_unique=True)
        if not len(candidates):
            return []
        scores = np.zeros(len(candidates))
        for stem, array in posted.items():
            self._add(candidates, scores, stem, array)
        for stem in dict.fromkeys(term.stem for term in rest if term.stem not in posted):
            self._add(candidates, scores, stem, self._in_rows(stem, candidates))
        order, best = np.lexsort((candidates, -scores)), list[Match]()
        while len(order) and len(best) < limit:
            some, order = order[: 2 * limit], order[2 * limit :]
            ids = candidates[some].tolist()
            readable = {id_ for (id_,) in self.db.execute(sql(f"readable_{self._name}"), {"ids": ids})}
            best += [Match(*one) for one in zip(ids, scores[some].tolist(), strict=True) if one[0] in readable]
        return best[:limit]

    def _add(self, ids: Array, scores: Array, stem: str, array: Array) -> None:
        """Add to the scores of these rows what the term gives them."""
        if not (len(array) and len(ids)):
            return
        keys = np.ascontiguousarray(array["id"])
        if len(keys) <= len(ids):
            places = np.searchsorted(ids, keys).clip(max=len(ids) - 1)
            is_there = ids[places] == keys
            places, there = places[is_there], array[is_there]
        else:
            at = np.searchsorted(keys, ids).clip(max=len(keys) - 1)
            is_there = keys[at] == ids
            places, there = np.flatnonzero(is_there), array[at[is_there]]
        often = _often(there["counts"], self._weights)
        norms = K1 * (1 - B + B * there["tokens"] / self._mean)
        scores[places] += self._idf(stem) * often * (K1 + 1) / (often + norms)

    @cached_property
    def _mean(self) -> float:
        rows, tokens, _ = self._sizes
        return tokens / max(1, rows) or 1

    def _idf(self, stem: str) -> float:
        return idf(self._sizes[0], self.documents([stem]).get(stem, 0))

    def _in_rows(self, stem: str, ids: Array) -> Array:
        """The postings of a term, of these rows at least."""
        blocks = np.unique(ids // BLOCK)
        if len(blocks) > FEW_BLOCKS or self._kept.holds("postings", stem) is not None:
            return self._posted([stem])[stem]
        found = _read(self.db, "of_terms_in_blocks", {**self._of, "terms": [stem], "blocks": blocks.tolist()})
        return found.get(stem, np.empty(0, _POSTED))

    def _posted(self, stems: Sequence[str]) -> dict[str, Array]:
        found = self._kept.of("postings", stems, self._read_postings)
        return {stem: found[stem] for stem in stems}

    def _read_postings(self, terms: Sequence[str], sources: Sequence[int]) -> dict[str, Array]:
        return _read(self.db, "of_terms", {**self._of, "terms": [*terms], "sources": [*sources]})

    def _read_counts(self, terms: Sequence[str], sources: Sequence[int]) -> dict[str, Array]:
        rows = self.db.execute(sql("documents"), {**self._of, "terms": [*terms], "sources": [*sources]})
        return {term: _counts(counts) for term, counts in rows}

    def holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        """As `TextIndex.holding`."""
        found: Array | None = None
        for group in words:
            holding = _ids(rows[rows["counts"][:, 0] > 0] if titled else rows for rows in self._beginning(group))
            found = holding if found is None else np.intersect1d(found, holding, assume_unique=True)
        return [] if found is None else [id_ for (id_,) in self.db.execute(sql("records"), {"ids": found.tolist()})]

    def _beginning(self, group: Sequence[str]) -> Iterator[Array]:
        for word in group:
            for stem in stemmer().sequence(word):
                if word.endswith("*"):
                    between = {**self._of, "first": stem, "last": stem + _LAST}
                    yield from _read(self.db, "of_terms_between", between).values()
                else:
                    yield self._posted([stem])[stem]


def _read(db: Connection, statement: str, values: Mapping[str, Any]) -> dict[str, Array]:
    return {term: _postings(blocks, data) for term, blocks, data in db.execute(sql(statement), values)}


def _postings(blocks: bytes, data: bytes) -> Array:
    """The postings of a term, in the order of their rows."""
    of, told = np.frombuffer(blocks, _BLOCKS), np.frombuffer(data, FIELDS)
    often = of["bytes"] // FIELDS.itemsize
    postings: Array = np.empty(len(told), _POSTED)
    postings["id"] = np.repeat(of["block"] * BLOCK, often) + told["place"]
    postings["source"] = np.repeat(of["source"], often)
    postings["tokens"], postings["counts"] = told["tokens"], told["counts"]
    return in_order(postings)


def _counts(data: bytes) -> Array:
    of = np.frombuffer(data, _COUNTS)
    counts: Array = np.empty(len(of), _COUNTED)
    counts["source"], counts["rows"] = of["source"], of["bytes"] // FIELDS.itemsize
    return counts


def _often(counts: Array, weights: Sequence[float]) -> Array:
    """How often the term stands in each row, by the weights of its columns: the same however many rows there are."""
    first, second, third = (counts[:, column] * weight for column, weight in enumerate(weights))
    often: Array = first + second + third
    return often


def _ids(every: Iterable[Array]) -> Array:
    """The ids of these postings in order, each once."""
    several = [postings["id"] for postings in every if len(postings)]
    ids: Array = np.unique(np.concatenate(several)) if several else np.empty(0, np.uint32)
    return ids

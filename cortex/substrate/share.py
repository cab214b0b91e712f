"""Full-text statistics of some sources: what the others hold changes no score, and not which rows are found."""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Final, Literal

from cortex.substrate.statements import sql

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6  # of a term that stands in half of the rows; all three as in FTS5


class Share:
    """BM25 over one index as if it held some sources alone; each statistic is read once.

    Args:
        index: what is searched.
        sources: ids.
    """

    def __init__(self, db: sqlite3.Connection, index: Literal["facts", "passages"], sources: Sequence[int]) -> None:
        self._db, self._index, self._sources = db, index, json.dumps([*sources])
        self._documents: dict[str, int] = {}
        for statement in sql("places_temp").split(";\n"):
            db.execute(statement)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        sizes = [_tokens(size) for (size,) in self._run("sizes")]
        return len(sizes), sum(sizes)

    @property
    def rows(self) -> int:
        """How many rows the sources have."""
        return self._sizes[0]

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        """In how many rows each of *stems* stands; those that stand in none are left out."""
        asked = {*stems}
        if new := asked.difference(self._documents):
            found = dict(self._run("documents", terms=json.dumps([*new], ensure_ascii=False)))
            self._documents |= {stem: found.get(stem, 0) for stem in new}
        return {stem: self._documents[stem] for stem in asked if self._documents[stem]}

    def scores(self, match: str, stems: Collection[str], weights: Sequence[float]) -> dict[int, float]:
        """The rows that *match* finds, by id, each with the BM25 of *stems*; none whose record is gone.

        Source: https://www.sqlite.org/fts5.html#the_bm25_function.
        """
        found = {rowid: _tokens(size) for rowid, size in self._run("rows", match=match)}
        rows, total = self._sizes
        norms = {rowid: K1 * (1 - B + B * size * rows / total) for rowid, size in found.items()}
        scores = defaultdict[int, float](float)
        asked = {f"w{place}": weight for place, weight in enumerate(weights)} | {"rows": json.dumps([*found])}
        for stem, documents in self.documents(stems).items():
            idf = max(math.log((rows - documents + 0.5) / (documents + 0.5)), LEAST_IDF)
            for rowid, often in self._run("places", term=stem, **asked):
                scores[rowid] += idf * often * (K1 + 1) / (often + norms[rowid])
        return scores

    def _run(self, statement: str, **values: object) -> sqlite3.Cursor:
        return self._db.execute(sql(f"share_{self._index}_{statement}"), {"sources": self._sources} | values)


def share_of(
    db: sqlite3.Connection, index: Literal["facts", "passages"], sources: Sequence[int] | None
) -> Share | None:
    """The statistics of *sources*; None where they are all that the brain has, so that the index's own are theirs."""
    left_out = "select 1 from sources where id not in (select value from json_each(?))"
    if sources is None or db.execute(left_out, (json.dumps([*sources]),)).fetchone() is None:
        return None
    return Share(db, index, sources)


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

"""BM25 as FTS5 computes it, for rows whose text is at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log
from typing import Final, NamedTuple, TypeAlias

from cortex.language.stems import COLUMN, ROW, likely, stemmer

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6


Text: TypeAlias = tuple[int, bytes, *tuple[str, ...]]
"""A row: rowid, tokens by column as FTS5 notes them in `%_docsize`, then the text of each column."""


class Extent(NamedTuple):
    """How much an index holds."""

    rows: int
    tokens: int

    @property
    def mean_length(self) -> float:
        """Tokens a row."""
        return self.tokens / self.rows if self.rows else 0.0


def idf(documents: int, rows: int) -> float:
    """What a term in *documents* of *rows* rows is worth: ln((N - n + 0.5) / (n + 0.5)), and never nothing.

    Source: fts5_aux.c of SQLite, fts5Bm25GetData.
    """
    return max(LEAST_IDF, log((rows - documents + 0.5) / (documents + 0.5)))


def scored(
    rows: Sequence[Text],
    idfs: Mapping[str, float],
    weights: Sequence[float],
    mean_length: float,
) -> list[tuple[int, float]]:
    """Rowid and score of each row, in their order.

    Source: fts5_aux.c of SQLite, fts5Bm25Function: a term counts as often as it stands in a column, times the
    column's weight, and a row is as long as all its columns together.
    """
    short, slope = K1 * (1 - B), K1 * B / mean_length if mean_length else 0.0
    found = []
    for (rowid, size, *_), counts in zip(rows, _counts([texts for _, _, *texts in rows], idfs, weights), strict=True):
        norm = short + slope * sum(varints(size))
        found.append((rowid, (K1 + 1) * sum([idfs[term] * count / (count + norm) for term, count in counts.items()])))
    return found


def _counts(rows: Iterable[Sequence[str]], terms: Collection[str], weights: Sequence[float]) -> list[dict[str, float]]:
    """How often each of *terms* stands in each row, weighted by column."""
    every = []
    counts: dict[str, float] = {}
    column = 0
    found = likely(rows, terms)
    terms_of = stemmer().forms(set(found), terms)
    for chunk in found:
        if chunk == COLUMN:
            column += 1
        elif chunk == ROW:
            every.append(counts)
            counts, column = {}, 0
        else:
            for term in terms_of.get(chunk, ()):
                counts[term] = counts.get(term, 0.0) + weights[column]
    return every


def longest_rival(score: float, threshold: float, mean_length: float) -> float:
    """How many tokens a row may have that reaches *score* with terms, once each, whose idfs add up to *threshold*."""
    return mean_length * ((K1 + 1) * threshold / max(score, LEAST_IDF) - 1 - K1 * (1 - B)) / (K1 * B)


def varints(blob: bytes) -> list[int]:
    """The numbers of a record of FTS5, seven bits a byte, high bits first.

    Source: fts5_varint.c of SQLite; row 1 of `%_data` holds the index's rows and their tokens by column.

    >>> varints(bytes([0x05, 0x81, 0x00]))
    [5, 128]
    """
    if blob.isascii():
        return list(blob)
    numbers, number = [], 0
    for byte in blob:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    return numbers

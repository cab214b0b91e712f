"""BM25 as FTS5 computes it, for rows whose text is at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Final, NamedTuple

from cortex.substrate.search_words import chunks, forms, length

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6


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
    rows: Sequence[tuple[int, *tuple[str, ...]]],
    idfs: Mapping[str, float],
    weights: Sequence[float],
    mean_length: float,
) -> list[tuple[int, float]]:
    """Rowid and score of each row, in their order.

    Args:
        rows: rowid, then the text of each column.

    Source: fts5_aux.c of SQLite, fts5Bm25Function: a term counts as often as it stands in a column, times the
    column's weight, and a row is as long as all its columns together.
    """
    split = [[chunks(text) if text else [] for text in texts] for _, *texts in rows]
    every = set[bytes]().union(*[column for columns in split for column in columns])
    terms_of = forms(every, idfs.keys())
    short, slope = K1 * (1 - B), K1 * B / mean_length
    found = []
    for (rowid, *texts), columns in zip(rows, split, strict=True):
        plain = all(map(str.isascii, texts))
        tokens = sum(map(len, columns)) if plain else sum(map(length, columns))
        norm = short + slope * tokens
        counts = _counts(columns, weights, terms_of)
        found.append((rowid, (K1 + 1) * sum([idfs[term] * count / (count + norm) for term, count in counts.items()])))
    return found


def _counts(
    columns: Iterable[Iterable[bytes]], weights: Iterable[float], terms_of: Mapping[bytes, Sequence[str]]
) -> dict[str, float]:
    counts: dict[str, float] = {}
    for column, weight in zip(columns, weights, strict=True):
        for chunk in [chunk for chunk in column if chunk in terms_of]:
            for term in terms_of[chunk]:
                counts[term] = counts.get(term, 0.0) + weight
    return counts


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

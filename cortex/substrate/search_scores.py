"""BM25 as FTS5 computes it, for rows whose text is at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Final, NamedTuple

from cortex.substrate.search_words import forms, words

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


class Candidate(NamedTuple):
    """A row that may be among the best: its length in tokens and the text of its columns."""

    rowid: int
    length: int
    texts: Sequence[str]


def idf(documents: int, rows: int) -> float:
    """What a term in *documents* of *rows* rows is worth: ln((N - n + 0.5) / (n + 0.5)), and never nothing.

    Source: fts5_aux.c of SQLite, fts5Bm25GetData.
    """
    return max(LEAST_IDF, log((rows - documents + 0.5) / (documents + 0.5))) if documents <= rows else LEAST_IDF


def scored(
    candidates: Iterable[Candidate], idfs: Mapping[str, float], weights: Sequence[float], mean_length: float
) -> list[tuple[float, int]]:
    """Score and rowid of each candidate, in their order.

    Source: fts5_aux.c of SQLite, fts5Bm25Function: a term counts as often as it stands in a column, times the
    column's weight, and a row is as long as all its columns together.
    """
    split = [(row, [words(text) for text in row.texts]) for row in candidates]
    stem_of = forms({word for _, columns in split for column in columns for word in column}, idfs)
    best = []
    for row, columns in split:
        counts: dict[str, float] = {}
        for column, weight in zip(columns, weights, strict=True):
            for word in column:
                if word in stem_of:
                    stem = stem_of[word]
                    counts[stem] = counts.get(stem, 0.0) + weight
        norm = K1 * (1 - B + B * row.length / mean_length)
        score = sum(idfs[stem] * count * (K1 + 1) / (count + norm) for stem, count in counts.items())
        best.append((score, row.rowid))
    return best


def varints(blob: bytes) -> list[int]:
    """The numbers of a record of FTS5, seven bits a byte, high bits first.

    Source: fts5_varint.c of SQLite; `%_docsize` holds a row's tokens by column, `%_data` 1 the rows and their tokens.

    >>> varints(bytes([0x05, 0x81, 0x00]))
    [5, 128]
    """
    numbers, number = [], 0
    for byte in blob:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    return numbers

"""What the full-text index of an engine gives, and the BM25 that every engine ranks by."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Protocol, Self

Name = Literal["facts", "passages"]

FACT_WEIGHTS: Final = (1.0, 0.4)  # of a fact's statement, and of its identifiers taken apart
PASSAGE_WEIGHTS: Final = (2.0, 1.0, 0.4)
"""Of a passage's context (its thread's title, its headings), its text, and its identifiers taken apart."""

GROWN: Final = 0.2
"""Share of the rows that may have come or gone since what queries are planned by was counted: the plans stay good."""

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6  # of a term that stands in half of the rows; all three as in FTS5


class Match(NamedTuple):
    """A row that was found."""

    rowid: int
    score: float
    """BM25, higher is better; comparable within one search only."""


class Term(NamedTuple):
    """A word of a query, its stem, and in how many rows that stands as far as planning needs it."""

    word: str
    stem: str
    documents: int


class TextIndex(Protocol):
    """The facts or the passages of some sources by the words they hold, with the statistics of these sources alone."""

    def ready(self) -> Self:
        """Itself, to be read from: what a transaction made for that is gone with it."""

    def documents(self, stems: Iterable[str]) -> dict[str, int]:
        """In how many rows each of *stems* stands, to plan by; one that stands in a single row may be left out."""

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        """How many rows there are, and how many hold each of *stems*; stems nobody wrote are left out."""

    def unverified(self, stem: str) -> int:
        """In how many unverified passages *stem* stands."""

    def best(
        self, any_of: Sequence[Term], limit: int, *, rest: Sequence[Term] = (), beside: Sequence[Term] = ()
    ) -> list[Match]:
        """The best rows, best first, equals by rowid; none whose record is gone.

        Args:
            any_of: a row holds one of these.
            rest: terms that count where they stand in such a row.
            beside: where given, a row holds one of these, too.
        """

    def holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        """Ids of the records with a passage that holds a word of each group; 'instal*' is any that begins so.

        Args:
            titled: whether it holds them in its context.
        """


class _Engine(Protocol):
    def text_index(self, db: sqlite3.Connection, name: Name, sources: Sequence[int] | None) -> TextIndex: ...

    def count_terms(self, db: sqlite3.Connection) -> None: ...

    def counted(self, db: sqlite3.Connection) -> bool: ...

    def examined(self, db: sqlite3.Connection, *, read_only: bool) -> Iterator[bool]: ...

    def rebuild(self, db: sqlite3.Connection, name: Name) -> None: ...


def engine_of(db: sqlite3.Connection) -> _Engine:
    """The module that keeps the full-text indexes of *db*."""
    engine = "sqlite" if type(db) is sqlite3.Connection else "postgres"
    module: Any = import_module(f"cortex.substrate.{engine}.text_index")  # the other one's may not be installed
    return module  # type: ignore[no-any-return]


def idf(rows: int, documents: int) -> float:
    """What a term weighs that stands in *documents* of *rows*.

    Source: https://www.sqlite.org/fts5.html#the_bm25_function.
    """
    return max(math.log((rows - documents + 0.5) / (documents + 0.5)), LEAST_IDF)


def top(scores: Mapping[int, float], limit: int) -> list[Match]:
    """The *limit* best of *scores*."""
    return [Match(rowid, -worse) for worse, rowid in sorted([(-scores[rowid], rowid) for rowid in scores])[:limit]]

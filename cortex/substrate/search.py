"""Full-text search over facts and passages, ranked by BM25."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.substrate.statements import sql
from cortex.substrate.tokens import parts

FACT_WEIGHTS: Final = (1.0, 0.4)
"""Of a fact's statement, and of its identifiers taken apart."""

PASSAGE_WEIGHTS: Final = (2.0, 1.0, 0.4)
"""Of a passage's context (its thread's title, its headings), its text, and its identifiers taken apart."""

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_TERMS: Final = 32

STOP_WORDS: Final = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could did do does doing done down during each either else ever every few for from further get gets got
    had has have having he her here hers him his how i if in into is it its itself just let like may me might more
    most must my no nor not now of off on once only or other our ours out over own please same shall she should so
    some such than that the their theirs them then there these they this those through to too under until up upon us
    very was we were what when where whether which while who whom whose why will with within without would yet you
    your yours""".split()
)


class Match(NamedTuple):
    """A row that was found."""

    rowid: int
    score: float
    """BM25, higher is better; comparable within one search only."""


def query_terms(text: str) -> list[str]:
    """The words to search for *text*: casefolded, each once, without stop words unless nothing else is left.

    An identifier gives its pieces and its joined form beside its words. Any text is fine; one of only punctuation
    gives none.

    >>> query_terms("What does busy_timeout do?")
    ['busy', 'timeout', 'busytimeout']
    """
    words = dict.fromkeys(_WORD.findall(text.lower()))
    words |= dict.fromkeys(parts(text).split())
    return [word for word in words if word not in STOP_WORDS] or list(words)


def count_terms(db: sqlite3.Connection) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""


def search_facts(
    db: sqlite3.Connection, query: str | Sequence[str], *, sources: Sequence[int] | None, limit: int = 30
) -> list[Match]:
    """Facts for *query*, best first; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
    """
    return _search(db, "search_facts", query, FACT_WEIGHTS, sources, limit)


def search_passages(
    db: sqlite3.Connection,
    query: str | Sequence[str],
    *,
    sources: Sequence[int] | None,
    limit: int = 30,
    weights: tuple[float, float, float] = PASSAGE_WEIGHTS,
) -> list[Match]:
    """Passages for *query*, best first; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
        weights: of a passage's context, its text, and its identifiers taken apart.
    """
    return _search(db, "search_passages", query, weights, sources, limit)


def _search(
    db: sqlite3.Connection,
    statement: str,
    query: str | Sequence[str],
    weights: Sequence[float],
    sources: Sequence[int] | None,
    limit: int,
) -> list[Match]:
    terms = query_terms(query if isinstance(query, str) else " ".join(query))[:_MOST_TERMS]
    if not terms or limit < 1:
        return []
    values: dict[str, object] = {f"w{column}": weight for column, weight in enumerate(weights)}
    values |= {
        "match": " OR ".join(f'"{term}"' for term in terms),
        "sources": None if sources is None else json.dumps(list(sources)),
        "limit": limit,
    }
    return [Match(*row) for row in db.execute(sql(statement), values)]

"""Full-text search over facts and passages, ranked by BM25.

`match 'a OR b …' order by bm25()` scores each row any of the words stands in, a microsecond each. So rows are looked
for by the rarest words of a query, as counted in the index; its common words count in those rows alone. Where a
caller reads some sources only, statistics are of these alone: what the others hold changes no score.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from cortex.language.identifiers import parts
from cortex.language.stems import split, stemmer
from cortex.language.words import STOP_WORDS
from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.text_index import Match, Name, Term, TextIndex, engine_of

MOST_TERMS: Final = 32  # terms a query is cut to, the rarest
_LEAST: Final[dict[Name, int]] = {"facts": 2500, "passages": 1000}
"""Rows with the rarest terms from which a row that has only commoner ones is hardly among the best."""

_ELISION: Final = regex(r"(?<=[^\W_])['’](?:s|t|d|m|re|ll|ve)\b", re.IGNORECASE)


def query_terms(text: str) -> list[str]:
    """The words to search for *text*: lower case, each once, without stop words unless nothing else is left.

    An identifier gives its pieces and its joined form beside its words. Any text is fine; one of only punctuation
    gives none.

    >>> query_terms("What doesn't busy_timeout do?")
    ['busy', 'timeout', 'busytimeout']
    """
    found = dict.fromkeys(split(_ELISION.sub(" ", text)))
    found |= dict.fromkeys(parts(text).split())
    return [word for word in found if word not in STOP_WORDS] or list(found)


def count_terms(brain: Brain) -> None:
    """Bring the document frequencies that queries are planned by up to date; writes nothing when they are."""
    engine_of(brain.db).count_terms(brain.db)


def counted(brain: Brain) -> bool:
    """Whether the terms of both indexes were counted when these were about as large as they are."""
    return engine_of(brain.db).counted(brain.db)


def text_index(db: sqlite3.Connection, name: Name, sources: Sequence[int] | None) -> TextIndex:
    """The index of the facts or the passages of *sources*; None is all that the brain has."""
    return engine_of(db).text_index(db, name, sources)


def search(
    db: sqlite3.Connection,
    name: Name,
    query: str | Sequence[str],
    *,
    sources: Sequence[int] | None,
    limit: int = 30,
    beside: Sequence[str] = (),
    index: TextIndex | None = None,
) -> list[Match]:
    """Facts or passages for *query*, best first, equals by rowid; none whose record is gone.

    Args:
        query: any text, or terms as `query_terms` gives them.
        sources: ids of the sources to search; None searches all.
        beside: more terms; a row must hold one of these and one of *query*, unless those are too many to look at.
        index: of these sources, where it was opened before.
    """
    asked, others = _words_of(query), _words_of(beside)
    index = index or text_index(db, name, sources)
    terms = _terms(index, [*asked, *others])
    if not terms or limit < 1:
        return []
    if not others:
        count = _rarest(terms, name)
        best = index.best(terms[:count], limit, rest=terms[count:])
        return best if len(best) == limit or count == len(terms) else index.best(terms, limit)
    own = [term for term in terms if term.word in asked]
    own = own[: _rarest(own, name)]
    rest = [term for term in terms if term.word not in asked]
    return index.best(own or rest, limit, beside=rest if own else ())


def _terms(index: TextIndex, words: Sequence[str]) -> list[Term]:
    words_of: dict[str, str] = {}
    for word, stem in stemmer().stem(words).items():
        words_of.setdefault(stem, word)
    documents = index.documents(words_of)
    terms = [Term(word, stem, documents.get(stem, 1)) for stem, word in words_of.items()]
    return sorted(terms, key=lambda term: term.documents)[:MOST_TERMS]


def _rarest(terms: Sequence[Term], name: Name) -> int:
    taken = accumulate((term.documents for term in terms[:-1]), initial=0)
    return sum(before < _LEAST[name] for before in taken)


def _words_of(query: str | Sequence[str]) -> list[str]:
    return query_terms(query) if isinstance(query, str) else [word for term in query for word in split(term)]

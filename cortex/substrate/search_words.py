"""Which words of a text are which terms of the full-text index: SQLite's own tokenizer splits, folds and stems them."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterable
from typing import Final

TOKENIZER: Final = "porter unicode61 remove_diacritics 2"
"""As the schema declares it for `facts_fts` and `records_fts`."""

_WORD: Final = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
_MOST_REMEMBERED: Final = 200_000

_thread: Final = threading.local()


def words(text: str) -> list[str]:
    """The runs of letters and digits of *text*, lower case, as often as they stand there."""
    return _WORD.findall(text.lower())


def stems(some: Iterable[str]) -> dict[str, str]:
    """The index's term for each word; a word it knows no letter of is left out."""
    known = _remembered()
    wanted = list(dict.fromkeys(some))
    if new := [word for word in wanted if word not in known]:
        known.update(dict.fromkeys(new, ""))
        known.update(_tokenized(new))
    return {word: known[word] for word in wanted if known[word]}


def forms(found: Collection[str], terms: Collection[str]) -> dict[str, str]:
    """Those of the words *found* that the index keeps as one of *terms*, with the term.

    Only words that begin like a term are looked at: a Porter stem differs from its word in its last two letters at
    most, and words beyond ASCII are always looked at, as folding may change any letter.
    """
    starts = tuple({term[: max(1, min(3, len(term) - 2))] for term in terms})
    likely = (word for word in found if word.startswith(starts) or not word.isascii())
    wanted = set(terms)
    return {word: term for word, term in stems(likely).items() if term in wanted}


def _remembered() -> dict[str, str]:
    known: dict[str, str] | None = getattr(_thread, "known", None)
    if known is None or len(known) > _MOST_REMEMBERED:
        known = _thread.known = {}
    return known


def _tokenized(some: list[str]) -> list[tuple[str, str]]:
    together = _instances([" ".join(some)])
    if len(together) == len(some):
        return [(some[place], term) for _, place, term in together]
    apart = _instances(some)  # four times slower; needed when a word has a letter the tokenizer does not know
    return [(some[row], term) for row, place, term in apart if place == 0]


def _instances(texts: list[str]) -> list[tuple[int, int, str]]:
    db = _tokenizer()
    db.executemany("insert into words (rowid, word) values (?, ?)", enumerate(texts))
    found = db.execute("select doc, offset, term from instances").fetchall()
    db.execute("insert into words (words) values ('delete-all')")
    return found


def _tokenizer() -> sqlite3.Connection:
    """A connection of this thread's own: FTS5 shows its tokens through the vocabulary of a table only."""
    db: sqlite3.Connection | None = getattr(_thread, "db", None)
    if db is None:
        db = _thread.db = sqlite3.connect(":memory:", isolation_level=None)
        db.execute(f"create virtual table words using fts5 (word, content = '', tokenize = '{TOKENIZER}')")
        db.execute("create virtual table instances using fts5vocab (words, 'instance')")
    return db

"""Which words of a text are which terms of the full-text index: SQLite's own tokenizer splits, folds and stems them."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from cortex.substrate.stems import beginning_like, chunks

TOKENIZER: Final = "porter unicode61 remove_diacritics 2"
"""As the schema declares it for `facts_fts` and `records_fts`."""

_WORD: Final = re.compile(r"[^\W_]+")
COLUMN: Final = b"\xfe"
ROW: Final = b"\xff"
"""Chunks that no text has: UTF-8 knows neither byte."""

_COLUMN: Final = b" %b " % COLUMN
_ROW: Final = b" %b " % ROW
_MOST_REMEMBERED: Final = 200_000

_thread: Final = threading.local()


def words(text: str) -> list[str]:
    """The runs of letters and digits of *text*, lower case, as often as they stand there."""
    return _WORD.findall(text.lower())


def likely(rows: Iterable[Sequence[str]], terms: Collection[str]) -> list[bytes]:
    """The chunks of *rows* that may be any of *terms*, lower case, `COLUMN` between two columns, `ROW` after a row.

    A row's chunks are as `cortex.substrate.stems.chunks` makes them; all rows are split in one go.
    """
    joined = [_COLUMN.join([text.encode("utf-8", "surrogatepass") for text in texts]) for texts in rows]
    return beginning_like(frozenset(terms)).findall(chunks(_ROW.join([*joined, b""])))


def stems(some: Iterable[str]) -> dict[str, str]:
    """The index's term for each word; a word it knows no letter of is left out."""
    wanted = {word: word.encode() for word in some}
    known = _known(wanted.values())
    return {word: known[chunk][0] for word, chunk in wanted.items() if known[chunk]}


def forms(found: Collection[bytes], terms: Collection[str]) -> dict[bytes, tuple[str, ...]]:
    """Those of the chunks *found* that the index keeps as any of *terms*, with those terms."""
    known = _known(found)
    kept = ((chunk, tuple(term for term in known[chunk] if term in terms)) for chunk in found)
    return {chunk: those for chunk, those in kept if those}


def _known(some: Iterable[bytes]) -> dict[bytes, tuple[str, ...]]:
    """The terms of everything ever asked for, *some* included."""
    known: dict[bytes, tuple[str, ...]] | None = getattr(_thread, "known", None)
    if known is None or len(known) > _MOST_REMEMBERED:
        known = _thread.known = {}
    if new := [chunk for chunk in dict.fromkeys(some) if chunk not in known]:
        known.update(_tokenized(new))
    return known


def _tokenized(some: list[bytes]) -> Iterable[tuple[bytes, tuple[str, ...]]]:
    texts = [chunk.decode("utf-8", "replace") for chunk in some]
    together = _instances([" ".join(texts)])
    if len(together) == len(some) and all(map(bytes.isascii, some)):
        return [(some[place], (term,)) for _, place, term in together]
    found: dict[int, list[str]] = {}
    for row, _, term in _instances(texts):  # a row each: four times slower
        found.setdefault(row, []).append(term)
    return [(chunk, tuple(found.get(row, ()))) for row, chunk in enumerate(some)]


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

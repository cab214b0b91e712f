"""Words as the full-text index knows them: split, folded and stemmed by SQLite's own tokenizer, and remembered.

A text is scanned for the chunks that begin like a term, and only those are looked up.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import Final

TOKENIZER: Final = "porter unicode61 remove_diacritics 2"  # as the schema declares it for `facts_fts` and `records_fts`
_CHUNK: Final = re.compile(rb" [^ ]+")
_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256)).lower()
_BEYOND: Final = rb"[!-\x7f]*+[\x80-\xff]"
"""Begins a chunk beyond ASCII, which may be any term, as folding may change any letter."""

_BEYOND_ASCII: Final = re.compile(rb" %b[^ ]*" % _BEYOND)
_MOST_REMEMBERED: Final = 200_000
_LONG: Final = re.compile(r"[^\W_]{1000,}")
"""No word; FTS5 cuts one at 32 kB, also inside a character, which nobody can read then."""

_thread: Final = threading.local()


class Stemmer:
    """Stems by the tokenizer of `records_fts` and `facts_fts`; a word it has seen costs a lookup.

    Not for two threads at once: `stemmer` gives each its own.
    """

    def __init__(self) -> None:
        self._stems_in: dict[bytes, tuple[str, ...]] = {}
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute(f"create virtual table words using fts5 (word, content = '', tokenize = '{TOKENIZER}')")
        self._db.execute("create virtual table stems using fts5vocab (words, 'instance')")

    def stem(self, words: Iterable[str]) -> dict[str, str]:
        """The stem of each of *words* (lower case, as `split` gives them); a word that is none is left out."""
        chunk_of = {word: b" " + word.encode("utf-8", "surrogatepass") for word in words}
        known = self._known(chunk_of.values())
        return {word: known[chunk][0] for word, chunk in chunk_of.items() if known[chunk]}

    def sequence(self, text: str) -> list[str]:
        """The stems of *text* in order."""
        return self.sequences([text])[0]

    def sequences(self, texts: Iterable[str]) -> list[list[str]]:
        """The stems of each of *texts* in order; what is new in them is learned in one go."""
        found = [_CHUNK.findall(chunks(text.encode("utf-8", "surrogatepass"))) for text in texts]
        known = self._known({*chain.from_iterable(found)})
        return [[stem for chunk in one for stem in known[chunk]] for one in found]

    def among_each(self, wanted: Collection[str], texts: Iterable[str]) -> list[frozenset[str]]:
        """Which of the stems *wanted* stand in each of *texts*; what is new in them is learned in one go."""
        terms = frozenset(wanted)
        found_in = _beginning_like(terms).findall
        found = []
        for text in texts:
            split_ = chunks(text.encode("utf-8", "surrogatepass"))
            some = {*found_in(split_)}  # which is faster where there is nothing beyond ASCII
            found.append(some if split_.isascii() else some.union(_BEYOND_ASCII.findall(split_)))
        stems_of = self._known(set().union(*found)).__getitem__
        return [terms.intersection(chain.from_iterable(map(stems_of, one))) for one in found]

    def _known(self, some: Collection[bytes]) -> dict[bytes, tuple[str, ...]]:
        if new := {*some}.difference(self._stems_in):
            if len(self._stems_in) > _MOST_REMEMBERED:
                self._stems_in.clear()
                new = {*some}
            self._learn([*new])
        return self._stems_in

    def _learn(self, some: Sequence[bytes]) -> None:
        plain = [chunk for chunk in some if chunk.isascii()]
        together = self._instances([b"".join(plain).decode()])
        if len(together) != len(plain):  # some are no words, or several
            plain, together = [], []
        self._stems_in |= {plain[place]: (stem,) for _, place, stem in together}
        if not (others := [chunk for chunk in some if chunk not in self._stems_in]):
            return
        found: dict[int, list[str]] = {}  # far slower
        for row, _, stem in self._instances([_LONG.sub(" ", chunk.decode("utf-8", "replace")) for chunk in others]):
            found.setdefault(row, []).append(stem)
        self._stems_in |= {chunk: tuple(found.get(row, ())) for row, chunk in enumerate(others)}

    def _instances(self, texts: Sequence[str]) -> list[tuple[int, int, str]]:
        self._db.execute("begin")
        try:
            self._db.executemany("insert into words (rowid, word) values (?, ?)", enumerate(texts))
            return self._db.execute("select doc, offset, term from stems order by doc, offset").fetchall()
        finally:
            self._db.execute("rollback")  # an index that is never written costs a quarter of one that is emptied


def stemmer() -> Stemmer:
    """This thread's own."""
    if not hasattr(_thread, "stemmer"):
        _thread.stemmer = Stemmer()
    mine: Stemmer = _thread.stemmer
    return mine


def split(text: str) -> list[str]:
    """The words of *text*, lower case, where the tokenizer would split it, as often as they stand there."""
    return _WORD.findall(text.lower())


def chunks(text: bytes) -> bytes:
    """The runs of letters and digits of *text*, lower case, a space before each: split at all ASCII has between words.

    Args:
        text: UTF-8; a chunk with characters beyond ASCII may hold several words, or none.
    """
    return b" " + text.translate(_BETWEEN)


@lru_cache(64)
def _beginning_like(terms: frozenset[str]) -> re.Pattern[bytes]:
    """What finds, in `chunks`, those that begin like a term.

    A Porter stem differs from its word in its last letter at most, as FTS5 stems.
    """
    starts = sorted({term[: max(1, min(4, len(term) - 1))].encode() for term in terms})
    branches = [
        re.escape(letter) + b"(?:%b)" % b"|".join(re.escape(start[1:]) for start in those)
        for letter, those in groupby(starts, key=lambda start: start[:1])
    ]
    # a group would take half as long again to look for
    return re.compile(rb" (?:%b)[^ ]*" % b"|".join([*branches, rb"(?!)"]))

"""Words as the full-text index knows them: asked of SQLite's own tokenizer, and remembered."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256)).lower()
_MOST_REMEMBERED: Final = 200_000


class Stemmer:
    """Stems by the tokenizer of `records_fts` and `facts_fts`; a word it has seen costs a lookup.

    Not for two threads at once: give each its own.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._stems_in: dict[bytes, tuple[str, ...]] = {}
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute(
            "create virtual table words"
            " using fts5 (word, content = '', tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._db.execute("create virtual table stems using fts5vocab (words, 'instance')")

    def stem(self, words: Iterable[str]) -> Mapping[str, str]:
        """The stem of each of *words* (lower case, as `split` gives them); a word that is none is left out."""
        asked = set(words)
        if unknown := sorted(word for word in asked if word not in self._known):
            self._learn(unknown)
        return {word: stem for word in asked if (stem := self._known[word])}

    def sequence(self, text: str) -> list[str]:
        """The stems of *text* in order."""
        words = split(text)
        stems = self.stem(words)
        return [stems[word] for word in words if word in stems]

    def among(self, wanted: Collection[str], text: str) -> set[str]:
        """Which of the stems *wanted* stand in *text*; words that begin otherwise are not even looked up."""
        found = set(beginning_like(frozenset(wanted)).findall(chunks(text.encode("utf-8", "surrogatepass"))))
        if unknown := [chunk for chunk in found if chunk not in self._stems_in]:
            words_in = {chunk: split(chunk.decode("utf-8", "replace")) for chunk in unknown}
            stems = self.stem(word for words in words_in.values() for word in words)
            for chunk, words in words_in.items():
                self._stems_in[chunk] = tuple(stems[word] for word in words if word in stems)
        return {stem for chunk in found for stem in self._stems_in[chunk] if stem in wanted}

    def _learn(self, words: list[str]) -> None:
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
            self._stems_in.clear()
        self._known |= dict.fromkeys(words, "")
        self._db.execute("begin")
        self._db.executemany("insert into words (rowid, word) values (?, ?)", enumerate(words))
        for row, stem in self._db.execute("select doc, term from stems order by doc, offset desc"):
            self._known[words[row]] = stem
        self._db.execute("rollback")  # an index that is never written costs a quarter of one that is emptied


def split(text: str) -> list[str]:
    """The words of *text*, lower case, where the tokenizer would split it."""
    return _WORD.findall(text.lower())


def chunks(text: bytes) -> bytes:
    """The runs of letters and digits of *text*, lower case, a space before each: split at all ASCII has between words.

    Args:
        text: UTF-8; a chunk with characters beyond ASCII may hold several words, or none.
    """
    return b" " + text.translate(_BETWEEN)


@lru_cache(64)
def beginning_like(terms: frozenset[str]) -> re.Pattern[bytes]:
    """What finds, in `chunks`, those that may be any of *terms*.

    A chunk beyond ASCII is always likely, as folding may change any letter. Of the others those are that begin like
    a term: a Porter stem differs from its word in its last two letters at most.
    """
    starts = b"|".join(sorted({re.escape(term[: max(1, min(3, len(term) - 2))].encode()) for term in terms}))
    return re.compile(rb" ((?:%b|[!-\x7f]*+[\x80-\xff])[^ ]*)" % (starts or b"(?!)"))

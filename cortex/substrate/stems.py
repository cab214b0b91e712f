"""Words as the full-text index knows them: asked of SQLite's own tokenizer, and remembered."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_REMEMBERED: Final = 200_000


class Stemmer:
    """Stems by the tokenizer of `records_fts` and `facts_fts`; a word it has seen costs a lookup.

    Not for two threads at once: give each its own.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
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
        beginnings = {stem[:2] for stem in wanted}
        plain = text.isascii()  # else accents may hide how a word begins
        words = {word for word in split(text) if word[:2] in beginnings or not (plain or word.isascii())}
        return {stem for stem in self.stem(words).values() if stem in wanted}

    def _learn(self, words: list[str]) -> None:
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        self._known |= dict.fromkeys(words, "")
        self._db.execute("begin")
        self._db.executemany("insert into words (rowid, word) values (?, ?)", enumerate(words))
        for row, stem in self._db.execute("select doc, term from stems order by doc, offset desc"):
            self._known[words[row]] = stem
        self._db.execute("rollback")  # an index that is never written costs a quarter of one that is emptied


def split(text: str) -> list[str]:
    """The words of *text*, lower case, where the tokenizer would split it."""
    return _WORD.findall(text.lower())

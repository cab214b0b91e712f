"""Words as FTS5 reads them."""

from __future__ import annotations


def quoted(word: str) -> str:
    """*word* as an FTS5 string, in which nothing is syntax."""
    return '"' + word.replace('"', '""') + '"'

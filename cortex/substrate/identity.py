"""Names that outlive a rebuild: the handle of a fact, and the fingerprint by which equal statements are known.

Both are written into brains and into other people's pull requests, so neither function may ever change what it
returns for a given input; the tests hold it to fixed vectors.
"""

from __future__ import annotations

import hashlib
from typing import Final

_OPENING: Final = "\"'`*([{“‘«„"
_CLOSING: Final = "\"'`*)]}”’».,;:!?…"


def normalised(statement: str) -> str:
    """*statement* casefolded, single-spaced, its words without the punctuation around them.

    Operators and signs stay, since `x != y`, `-1` and `C++` would otherwise read as `x y`, `1` and `C`.
    A statement that is all punctuation keeps it.

    >>> normalised("Use  WAL mode, (always).")
    'use wal mode always'
    """
    words = statement.casefold().split()
    bare = [word if word.isalnum() else word.rstrip(_CLOSING).lstrip(_OPENING) for word in words]
    return " ".join(filter(None, bare)) or " ".join(words)


def fingerprint(statement: str) -> str:
    """16 hex digits, the same for statements that differ only in case, spacing and punctuation around words."""
    text = normalised(statement).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def handle(source: str, ref: str, statement: str) -> str:
    """The name a fact is cited by: 'fact-' and 12 hex digits of its source, its record's ref and its statement."""
    name = "\0".join((source, ref, statement)).encode("utf-8", "surrogatepass")
    return "fact-" + hashlib.sha256(name).hexdigest()[:12]

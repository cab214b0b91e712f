"""Identifiers of a text, taken apart and put together.

They are taken apart so that `busyTimeout`, `busy_timeout` and `busy-timeout` find each other.

FTS5's tokenizer splits at every character that is no letter or digit, and only there: `busy_timeout` gives two tokens
and `busyTimeout` one. `parts` adds what is missing on either side: the pieces of a camel-cased word, and the joined
form of a word with borders in it. As the joined form of the rows and that of a query are the same token, a row with
the whole identifier outranks one that has its pieces apart, without a phrase query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cortex.regex import regex

LONGEST: Final = 64  # characters of a word beyond which it is data (a hash, a key, encoded bytes) and not a name
_MOST_PIECES: Final = 8
_REMEMBERED: Final = 100

# A border inside a word: aB, ABc, a1, a_b, a.b, a/b, a-b, a::b, or the number of an issue. One class begins it, which
# is looked for fastest: what follows the border, or the border itself.
_HINT: Final = regex(
    r"[A-Z0-9_/.:-](?:(?<=[A-Za-z#][0-9])|(?<=[a-z][A-Z])|(?<=[A-Z][A-Z])(?=[a-z])"
    r"|(?<=[^\W_][_/.-])(?=[^\W_])|(?<=[^\W_]-)(?=>[^\W_])|(?<=[^\W_]:)(?=:[^\W_]))"
)
_WORD: Final = regex(r"[A-Za-z]{2,10}://\S+|[^\W_](?:->|::|[\w/.-])*[^\W_]|#[0-9]+")
_ISSUE_PATH: Final = regex(r"/(?:issues|pull)/([0-9]+)")
_BORDER: Final = regex(r"(?:->|::|[_/.-])+")
_VERSION: Final = regex(r"[vV]?([0-9]+(?:\.[0-9]+)+)((?:[-.]?[A-Za-z]+[0-9]*)?)")
_CAMEL: Final = regex(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_NAME_AND_NUMBER: Final = regex(r"[A-Za-z]{2,}[0-9]+")
_PLURAL_ACRONYM: Final = regex(r"[A-Z]{2,}s")


def parts(text: str) -> str:
    """What the tokenizer would not give for the identifiers of *text*, separated by spaces; mostly ''.

    Each piece stands once, in order of appearance.

    >>> parts("openBrain sets busy_timeout, see src/a/b.py and #958")
    'open brain busytimeout srcabpy bpy ref958'
    >>> parts("HTTPServer2 needs sha256 since v0.3.2")
    'http server 2 sha 256 v0x3x2'
    >>> parts("Plain prose has none.")
    ''
    """
    if not _HINT.search(text):
        return ""
    found: dict[str, None] = {}
    for piece in text.split():
        if inside := (_remembered if len(piece) <= _REMEMBERED else _inside)(piece):
            found |= inside
    return " ".join(found)


def _inside(piece: str) -> dict[str, None]:
    """The parts of what stands between two spaces; no word of ours has a space in it."""
    if not _HINT.search(piece):
        return {}
    words = (word for word in _WORD.findall(piece) if len(word) <= LONGEST and _HINT.search(word))
    return dict.fromkeys(part for word in words for part in _of_word(word))


_remembered = lru_cache(maxsize=1 << 15)(_inside)  # names, dates and code repeat


def _of_word(word: str) -> Iterator[str]:
    if word[0] == "#":
        yield "ref" + word[1:]
        return
    if "://" in word:
        yield from ("ref" + number for number in _ISSUE_PATH.findall(word))
        return
    if version := _VERSION.fullmatch(word):
        yield "v" + version[1].replace(".", "x") + re.sub(r"[-.]", "", version[2]).lower()
        return
    pieces = [piece for piece in _BORDER.split(word) if piece]
    if len(pieces) > 1 and not all(len(piece) == 1 for piece in pieces):
        yield from _joined(word, pieces)
    for piece in pieces:
        yield from _camel(piece)


def _joined(word: str, pieces: list[str]) -> Iterator[str]:
    yield "".join(pieces).lower()
    for step in word.split("/") if "/" in word else ():  # the last step of a path is what people type
        inside = [piece for piece in _BORDER.split(step) if piece]
        if len(inside) > 1:
            yield "".join(inside).lower()


def _camel(piece: str) -> Iterator[str]:
    if not piece.isascii() or _PLURAL_ACRONYM.fullmatch(piece):
        return
    split = _CAMEL.findall(piece)
    # x86, secp256k1, 0a1b2c3d: a number within or after one letter is part of the name
    apart = not any(part.isdigit() for part in split) or _NAME_AND_NUMBER.fullmatch(piece)
    if 1 < len(split) <= _MOST_PIECES and apart:
        yield from (part.lower() for part in split)

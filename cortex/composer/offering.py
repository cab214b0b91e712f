"""Whether something is there: what a document lists, an item or a heading each, answers 'is X supported?'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.rows import STANDING, Row
from cortex.substrate.stems import Stemmer

LISTED: Final = "listed in a document"
"""Why such a part stands before what is worth more."""

LONGEST: Final = 300
"""Characters of what an item says at most."""

ROW: Final = 3
SHORT: Final = 5
"""Names that are a row, and words that one has at most."""

_THERE: Final = r"(?:supported|available|included|provided|offered)"
_ASKED: Final = re.compile(
    rf"^\W*(?:is|are) (?P<is>[^?]{{2,60}}?) {_THERE}\W*$"
    r"|^\W*(?:does|do|can) [^?]{1,40}? (?:support|include|provide|offer) (?P<does>[^?]{2,60}?)\W*$"
    r"|^\W*is there (?P<there>[^?]{2,40}?) support\W*$|^\W*is there (?:a )?support for (?P<for>[^?]{2,60}?)\W*$",
    re.I,
)
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+•|]|\d{1,2}[.)])[ \t]*(\S.*)$", re.M)
_SENTENCES: Final = re.compile(r"[.:;\n]")
_BETWEEN: Final = re.compile(r",|\b(?:and|or)\b")
_OTHER: Final = re.compile(r"\b(?:fixe[sd]|changed|changes)\W*$", re.I)
_GONE: Final = re.compile(
    r"\b(?:no|not|never|none|without|non|un\w+ed|remov\w+|drop\w*|deprecat\w+|planned|todo|future|ideas?|roadmap)\b"
    r"|n['’]t\b|\[ \]",
    re.I,
)


def listed_first(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> list[Ordered]:
    """*ordered*, where it asks whether something is there, after the first document that lists it."""
    what = _asked(question, stemmer)
    listing = next((one for one in ordered if what and _lists(one.fused.row, what, stemmer)), None)
    if listing is None or any(one.fused.relation in ("listed", "owns", "done") for one in ordered):
        return [*ordered]
    return [listing._replace(moved=LISTED), *(one for one in ordered if one is not listing)]


def _asked(question: Question, stemmer: Stemmer) -> frozenset[str]:
    """The stems of what it asks whether it is there; none where it asks something else, or whether it is so still."""
    match = None if question.latest else _ASKED.search(question.text)
    what = match[match.lastgroup or 0] if match else ""
    return frozenset(stemmer.sequence(what)) & question.stems


def _lists(row: Row, what: frozenset[str], stemmer: Stemmer) -> bool:
    """Whether a document has *what* for a heading, an item of a list or in a row of names, and not as gone."""
    if row.type not in STANDING or row.nested or _GONE.search(row.title) or _OTHER.search(row.title):
        return False
    items = (match[1][:LONGEST] for match in _ITEM.finditer(row.text))
    said = (row.title.rpartition(" › ")[2], *items, *_entries(row.text))
    return any(what <= {*stemmer.sequence(one)} and not _GONE.search(one) for one in said)


def _entries(text: str) -> Iterator[str]:
    """The names that *text* has in rows of three or more: 'German, English and French'."""
    for sentence in _SENTENCES.split(text):
        pieces = _BETWEEN.split(sentence) if "," in sentence and not _GONE.search(sentence) else []
        if len(pieces) >= ROW:
            yield from (piece for piece in pieces if len(piece.split()) <= SHORT)

"""What documents list as there, an item or a heading each: 'is X supported?' asks for nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import tells_what_was
from cortex.composer.rows import STANDING, Row, load_passages
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql

MOST: Final = 16
"""Passages of documents with the words that are read for it."""

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
    r"|n['’]t\b|\[ \]|~~|[✗✘❌🚫⛔]|\|\s*[-–—]\s*(?:\||$)",
    re.I,
)
_OTHERS: Final = re.compile(
    r"\b(?:limitations?|limits|known (?:issues|problems)|alternatives?|out of scope|compar\w+|related|see also|vs)\b",
    re.I,
)
"""Headings of what is not there, or is of others."""


def with_listing(brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]) -> list[Fused]:
    """*fused*, and where it asks whether something is there the first part of a document that lists it.

    However much was said of it elsewhere.
    """
    what = asked_for(question, brain.stemmer)
    words = [word for word, stem in brain.stemmer.stem(question.terms).items() if stem in what]
    if not words:
        return [*fused]
    wanted = {
        "match": " AND ".join(map(quoted, words)), "sources": json.dumps([*sources]), "limit": MOST,
    }  # fmt: skip
    ids = [id_ for (id_,) in brain.db.execute(sql("documents_with"), wanted)]
    found = load_passages(brain, ids, as_of=question.as_of)
    rows = sorted((found[id_] for id_ in ids if id_ in found), key=_depth)
    listing = next((row for row in rows if lists(row, what, brain.stemmer)), None)
    if listing is None:
        return [*fused]
    others = [one for one in fused if one.row.record_id != listing.record_id]
    known = next((one for one in fused if one.row.record_id == listing.record_id), Fused(0.0, 0.0, listing, None))
    return [known._replace(passage=listing, relation=known.relation or "listing"), *others]


def _depth(row: Row) -> int:
    """In how many folders a document stands: the nearer to the root, the more it speaks of the whole."""
    return row.ref.partition("#")[0].count("/")


def asked_for(question: Question, stemmer: Stemmer) -> frozenset[str]:
    """The stems of what it asks whether it is there; none where it asks something else, or whether it is so still."""
    match = None if question.latest else _ASKED.search(question.text)
    what = match[match.lastgroup or 0] if match else ""
    return frozenset(stemmer.sequence(what)) & question.stems


def lists(row: Row, what: frozenset[str], stemmer: Stemmer) -> bool:
    """Whether a document has *what* for a heading, an item of a list or in a row of names, and not as gone."""
    if row.type not in STANDING or row.nested or tells_what_was(row.ref, row.title):
        return False
    if any(heading.search(row.title) for heading in (_GONE, _OTHER, _OTHERS)):
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

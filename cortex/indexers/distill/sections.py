"""Sections of documents cut into units: sentences, list items with what introduces them, table rows with their heads.

Markdown is read as CommonMark has it; reStructuredText by its lines, as far as these tell an item from a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill import markdown, restructured
from cortex.indexers.distill.prose import TERM_WORDS
from cortex.indexers.distill.unit import Unit
from cortex.substrate.facts import plain

_PRONOUN: Final = re.compile(
    r"^(?:It|This)(?= (?:is|was|must|should|shall|may|can|cannot|will|has|had|does|defaults?|returns|controls|sets"
    r"|takes|holds|contains|requires|allows|means|needs|runs|uses|ensures|prevents|applies|provides|supports|makes|only|never"
    r"|always)\b)"
    r"|^It(?= (?!(?:seems|appears|depends|follows|happens|turns|takes|goes|looks|sounds|helps|matters)\b)[a-z]{2,}s\b)"
)
_NOBODY: Final = re.compile(
    r"It (?:is|was|may be|can be|must be|should be) (?:(?:not|also|very|always|often|usually|generally|then) )*"
    r"(?:\w+ that\b|(?:up|best|better|worth|good|(?:im)?possible|important|necessary|recommended|advisable|useful"
    r"|common|helpful|easy|hard|difficult|safe|enough|essential|vital|sufficient) (?:to|for|if|when)\b)",
    re.IGNORECASE,
)
"""The "it" that stands for nothing: "It is recommended that", "It is up to"."""

_NAMED: Final = re.compile(r"(?!(?:how|why|what|when|where|who|which|can|do|does|is|are|should)\b)[^?]+", re.IGNORECASE)


def sections(title: str, body: str, *, path: str) -> Iterator[Unit]:
    """The units of a section, in order.

    Args:
        title: its headings, joined by ' › '.
        path: of the file, whose suffix tells what it is written in.
    """
    heading = title.rpartition(" › ")[2]
    units = (restructured if path.endswith(".rst") else markdown).units(body)
    question = heading if heading.endswith("?") else ""
    named = heading if len(heading.split()) <= TERM_WORDS and _NAMED.fullmatch(heading) else ""
    until = 0  # up to here each sentence says "it" of the heading
    for number, unit in enumerate(units):
        if number == 0:
            first = unit._replace(first=True, shape="answer") if question else _named(unit._replace(first=True), named)
            until = first.end if first.resolved else 0
            yield first
        elif unit.start < until:
            until = unit.end if _PRONOUN.match(plain(body[until : unit.end])) else until
            yield _named(unit, named)
        else:
            yield unit


def _named(unit: Unit, heading: str) -> Unit:
    """*unit* with its heading for the "it" or "this" it begins with, where it does."""
    if not heading or unit.shape in ("item", "term") or not _PRONOUN.match(unit.text) or _NOBODY.match(unit.text):
        return unit
    return unit._replace(text=_PRONOUN.sub(lambda _: heading, unit.text), resolved=True)

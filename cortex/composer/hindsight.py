"""What a text says today that was not written yet on a day: it names what came later, or tells what replaced it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from cortex.composer.dates import DATE
from cortex.composer.retrieve.changelogs import tells_what_was
from cortex.language.markdown import Span
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_PART: Final = re.compile(r"\n(?=[^\S\n]*(?:\n|[-*+•#|]|\d{1,3}[.)]\s|\**\w[\w -]{0,30}:))")
"""Where a line begins that is not of the one before: a paragraph, an item, a row, a field like 'Status:'."""

_REPLACED: Final = (
    r"^\W*(?:(?:status|note|update|this|the|it|decision|record|adr|rfc|is|was|has|been|now|later|partly|partially"
    r"|accepted|approved)\W+)*(?:superseded|replaced|obsoleted?|deprecated|amended)\b"
)


def read_hindsight(brain: Brain, ids: Collection[int], as_of: str) -> dict[int, re.Pattern[str]]:
    """What finds the parts of a text that were written after *as_of*, for those of the records *ids* that may have any.

    What names a thing that was made later was written later; and so was the entry of a changelog below no date for what
    was not merged or closed yet, and the status of a document that was replaced later.
    """
    found: dict[int, set[str]] = {}
    for id_, ref, title, named, is_new in brain.db.execute(
        sql("named_later"), {"ids": json.dumps([*ids]), "as_of": as_of}
    ):
        if is_new or (tells_what_was(ref, title) and not DATE.search(title)):
            number = re.escape(named.partition(":")[2])
            found.setdefault(id_, set()).add(rf"(?:#|\bgh-|/)(?:{number})(?!\w)" if named else _REPLACED)
    return {id_: re.compile("|".join(sorted(ways)), re.I | re.M) for id_, ways in found.items()}


def without_hindsight(text: str, later: re.Pattern[str] | None) -> str:
    r"""*text* with what *later* finds blank, each character where it was: whole paragraphs, items and fields.

    >>> without_hindsight("- A lock (#7).\n- A gate\n  (#9).\n", re.compile("#9"))
    '- A lock (#7).\n        \n       \n'
    """
    if later is None or not later.search(text):
        return text
    starts = [0, *(match.end() for match in _PART.finditer(text)), len(text)]
    parts = (text[start:end] for start, end in pairwise(starts))
    return "".join(re.sub(r"[^\n]", " ", part) if later.search(part) else part for part in parts)


def as_written(text: str, within: Span, around: Span, whole: str) -> Span:
    """The part of *within*, around that span of it, in which *text* has all that stands in the *whole* of it."""
    start, end = within
    blank = [place for place in range(start, min(end, len(text))) if text[place] != whole[place]]
    before = [place for place in blank if place < around.start]
    after = [place for place in blank if place >= around.start]
    start, end = (before[-1] + 1 if before else start), (after[0] if after else end)
    said = text[start:end]
    return Span(start + len(said) - len(said.lstrip()), start + len(said.rstrip()))


def says_anything(text: str) -> bool:
    """Whether more than headings is left of it."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())

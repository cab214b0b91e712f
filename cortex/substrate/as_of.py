"""As of a day: what a text says today that was not written yet, made blank character for character."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from cortex.language.markdown import Span
from cortex.language.patterns import patterns
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_PART: Final = re.compile(r"\n(?=[^\S\n]*(?:\n|[-*+•#|]|\d{1,3}[.)]\s|\**\w[\w -]{0,30}:))")
"""Where a paragraph, an item, a row or a field such as 'Status:' begins."""


def written_later(brain: Brain, ids: Collection[int], as_of: str) -> dict[int, re.Pattern[str]]:
    """By record id: what finds the parts of its text that were written after *as_of*.

    A part that names what was made later was written later, and so was the status of a document replaced later.
    """
    ways: dict[int, set[str]] = {}
    asked = {"ids": json.dumps([*ids]), "as_of": as_of}
    for id_, _, _, named, is_new in brain.db.execute(sql("named_later"), asked):
        if is_new:
            number = re.escape(named.partition(":")[2])
            replaced = patterns("questions", "status")["replaced"].pattern.removeprefix("(?im)")
            ways.setdefault(id_, set()).add(rf"(?:#|\bgh-|/)(?:{number})(?!\w)" if named else replaced)
    return {id_: re.compile("|".join(sorted(every)), re.I | re.M) for id_, every in ways.items()}


def without(text: str, later: re.Pattern[str]) -> str:
    r"""*text* with the parts that *later* finds blank.

    >>> without("- A lock (#7).\n- A gate\n  (#9).\n", re.compile("#9"))
    '- A lock (#7).\n        \n       \n'
    """
    starts = [0, *(match.end() for match in _PART.finditer(text)), len(text)]
    parts = (text[start:end] for start, end in pairwise(starts))
    return "".join(re.sub(r"[^\n]", " ", part) if later.search(part) else part for part in parts)


def clipped(text: str, within: Span, around: Span, whole: str) -> Span:
    """The part of *within*, around that span of it, in which *text* has all that stands in *whole*."""
    start, end = within
    blank = [place for place in range(start, min(end, len(text))) if text[place] != whole[place]]
    start = max((place + 1 for place in blank if place < around.start), default=start)
    end = min((place for place in blank if place >= around.start), default=end)
    said = text[start:end]
    return Span(start + len(said) - len(said.lstrip()), start + len(said.rstrip()))

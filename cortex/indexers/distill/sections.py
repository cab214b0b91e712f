"""Sections of documents cut into units: sentences, list items with what introduces them, table rows with their heads.

Markdown is read as CommonMark has it; reStructuredText by its lines, as far as these tell an item from a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill import markdown, restructured
from cortex.indexers.distill.prose import TERM_WORDS
from cortex.indexers.distill.questions import is_question, says_only_yes_or_no
from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns
from cortex.substrate.facts import plain

_ENGLISH: Final = patterns("distill", "sections")

_PRONOUN: Final = _ENGLISH["pronoun"]
_NOBODY: Final = _ENGLISH["nobody"]
"""The "it" that stands for nothing, or for what comes after it: "It is forbidden to", "It is the owner who"."""

_TAGLINE: Final = re.compile(r"\s+[-–—]+\s+")
_ABOUT_IT: Final = _ENGLISH["about_it"]
"""A sentence after which "it" is still what it was: it names nothing else that "it" could be."""


def sections(title: str, body: str, *, path: str) -> Iterator[Unit]:
    """The units of a section, in order.

    Args:
        title: its headings, joined by ' › '.
        path: of the file, whose suffix tells what it is written in.
    """
    units = (restructured if path.endswith(".rst") else markdown).units(body)
    unanswered = is_question(title.rpartition(" › ")[2])
    named = _thing(title)
    until = 0  # up to here each sentence says "it" of the heading
    about = subject = False
    for number, unit in enumerate(units):
        if unanswered and (number == 0 or unit.sentences > 1) and unit.shape in ("sentence", "term"):
            unanswered = says_only_yes_or_no(unit.text)
            yield unit._replace(first=number == 0, shape="answer")
        elif number == 0:
            first = _named(unit._replace(first=True), named)
            until = first.end if first.resolved else 0
            about = first.resolved and _ABOUT_IT.match(plain(body[first.start : first.end])) is not None
            unanswered = False
            subject = first.resolved or _begins_with(first.text, named)
            yield from _readable(first)
        elif unit.start < until:
            last = plain(body[until : unit.end])
            if about and _PRONOUN.match(last):
                until, about = unit.end, _ABOUT_IT.match(last) is not None
            yield from _readable(_named(unit, named))
        elif subject and unit.sentences == 1:
            yield from _readable(_named(unit, named))
        else:
            yield from _readable(unit)


def _thing(title: str) -> str:
    """The last heading that is no mere part of a text, where it names something."""
    headings = (_ENGLISH["numbering"].sub("", name) for name in reversed(title.split(" › ")))
    heading = _TAGLINE.split(next((name for name in headings if not _ENGLISH["generic"].fullmatch(name)), ""))[0]
    return heading if len(heading.split()) <= TERM_WORDS and _ENGLISH["named"].fullmatch(heading) else ""


def _begins_with(text: str, heading: str) -> bool:
    """Whether a sentence is about *heading*: it begins with it, as "The optional `workers` field" does."""
    name = re.sub(r"^\W+", "", heading.partition("(")[0].strip('*_`" '))
    begins = rf"\W*+(?:(?:the|an?)\W++)?(?:(?!and\b|or\b|of\b)\w[\w-]*+\W*)?{re.escape(name)}(?!\w)"
    return bool(name) and re.match(begins, text, re.IGNORECASE) is not None


def _readable(unit: Unit) -> Iterator[Unit]:
    """*unit*, unless it begins with an "it" or "these" that nothing in it tells of."""
    if (
        unit.shape not in ("sentence", "item")
        or unit.resolved
        or unit.context
        or not _ENGLISH["opens"].match(unit.text)
        or (_NOBODY.match(unit.text) and not _ENGLISH["of_a_thing"].search(unit.text))
    ):
        yield unit


def _named(unit: Unit, heading: str) -> Unit:
    """*unit* with its heading for the "it" or "this" it begins with, where it does."""
    if not heading or unit.shape in ("item", "term") or not _PRONOUN.match(unit.text) or _NOBODY.match(unit.text):
        return unit
    return unit._replace(text=_PRONOUN.sub(lambda _: heading, unit.text), resolved=True)

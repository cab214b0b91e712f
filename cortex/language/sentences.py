"""The one splitter of sentences: spans into the original text, lists, code, addresses and abbreviations respected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.language.dates import MONTH
from cortex.language.markdown import HEADING_MARK, LIST_MARK, Span, blocks
from cortex.regex import regex

LONGEST: Final = 2_000  # characters of a sentence; what is longer is none, and comes in pieces
LONGEST_LINK: Final = 200  # characters of the text of a link before what looks like the end of a sentence in it

_END = regex(  # one class begins it, which is looked for fastest
    r"""[.!?…。！？](?:(?<=[.!?…。])(["'”’)\]*_`]*)\s+(?=["'“‘(\[*_`]*[A-Z0-9À-ÞЀ-Я`@#/])"""
    rf"""(?!(?<=\d\.\s)(?<!\d\d\d\.\s){MONTH})|(?<=[。！？])())"""
)
_AFTER_END: Final = regex(r"(?<=[.!?])\s+")
_ABBREVIATION = regex(r"(?:\b(?:e\.g|i\.e|etc|cf|vs|resp|approx|Dr|Mr|Ms|St|No|Fig|Sec|ca|incl|al)|\b[A-Z])\.$")
_BEFORE_NUMBER = regex(
    r"(?<![\w-])(?:[Nn]os?|[Ff]igs?|[Vv]ol|pp?|[Ee]qs?|v\d{1,3}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$"
)
_LINK_GOES_ON = regex(r"[^\[\]\n]{1,200}\][(\[]")
_TITLE_NUMBER = regex(r"\s*\d{1,4}(?:\.\d{1,4}){0,5}\.$")


def sentences(text: str) -> Iterator[Span]:
    """Each sentence of the prose, list marks and surrounding space left off; code is left out."""
    for block in blocks(text):
        if not block.is_code:
            yield from sentences_of(text, block.span)


def sentences_of(text: str, block: Span) -> Iterator[Span]:
    """The sentences of one block, or of any characters that belong together."""
    is_marked = not text[block.start : block.start + 1].isalpha()
    heading = HEADING_MARK.match(text, block.start, block.end) if is_marked else None
    mark = heading or (is_marked and LIST_MARK.match(text, block.start, block.end))
    start = mark.end() if mark else block.start
    for border in _END.finditer(text, start, block.end):
        said = border.start() + 1
        is_title = heading is not None and start == heading.end()
        if said > start and not _goes_beyond(text, start, border, is_title=is_title):
            yield from _pieces(text, start, border.end(border.lastindex or 0))
            start = border.end()
    yield from _pieces(text, start, block.end)


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        cut = end if end - start <= LONGEST else text.rfind(" ", start + 1, start + LONGEST) + 1 or start + LONGEST
        rest = text[start:cut].lstrip()
        if rest:
            yield Span(cut - len(rest), cut - len(rest) + len(rest.rstrip()))
        start = cut


def split_line(line: str) -> list[str]:
    """The sentences of one line of plain text, of any case: markup taken off, as facts are stated."""
    return _AFTER_END.split(line)


def _goes_beyond(text: str, start: int, border: re.Match[str], *, is_title: bool) -> bool:
    """Whether the sentence from *start* goes on after what only looks like its end: '[1. Ports](1.md)', 'no. 5'."""
    said = border.start() + 1
    tail = text[max(start, said - 8) : said]
    numbered = text[border.end() : border.end() + 1].isdecimal() and _BEFORE_NUMBER.search(tail)
    if numbered or _ABBREVIATION.search(tail):
        return True
    link = text.rfind("[", max(start, said - LONGEST_LINK), said)
    if link >= 0 and text.find("]", link, said) < 0 and _LINK_GOES_ON.match(text, said):
        return True
    return is_title and _TITLE_NUMBER.fullmatch(text, start, said) is not None

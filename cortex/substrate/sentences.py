"""Cutting Markdown into sentences and passages, by offset; what is quoted from somebody else is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

PASSAGE_CHARACTERS: Final = 700

LONGEST_LINK: Final = 200
"""Characters of the text of a link before what looks like the end of a sentence in it."""

_FENCE = re.compile(r"[ ]{0,3}(```+|~~~+)")
_QUOTED = re.compile(r"[ ]{0,3}>")
_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|(?:Nov|Dec)(?:ember)?)\b"
)
ITEM: Final = rf"(?:[-*+•]|\d{{1,3}}(?:\)|\.(?!\s+{_MONTH})))"
"""What marks an item of a list; '10. May' is a date."""

_ITEM = re.compile(rf"\s*+{ITEM}\s+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_RULE: Final = frozenset("-*_=~")
_END = re.compile(  # one class begins it, which is looked for fastest
    r"""[.!?…。！？](?:(?<=[.!?…。])(["'”’)\]*_`]*)\s+(?=["'“‘(\[*_`]*[A-Z0-9À-ÞЀ-Я`@#/])"""
    rf"""(?!(?<=\d\.\s)(?<!\d\d\d\.\s){_MONTH})|(?<=[。！？])())"""
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|cf|vs|resp|approx|Dr|Mr|Ms|St|No|Fig|Sec|ca|incl|al)|\b[A-Z])\.$")
_BEFORE_NUMBER = re.compile(r"(?<![\w-])(?:[Nn]os?|[Ff]igs?|[Vv]ol|pp?|[Ee]qs?|v\d{1,3})\.$")
_LINK_GOES_ON = re.compile(r"[^\[\]\n]{1,200}\][(\[]")
_TITLE_NUMBER = re.compile(r"\s*\d{1,4}(?:\.\d{1,4}){0,5}\.$")


class Span(NamedTuple):
    """Characters `start` to `end` of a text, `end` not included."""

    start: int
    end: int


def blocks(text: str) -> Iterator[tuple[Span, bool]]:
    """Runs of lines that belong together, each with whether it is code; blank and quoted lines are left out.

    A list item, a heading and a table row each start a block of their own.
    """
    start = end = 0
    fence = ""
    position = 0
    for line in text.splitlines(keepends=True):
        here, position = position, position + len(line)
        lead = line.lstrip()[:1]
        plain = lead.isalpha()  # as of most lines; nothing that marks one is a letter
        mark = _FENCE.match(line) if lead in ("`", "~") else None
        if fence:
            end = position
            if mark and mark[1].startswith(fence):
                yield Span(start, end), True
                start, fence = position, ""
            continue
        alone = mark or not (plain or _says_something(line))
        if alone or not (plain or _goes_on(line)):
            if end > start:
                yield Span(start, end), False
            start = end = here
        if mark:
            fence, end = mark[1], position
        elif alone:
            start = end = position
        else:
            end = position
            if lead == "#" and _HEADING.match(line):
                yield Span(start, end), False
                start = end = position
    if end > start:
        yield Span(start, end), bool(fence)


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not _QUOTED.match(line) and not _is_rule(line)


def _goes_on(line: str) -> bool:
    return not (_ITEM.match(line) or _HEADING.match(line) or line.lstrip().startswith("|"))


def _is_rule(line: str) -> bool:
    """Whether *line* only draws: '---', '* * *', the line below the head of a table."""
    drawn = line.strip()
    if drawn.strip("-*_=~|: \t"):
        return False
    return "|" in drawn or sum(drawn.count(mark) for mark in _RULE) >= 3


def sentences(text: str) -> Iterator[Span]:
    """Each sentence of the prose, list marks and surrounding space left off; code is left out."""
    for block, code in blocks(text):
        if not code:
            yield from sentences_of(text, block)


def sentences_of(text: str, block: Span) -> Iterator[Span]:
    """The sentences of one block, or of any characters that belong together."""
    is_marked = not text[block.start : block.start + 1].isalpha()
    heading = _HEADING.match(text, block.start, block.end) if is_marked else None
    mark = heading or (is_marked and _ITEM.match(text, block.start, block.end))
    start = mark.end() if mark else block.start
    for border in _END.finditer(text, start, block.end):
        said = border.start() + 1
        if said > start and not _goes_beyond(
            text, start, border, is_title=heading is not None and start == heading.end()
        ):
            if (span := _trimmed(text, start, border.end(border.lastindex or 0))).end > span.start:
                yield span
            start = border.end()
    if (span := _trimmed(text, start, block.end)).end > span.start:
        yield span


def _goes_beyond(text: str, start: int, border: re.Match[str], *, is_title: bool) -> bool:
    """Whether the sentence from *start* goes on after what only looks like its end: '[1. Ports](1.md)', 'no. 5'."""
    said = border.start() + 1
    tail = text[max(start, said - 8) : said]
    if _ABBREVIATION.search(tail):
        return True
    if text[border.end() : border.end() + 1].isdecimal() and _BEFORE_NUMBER.search(tail):
        return True
    link = text.rfind("[", max(start, said - LONGEST_LINK), said)
    if link >= 0 and text.find("]", link, said) < 0 and _LINK_GOES_ON.match(text, said):
        return True
    return is_title and _TITLE_NUMBER.fullmatch(text, start, said) is not None


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    rest = piece.lstrip()
    return Span(start + len(piece) - len(rest), end - len(rest) + len(rest.rstrip()))


def passages(text: str, size: int = PASSAGE_CHARACTERS) -> Iterator[tuple[Span, str]]:
    """Blocks joined up to *size* characters, each with its text as searched: the quoted lines between left out.

    A block longer than twice *size* is cut at line ends, so that one dump of a log is not one passage.
    """
    kept: list[Span] = []
    for block, _ in blocks(text):
        for piece in _cut(text, block, size):
            if kept and piece.end - kept[0].start > size:
                yield _joined(text, kept)
                kept = []
            kept.append(piece)
    if kept:
        yield _joined(text, kept)


def _joined(text: str, kept: list[Span]) -> tuple[Span, str]:
    return Span(kept[0].start, kept[-1].end), "".join(text[s.start : s.end] for s in kept).strip()


def _cut(text: str, block: Span, size: int) -> Iterator[Span]:
    start, limit = block.start, 2 * size
    while block.end - start > limit:
        border = text.rfind("\n", start + size // 2, start + size)
        border = border if border > 0 else text.rfind(" ", start + size // 2, start + size)
        border = border if border > 0 else start + size - 1
        yield Span(start, border + 1)
        start = border + 1
    yield Span(start, block.end)

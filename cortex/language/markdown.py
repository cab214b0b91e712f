"""Blocks and passages of a Markdown text, by offset, each block with its kind and the headings above it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from cortex.language.dates import MONTH
from cortex.regex import regex

PASSAGE_CHARACTERS: Final = 700

ITEM: Final = rf"(?:[-*+•]|\d{{1,3}}(?:\)|\.(?!\s+{MONTH})))"  # What marks an item of a list; '10. May' is a date.
LIST_MARK: Final = regex(rf"\s*+{ITEM}\s+")
HEADING_MARK: Final = regex(r"\s{0,3}(#{1,6})\s+")
_FENCE: Final = regex(r"[ ]{0,3}(```+|~~~+)")
_QUOTED: Final = regex(r"[ ]{0,3}>")
_RULE: Final = frozenset("-*_=~")


class Span(NamedTuple):
    """Characters `start` to `end` of a text, `end` not included."""

    start: int
    end: int


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    HEADING = "heading"


class Block(NamedTuple):
    """A run of lines that belong together.

    Attributes:
        headings: those it stands under, the outermost first; a heading's own text is not among them.
    """

    start: int
    end: int
    kind: BlockKind
    headings: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)

    @property
    def is_code(self) -> bool:
        """Whether it is fenced code."""
        return self.kind is BlockKind.CODE


def blocks(text: str) -> Iterator[Block]:
    """The blocks of *text* in order; blank, drawn and quoted lines are left out.

    A list item, a heading and a table row each start a block of their own.
    """
    above: list[tuple[int, str]] = []
    for span, code in _spans(text):
        kind, level = _kind(text, span, code=code)
        while level and above and above[-1][0] >= level:
            above.pop()
        yield Block(*span, kind, tuple(heading for _, heading in above))
        if level:
            title = HEADING_MARK.sub("", text[span.start : span.end], count=1)
            above.append((level, title.strip().rstrip("#").rstrip()))


def _kind(text: str, span: Span, *, code: bool) -> tuple[BlockKind, int]:
    """What stands there; of a heading its level, else 0."""
    if code:
        return BlockKind.CODE, 0
    first = text[span.start : span.end].lstrip()[:1]
    if first.isalpha():
        drawn = text[span.end : text.find("\n", span.end) + 1 or None].strip()
        if drawn and "\n" not in text[span.start : span.end].strip() and drawn in ("=" * len(drawn), "-" * len(drawn)):
            return BlockKind.HEADING, 1 + (drawn[0] == "-")
        return BlockKind.PARAGRAPH, 0
    if first == "#" and (mark := HEADING_MARK.match(text, span.start, span.end)):
        return BlockKind.HEADING, len(mark[1])
    if first == "|":
        return BlockKind.ROW, 0
    return BlockKind.ITEM if LIST_MARK.match(text, span.start, span.end) else BlockKind.PARAGRAPH, 0


def _spans(text: str) -> Iterator[tuple[Span, bool]]:
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
            if lead == "#" and HEADING_MARK.match(line):
                yield Span(start, end), False
                start = end = position
    if end > start:
        yield Span(start, end), bool(fence)


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not _QUOTED.match(line) and not _is_rule(line)


def _goes_on(line: str) -> bool:
    return not (LIST_MARK.match(line) or HEADING_MARK.match(line) or line.lstrip().startswith("|"))


def _is_rule(line: str) -> bool:
    """Whether *line* only draws: '---', '* * *', the line below the head of a table."""
    drawn = line.strip()
    if drawn.strip("-*_=~|: \t"):
        return False
    return "|" in drawn or sum(drawn.count(mark) for mark in _RULE) >= 3


def passages(text: str, size: int = PASSAGE_CHARACTERS) -> Iterator[tuple[Span, str]]:
    """Blocks joined up to *size* characters, each with its text as searched: the quoted lines between left out.

    A block longer than twice *size* is cut at line ends, so that one dump of a log is not one passage.
    """
    kept: list[Span] = []
    for block, _ in _spans(text):
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

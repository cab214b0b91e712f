"""Blocks and passages of a text, by offset, each block with its kind and the headings above it.

Blocks of a document are found by a parser of its format when it is indexed, and stored with it; those of what people
write in threads, which is short Markdown, are found by its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
_DEFINED: Final = regex(r"[ ]{0,3}\[[^\]\n]+\]:\s*<?\w+://\S+\s*$")  # what a link of the text leads to


class Span(NamedTuple):
    """Characters `start` to `end` of a text, `end` not included."""

    start: int
    end: int


class BlockKind(StrEnum):
    """What a block is: `head` of a table, `term` that what is deeper below it is about, `aside` for reading only."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    HEADING = "heading"
    HEAD = "table head"
    TERM = "defined"
    CHANGE = "version"
    ASIDE = "aside"


class Block(NamedTuple):
    """A run of lines that belong together.

    Attributes:
        headings: those it stands under, the outermost first; a heading's own text is not among them.
        depth: of a heading its level; else how many lists and terms it stands in, an item's own list among them.
    """

    start: int
    end: int
    kind: BlockKind
    headings: tuple[str, ...] = ()
    depth: int = 0

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)

    @property
    def is_code(self) -> bool:
        """Whether it is fenced code."""
        return self.kind is BlockKind.CODE


_KINDS: Final = {kind[0]: kind for kind in BlockKind}
_PACKED: Final = regex(r"([a-z])(\d+)\+(\d+)(?:/(\d+))?")


def packed(found: Iterable[Block], within: Span) -> str:
    """Those of *found* that stand *within* a text, as they are stored with it; what reaches out is cut.

    >>> packed([Block(0, 3, BlockKind.HEADING, depth=1), Block(5, 9, BlockKind.CODE)], Span(0, 8))
    'h0+3/1 c5+3'
    """
    start, end = within
    inside = ((max(one.start, start), min(one.end, end), one) for one in found)
    return " ".join(
        f"{one.kind[0]}{first - start}+{last - first}" + (f"/{one.depth}" if one.depth else "")
        for first, last, one in inside
        if last > first
    )


def unpacked(stored: str, text: str) -> list[Block]:
    """The blocks of *text* that `packed` stored."""
    found = (
        (Span(int(start), int(start) + int(length)), _KINDS[kind], int(depth or 0))
        for kind, start, length, depth in _PACKED.findall(stored)
    )
    return [*_below_headings(text, found)]


def _below_headings(text: str, found: Iterable[tuple[Span, BlockKind, int]]) -> Iterator[Block]:
    above: list[tuple[int, str]] = []
    for span, kind, depth in found:
        heading = kind is BlockKind.HEADING
        while heading and above and above[-1][0] >= depth:
            above.pop()
        yield Block(*span, kind, tuple(title for _, title in above), depth)
        if heading:
            above.append((depth, _titled(text, span)))


def _titled(text: str, heading: Span) -> str:
    return HEADING_MARK.sub("", text[heading.start : heading.end], count=1).strip().lstrip("= ").rstrip("#").rstrip()


def blocks(text: str) -> Iterator[Block]:
    r"""The blocks of *text* in order; blank, drawn and quoted lines are left out, and definitions of links.

    A list item, a heading and a table row each start a block of their own.

    >>> text = "Oil it [so][1].\n\n[1]: https://gears.example/oil\n"
    >>> [text[one.start : one.end] for one in blocks(text)]
    ['Oil it [so][1].\n']
    """
    return _below_headings(text, ((span, *_kind(text, span, code=code)) for span, code in _spans(text)))


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
        begins = not plain and (LIST_MARK.match(line) or HEADING_MARK.match(line) or lead == "|")
        if alone or begins:
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
    drawn = line.strip()  # '---', '* * *', the line below the head of a table
    draws = not drawn.strip("-*_=~|: \t") and ("|" in drawn or sum(map(drawn.count, "-*_=~")) >= 3)
    return bool(drawn) and not (draws or _QUOTED.match(line) or _DEFINED.match(line))


def passages(text: str, size: int = PASSAGE_CHARACTERS, *, found: Sequence[Block] = ()) -> Iterator[tuple[Span, str]]:
    """Blocks joined up to *size* characters, each with its text as searched: what stands between left out.

    A block longer than twice *size* is cut at line ends, so that one dump of a log is not one passage; a table is one.

    Args:
        found: the blocks of *text*, where a parser found them.
    """
    kept: list[Span] = []
    whole = _tables_whole(found) if found else (span for span, _ in _spans(text))
    for piece in (piece for block in whole for piece in _cut(text, block, size)):
        if kept and piece.end - kept[0].start > size:
            yield _joined(text, kept)
            kept = []
        kept.append(piece)
    if kept:
        yield _joined(text, kept)


def _tables_whole(found: Iterable[Block]) -> list[Span]:
    spans: list[Span] = []
    in_table = False
    for block in found:
        row = in_table and block.kind is BlockKind.ROW
        spans[-1:] = [Span(spans[-1].start, block.end)] if row else [*spans[-1:], block.span]
        in_table = row or block.kind is BlockKind.HEAD
    return spans


def _joined(text: str, kept: list[Span]) -> tuple[Span, str]:
    return Span(kept[0].start, kept[-1].end), "\n".join([text[s.start : s.end].strip("\n") for s in kept]).strip()


def _cut(text: str, block: Span, size: int) -> Iterator[Span]:
    start, limit = block.start, 2 * size
    while block.end - start > limit:
        border = text.rfind("\n", start + size // 2, start + size)
        border = border if border > 0 else text.rfind(" ", start + size // 2, start + size)
        border = border if border > 0 else start + size - 1
        yield Span(start, border + 1)
        start = border + 1
    yield Span(start, block.end)

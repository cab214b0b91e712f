"""A text file as the tree connectors see it: its text, where its lines begin, and its headings and blocks by lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from cortex.language.markdown import Block, BlockKind
from cortex.language.patterns import words
from cortex.substrate.model import Record, Skipped

LINE_END = re.compile(r"\r\n|\r|\n")
LONGEST_BODY: Final = 20_000  # characters of a piece
LONGEST_NAME: Final = 200
MOST: Final = 2_000  # pieces of a file
TOO_MANY: Final = f"more than {MOST:,} definitions, the rest left out"
_BLANK_LINES = re.compile(r"(?:[^\S\r\n]*(?:\r\n|\r|\n))*")


class Page(NamedTuple):
    r"""A file of text. Lines count from 0 here and end as CommonMark ends them: `\n`, `\r\n` or `\r`."""

    path: str
    text: str
    starts: list[int]
    """offset of each line's first character, and of the end of the text"""
    lines: Sequence[int] | None = None
    """the line of the file that each stands in, from 1, where that was not the text itself; empty if none does"""


class Span(NamedTuple):
    """Characters of a page, `text[start:end]`."""

    start: int
    end: int


def page(path: str, text: str) -> Page:
    r"""The page of *text*.

    >>> page("a.md", "one\r\ntwo").starts
    [0, 5, 8]
    """
    starts = [0]
    starts.extend(match.end() for match in LINE_END.finditer(text))
    if starts[-1] != len(text):
        starts.append(len(text))
    return Page(path, text, starts)


def line_count(page: Page) -> int:
    """How many lines there are; a line end closes a line and opens none."""
    return len(page.starts) - 1


def line(page: Page, number: int) -> str:
    """The text of one line, its end included."""
    return page.text[page.starts[number] : page.starts[number + 1]]


def lines_span(page: Page, first: int, end: int) -> Span:
    """The characters of the lines from *first* up to *end*, as far as the page has them."""
    last = line_count(page)
    return Span(page.starts[min(first, last)], page.starts[min(end, last)])


def trimmed(page: Page, span: Span) -> Span:
    """*span* without its leading blank lines and its trailing whitespace; the first line keeps its indentation."""
    end = span.start + len(page.text[span.start : span.end].rstrip())
    blank = _BLANK_LINES.match(page.text, span.start, end)
    return Span(blank.end() if blank else span.start, end) if end > span.start else Span(span.start, span.start)


def record_of(page: Page, span: Span, **fields: Any) -> Record:  # noqa: ANN401
    """The record whose body is *span*, with *fields* of the record as given."""
    return Record(body=page.text[slice(*span)], path=page.path, lines=line_numbers(page, span), **fields)


def line_numbers(page: Page, span: Span) -> tuple[int, int] | None:
    """First and last line of *span* in the file as people count them, from 1."""
    first, last = (bisect_right(page.starts, at) for at in (span.start, max(span.start, span.end - 1)))
    if page.lines is None:
        return first, last
    return (page.lines[first - 1], page.lines[last - 1]) if page.lines else None


class Piece(NamedTuple):
    """A run of lines, from 1, of which a record is made."""

    name: str
    title: str
    first: int
    last: int
    state: str = ""


def records_of(found: Page, pieces: Sequence[Piece], *, source: str) -> Iterator[Record | Skipped]:
    """A `code` record for each of *pieces*, and a note where there are more than are kept of a file."""
    if len(pieces) > MOST:
        yield Skipped(input=found.path, reason=TOO_MANY, kept=True)
    seen: Counter[str] = Counter()
    for piece in (piece for piece in pieces[:MOST] if len(piece.name) <= LONGEST_NAME):
        seen[piece.name] += 1
        name = piece.name + (f"~{seen[piece.name]}" if seen[piece.name] > 1 else "")
        last = cut(found, piece.first, piece.last, LONGEST_BODY)
        span = trimmed(found, lines_span(found, piece.first - 1, last))
        ref = f"code:{found.path}" + (f"#{name}" if name else "")
        yield record_of(found, span, source=source, type="code", ref=ref, title=piece.title, state=piece.state)


def size_of(found: Page, first: int, last: int) -> int:
    """The characters in the lines from *first* to *last*, from 1."""
    start, end = lines_span(found, first - 1, last)
    return end - start


def cut(found: Page, first: int, last: int, most: int) -> int:
    """The last line up to which the lines from *first* take at most *most* characters, or *first* itself."""
    while last > first and size_of(found, first, last) > most:
        last -= 1
    return last


class Heading(NamedTuple):
    """A heading and the lines it takes, from 0."""

    first: int
    end: int
    level: int
    text: str
    """as it reads, without markup"""
    id: str = ""
    """the anchor its author gave it, as in `# Ports {#ports}`"""
    title: int = -1
    """the line of its words, where that is not the first"""


class Part(NamedTuple):
    """A block and the lines it takes, from 0; what is in none says nothing: comments, badges, where links lead."""

    kind: BlockKind
    first: int
    end: int
    depth: int = 0


_MARKED: Final = (BlockKind.PARAGRAPH, BlockKind.TERM)
_MARK: Final = re.compile(r"[ \t]*(?:\.\.[ \t]+[\w:.+-]+::|[`~]{3,}\{[\w:.-]+\}|:(?=[ \t]))[ \t]*")
"""What a paragraph that begins on the line of a directive, or a definition, begins with."""


def blocks(page: Page, found: Iterable[Heading | Part]) -> Iterator[Block]:
    """The blocks of *page* by offset, without the white space at their end and the markup they begin with."""
    last = line_count(page)
    for one in found:
        if isinstance(one, Heading):
            first = max(one.first, one.title)
            kind, end, depth = BlockKind.HEADING, first + 1, one.level
        else:
            kind, first, end, depth = one
        if first >= last:
            continue
        start, stop = page.starts[first], page.starts[min(end, last)]
        if kind in _MARKED and (mark := _MARK.match(page.text, start, stop)):
            start = mark.end()
        stop = start + len(page.text[start:stop].rstrip())
        if stop > start:
            yield Block(start, stop, kind, (), depth)


def shifted(found: Iterable[Heading | Part], by: int, depth: int) -> Iterator[Heading | Part]:
    """*found* of a text that begins *by* lines below, in a block of *depth*; its headings are not the document's."""
    for one in found:
        if isinstance(one, Part):
            yield one._replace(first=one.first + by, end=one.end + by, depth=one.depth + depth)
        else:
            yield Part(BlockKind.ASIDE, one.first + by, one.end + by, depth)


NOTES: Final = words("connectors", "directives_of_notes")
"""Directives of reStructuredText and MyST whose text is part of the document's, from their first line on."""
PROSE: Final = words("connectors", "directives_of_prose")
"""Those whose text is so below that line; what stands in others than these is shown as it is."""
OBJECTS: Final = words("connectors", "directives_of_objects")
"""What Sphinx and its domains describe things with: the text below is about the argument."""
CHANGES: Final = words("connectors", "directives_of_changes")
SHOWN: Final = words("connectors", "directives_of_code")
"""Of these what stands below is code, and their own line says nothing to a reader."""
UNSEEN: Final = words("connectors", "directives_unseen")

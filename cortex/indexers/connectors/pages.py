"""A text file as the tree connectors see it: its text, and where its lines begin."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

LINE_END = re.compile(r"\r\n|\r|\n")
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


def line_numbers(page: Page, span: Span) -> tuple[int, int] | None:
    """First and last line of *span* in the file as people count them, from 1."""
    first, last = (bisect_right(page.starts, at) for at in (span.start, max(span.start, span.end - 1)))
    if page.lines is None:
        return first, last
    return (page.lines[first - 1], page.lines[last - 1]) if page.lines else None

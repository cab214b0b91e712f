"""Lines of reStructuredText: where what begins at one of them ends, and what it begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\(?(?:\d{1,3}|#|[a-z])[.)])(?:[ \t]+|$)")
EXPLICIT: Final = re.compile(r"[ \t]*\.\.(?:[ \t]+|$)")
FIELD: Final = re.compile(r"[ \t]*:(?P<name>[A-Za-z][^:\n`]{0,60}):(?:[ \t]+|$)")
BORDER: Final = re.compile(r"[ \t]*(?:\+(?:[-=]+\+)+|=+(?:[ \t]+=+)+)$")
_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}$")
_COLUMNS: Final = re.compile(r"\S[ \t]{3,}\S")


def indent(line: str) -> int:
    """How many characters stand before its text."""
    return len(line) - len(line.lstrip())


def next_text(lines: Sequence[str], first: int, end: int) -> int:
    """The first line from *first* on that is not blank."""
    return next((number for number in range(first, end) if lines[number]), end)


def dedent(lines: Sequence[str], first: int, end: int, margin: int) -> int:
    """The first line from *first* on that is not indented deeper than *margin*."""
    return next((number for number in range(first, end) if lines[number] and indent(lines[number]) <= margin), end)


def is_deeper(lines: Sequence[str], number: int, end: int) -> bool:
    """Whether the line after *number* goes on, indented deeper."""
    return number + 1 < end and bool(lines[number + 1]) and indent(lines[number + 1]) > indent(lines[number])


def paragraph_end(lines: Sequence[str], first: int, end: int) -> int:
    """The line after the paragraph at *first*: a blank one, or one that begins an item or a directive."""
    stops = (at for at in range(first + 1, end) if not lines[at] or ITEM.match(lines[at]) or EXPLICIT.match(lines[at]))
    return next(stops, end)


def item_end(lines: Sequence[str], first: int, end: int) -> int:
    """The line after a list item: one that is not indented below a blank line, or begins something else."""
    margin = indent(lines[first])
    for number in range(first + 1, end):
        line = lines[number]
        begins = not lines[number - 1] or ITEM.match(line) or EXPLICIT.match(line)
        if line and indent(line) <= margin and begins:
            return number
    return end


def title_end(lines: Sequence[str], number: int, end: int) -> int:
    """The line after the title, or the line drawn across, that begins at *number*; *number* where neither does."""
    if _ADORNMENT.match(lines[number]):
        closed = number + 2 < end and lines[number + 2] == lines[number] and lines[number + 1]
        return number + 3 if closed else number + 1
    if number + 1 < end and _ADORNMENT.match(lines[number + 1]):
        wide = len(lines[number + 1]) >= len(lines[number])
        return number + 2 if wide or number + 2 >= end or not lines[number + 2] else number
    return number


def is_cut_table(paragraph: Sequence[str]) -> bool:
    """Whether it is the rest of a table that began in another record."""
    return 2 * sum(_COLUMNS.search(line) is not None for line in paragraph) > len(paragraph)

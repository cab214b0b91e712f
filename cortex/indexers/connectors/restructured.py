"""reStructuredText headings, and the lines at which blocks begin.

Docutils would do, but it runs directives, reports to standard error, knows none of a project's own roles and takes
seconds where this takes milliseconds; all that is wanted are titles, and those are lines with an adornment below.

Source: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cortex.indexers.connectors.markdown import Heading, Outlined
from cortex.indexers.connectors.pages import LINE_END

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+")
_TABLE_BORDER = re.compile(r"=+(?: +=+)+")
_LABEL = re.compile(r"\.\. _[^:]+:")
_LONGEST_TITLE = 200
_MARKUP = (
    (re.compile(r":[\w:.+-]+:`([^`<]*?)(?:\s*<[^>]*>)?`"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"\1"),
    (re.compile(r"`([^`<]+?)(?:\s*<[^>]*>)?`__?"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"\1"),
    (re.compile(r"(\*{1,2})(\S(?:.*?\S)?)\1"), r"\2"),
    (re.compile(r"\\(.)"), r"\1"),
)


def parse(text: str) -> Outlined:
    """The headings and blocks of *text*; the first adornment met is level 1, the next new one level 2, and so on."""
    lines = [line.rstrip() for line in LINE_END.split(text)]
    return Outlined(list(_headings(lines)), list(_cuts(lines)))


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    styles: dict[tuple[str, bool], int] = {}
    end = 0
    for number in range(1, len(lines)):
        if number <= end or not (overlined := _title_above(lines, number)):
            continue
        style = (lines[number][0], overlined == "both")
        first = _with_labels(lines, number - (2 if style[1] else 1), end)
        end = number + 1
        yield Heading(first, end, styles.setdefault(style, len(styles) + 1), _read(lines[number - 1]))


def _title_above(lines: Sequence[str], number: int) -> str:
    """'both' or 'under' where line *number* is the adornment below a title, else ''."""
    under, title = lines[number], lines[number - 1]
    if not _ADORNMENT.fullmatch(under) or not title or _ADORNMENT.fullmatch(title):
        return ""
    if number > 1 and lines[number - 2] == under and len(under) >= len(title.strip()) and _blank(lines, number - 3):
        return "both"
    long_enough = len(under) >= min(4, len(title))
    begins = _blank(lines, number - 2) or bool(_LABEL.fullmatch(lines[number - 2]))
    return "under" if long_enough and begins and not title[0].isspace() and not title.startswith("..") else ""


def _blank(lines: Sequence[str], number: int) -> bool:
    return number < 0 or not lines[number]


def _with_labels(lines: Sequence[str], first: int, floor: int) -> int:
    above = first
    while above > floor and (not lines[above - 1] or _LABEL.fullmatch(lines[above - 1])):
        above -= 1
        if lines[above]:
            first = above
    return first


def _read(title: str) -> str:
    read = title.strip()[: 4 * _LONGEST_TITLE]
    for markup, text in _MARKUP:
        read = markup.sub(text, read)
    return " ".join(read.split())[:_LONGEST_TITLE]


def _cuts(lines: Sequence[str]) -> Iterator[int]:
    """Lines that begin a block: not indented, below a blank one, and not inside a simple table, which may hold such."""
    in_table = False
    for number, line in enumerate(lines):
        if _TABLE_BORDER.fullmatch(line):
            closes = in_table and (number + 1 == len(lines) or not lines[number + 1])
            if not in_table and _blank(lines, number - 1):
                yield number
            in_table = not closes
        elif line and not in_table and not line[0].isspace() and _blank(lines, number - 1):
            yield number

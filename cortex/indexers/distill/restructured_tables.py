"""Tables of reStructuredText: grid and simple ones, and those that a directive lists or separates by commas.

Source: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#tables
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cortex.indexers.connectors.pages import Page
from cortex.indexers.distill.tables import Row
from cortex.language.markdown import Span

_GRID: Final = re.compile(r"[ \t]*\+(?:-+\+)+$")
_GRID_HEAD: Final = re.compile(r"[ \t]*\+(?:=+\+)+$")
_SIMPLE: Final = re.compile(r"[ \t]*=+(?:[ \t]+=+)+$")
_SPANS: Final = re.compile(r"[ \t]*-+(?:[ \t]+-+)*$")
_COLUMN: Final = re.compile(r"=+")
_OPTION: Final = re.compile(r"[ \t]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")
_FIRST_CELL: Final = re.compile(r"([ \t]*)[*+-][ \t]+(?=[*+-](?:[ \t]|$))")
_CELL: Final = re.compile(r"([ \t]*)[*+-](?:[ \t]+|$)")
_DELIMITERS: Final = {"tab": "\t", "space": " "}

_MOST_LINES: Final = 500
_MOST_COLUMNS: Final = 50

Table = tuple[Sequence[str], Sequence[Row]]


class Drawn(NamedTuple):
    """A table that is drawn with lines, up to line `end`."""

    head: Sequence[str]
    body: Sequence[Row]
    end: int


def drawn(page: Page, lines: Sequence[str], first: int, end: int) -> Drawn | None:
    """The grid table or the simple table that begins at line *first*, if one does."""
    if _GRID.match(lines[first]):
        return _grid(page, lines, first, end)
    return _simple(page, lines, first, end) if _SIMPLE.match(lines[first]) else None


def _grid(page: Page, lines: Sequence[str], first: int, end: int) -> Drawn:
    stop = next((at for at in range(first, end) if lines[at].lstrip()[:1] not in ("+", "|")), end)
    borders = [place for place, character in enumerate(lines[first]) if character == "+"]
    rows: list[Row] = []
    head: Sequence[str] = ()
    begun = first + 1
    for number in range(first + 1, stop):
        if "+-" not in lines[number] and "+=" not in lines[number]:
            continue
        if number > begun:
            inside = lines[begun:number]
            cells = [" ".join(_between(inside, left, right)) for left, right in pairwise(borders)]
            rows.append(Row(_span(page, lines, begun, number), cells))
        if _GRID_HEAD.match(lines[number]):
            head, rows = _merged(rows), []
        begun = number + 1
    return Drawn(head, rows, stop)


def _between(inside: Sequence[str], left: int, right: int) -> Iterator[str]:
    for line in inside:
        if piece := line[left + 1 : right].strip(" |"):
            yield piece


def _simple(page: Page, lines: Sequence[str], first: int, end: int) -> Drawn | None:
    end = min(end, first + _MOST_LINES)
    borders = [number for number in range(first, end) if _SIMPLE.match(lines[number])]
    stops = [number for number in borders[1:] if number + 1 >= end or not lines[number + 1]]
    columns = [match.start() for match in _COLUMN.finditer(lines[first])]
    if not stops or len(columns) > _MOST_COLUMNS:
        return None
    last = stops[0]
    parts = [*borders[1:], *(at for at in range(first + 2, last) if _SPANS.match(lines[at]))]
    above = next((at for at in parts if at < last), first)
    head = _merged(list(_simple_rows(page, lines, first + 1, above, columns))) if above > first else ()
    return Drawn(head, list(_simple_rows(page, lines, above + 1, last, columns)), last + 1)


def _simple_rows(page: Page, lines: Sequence[str], first: int, end: int, columns: Sequence[int]) -> Iterator[Row]:
    """Rows; a line without a first cell goes on with the row above it."""
    wanted = [number for number in range(first, end) if lines[number] and not _SPANS.match(lines[number])]
    begins = [number for number in wanted if lines[number][columns[0] : columns[1]].strip()]
    for start, stop in pairwise([*begins, end]):
        inside = [lines[number] for number in wanted if start <= number < stop]
        cells = [
            " ".join(piece for line in inside if (piece := line[left:right].strip()))
            for left, right in pairwise([*columns, None])
        ]
        last = max(number for number in wanted if start <= number < stop)
        yield Row(_span(page, lines, start, last + 1), cells)


def listed(page: Page, lines: Sequence[str], first: int, end: int) -> Table:
    """The rows of a `list-table`."""
    rows: list[Row] = []
    starts = [number for number in range(first + 1, end) if _FIRST_CELL.match(lines[number])]
    for start, stop in pairwise([*starts, end]):
        cells: list[str] = []
        opening = _FIRST_CELL.match(lines[start])
        margin = len(opening[0]) if opening else 0
        for line in [" " * margin + lines[start][margin:], *lines[start + 1 : stop]]:
            cell = _CELL.match(line)
            if cell and len(cell[1]) == margin:
                cells.append(line[cell.end() :])
            elif cells and line:
                cells[-1] += " " + line.strip()
        rows.append(Row(_span(page, lines, start, stop), [cell.strip() for cell in cells]))
    return _parted(rows, _options(lines, first, end))


def separated(page: Page, lines: Sequence[str], first: int, end: int) -> Table:
    """The rows of a `csv-table` whose text stands in the document."""
    options = _options(lines, first, end)
    start = next((at for at in range(first + 1, end) if lines[at] and not _OPTION.match(lines[at])), end)
    delimiter = _DELIMITERS.get(options.get("delim", ","), options.get("delim", ","))[:1] or ","
    source = [line.strip() + "\n" for line in lines[start:end]]
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=True)
    rows: list[Row] = []
    begun = 0
    try:
        for cells in reader:
            if any(cells):
                rows.append(
                    Row(
                        _span(page, lines, start + begun, start + reader.line_num),
                        [" ".join(cell.split()) for cell in cells],
                    )
                )
            begun = reader.line_num
    except csv.Error:
        return (), ()
    if "header" in options:
        return next(csv.reader([options["header"]], delimiter=delimiter, skipinitialspace=True), []), rows
    return _parted(rows, options)


def _options(lines: Sequence[str], first: int, end: int) -> dict[str, str]:
    found = {}
    for number in range(first + 1, end):
        option = _OPTION.match(lines[number])
        if lines[number] and not option:
            break
        if option:
            found[option["name"]] = option["value"]
    return found


def _parted(rows: Sequence[Row], options: dict[str, str]) -> Table:
    """The head and the rows below it."""
    stated = options.get("header-rows", "0")
    count = int(stated) if stated.isdecimal() and len(stated) < 3 else 0
    return _merged(rows[:count]), rows[count:]


def _merged(rows: Sequence[Row]) -> list[str]:
    """Head rows as one."""
    width = max((len(row.cells) for row in rows), default=0)
    return [" ".join(row.cells[place] for row in rows if place < len(row.cells)).strip() for place in range(width)]


def _span(page: Page, lines: Sequence[str], first: int, end: int) -> Span:
    last = next((number for number in range(end - 1, first, -1) if lines[number]), first)
    return Span(
        page.starts[first] + len(lines[first]) - len(lines[first].lstrip()), page.starts[last] + len(lines[last])
    )

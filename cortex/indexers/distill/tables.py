"""Tables: each row read with the head of its columns, and whether the table as a whole is worth keeping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from cortex.indexers.distill.cues import holds
from cortex.indexers.distill.norms import binds
from cortex.indexers.distill.unit import LONGEST, MOST_WORDS, WORD, Unit
from cortex.language.markdown import Span
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "tables")

MOST_ROWS: Final = 40
"""Rows of a table that people read as a whole; of a longer one only those that bind, measure or replace."""

MOST_ROWS_AT_ALL: Final = 200  # what is longer still is data, looked up in its record
_SINGLE: Final = ("quantity", "replaced", "supersedes", "limits")

FEWEST_ROW_WORDS: Final = 2
_UNNAMED: Final = 2  # columns that read without a head: what something is called, and what it is
HEADED: Final = 0.2
TELLS: Final = 0.5
BOUND: Final = 0.3
"""What a head of three columns adds to the log odds of its rows, one that limits, defines or decides, and a row that
binds where nothing heads it: too few were judged to fit them."""

COUNTED: Final = 0.3  # what a head adds whose column holds nothing but quantities, or names whose each thing is
_MOST_ALIKE: Final = 3  # rows that differ in their first cell alone; of more, none says anything of its own
_NOTHING: Final = _ENGLISH["nothing"]


class Row(NamedTuple):
    """A row of a table, and its cells as they read."""

    span: Span
    cells: Sequence[str]


def rows(head: Sequence[str], body: Sequence[Row], introduced: str) -> Iterator[Unit]:
    """A unit a row; none of a table that is data, or of one whose columns nobody names."""
    if not any(head) and body and not body[0].cells[0]:
        head, body = body[0].cells, body[1:]
    unnamed = not any(head) and any(len(row.cells) > _UNNAMED for row in body)
    if unnamed or len(body) > MOST_ROWS_AT_ALL:
        return
    tells = any(_ENGLISH["tells"].search(name) for name in head) or any(
        _ENGLISH["values"].fullmatch(name) for name in head[1:]
    )
    weight = (HEADED if len(head) > _UNNAMED else 0.0) + (TELLS if tells else 0.0)
    if head and len(body) <= MOST_ROWS and _looked_up(head, body):
        weight += COUNTED
    if not any(head) and any(_ENGLISH["bound"].search(": ".join(row.cells).lower()) for row in body):
        weight = BOUND
    alike = Counter(tuple(row.cells[1:]) for row in body if len(row.cells) > _UNNAMED)
    for row in body:
        told = _told(head, row.cells)
        unit = Unit(row.span.start, row.span.end, told, introduced, "row")
        if not _says(row, head) or alike[tuple(row.cells[1:])] > _MOST_ALIKE or len(told) > LONGEST:
            continue
        if len(body) <= MOST_ROWS:
            yield unit._replace(table=body[0].span.start, weight=weight)
        elif binds(unit) or any(holds(told.lower(), cue) for cue in _SINGLE):
            yield unit


def _looked_up(head: Sequence[str], body: Sequence[Row]) -> bool:
    if not all(row.cells and any(map(str.isalpha, row.cells[0])) for row in body):
        return False
    columns = zip(head, zip(*(row.cells for row in body), strict=False), strict=False)
    return any(
        name
        and place
        and (_ENGLISH["whose"].fullmatch(name) or all(_ENGLISH["quantity"].fullmatch(cell) for cell in cells))
        for place, (name, cells) in enumerate(columns)
    )


def _says(row: Row, head: Sequence[str]) -> bool:
    first, *others = row.cells
    return bool(first) and [first, *others] != [*head] and not all(_NOTHING.fullmatch(cell) for cell in others)


def _told(head: Sequence[str], cells: Sequence[str]) -> str:
    if not any(head):
        return ": ".join(filter(None, cells))
    names = [*head, *[""] * (len(cells) - len(head))]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell)


def is_row(unit: Unit) -> bool:
    """Whether a row says enough under its head: three words, or two and a number."""
    said = f"{unit.context} {unit.text}"
    words = len(WORD.findall(said))
    return words <= MOST_WORDS and words + any(map(str.isdecimal, unit.text)) > FEWEST_ROW_WORDS


def as_wholes(judged: Iterable[tuple[Unit, float]]) -> Iterator[tuple[Unit, float]]:
    """*judged* with each row as sure as those of its table are on average: a table is kept as a whole or not at all."""
    for table, units in groupby(judged, key=lambda one: one[0].table):
        if table < 0:
            yield from units
            continue
        rows_ = list(units)
        mean = sum(sure for _, sure in rows_) / len(rows_)
        yield from ((unit, mean) for unit, _ in rows_)

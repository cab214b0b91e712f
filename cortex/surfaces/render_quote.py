"""A quotation in a terminal: paragraphs, code, lists and tables, each set in, without the marks of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Final

from cortex.language.markdown import LIST_MARK
from cortex.regex import regex
from cortex.substrate.facts import addressed, plain
from cortex.substrate.quoting import INDENT, inert
from cortex.surfaces.render import cells, folded, table, width, wrapped

_FENCE: Final = "```"
_BETWEEN: Final = regex(r"(?<!\\)\|")
_DRAWN: Final = regex(r"[|\s:-]+")
_TWICE: Final = regex(r"``\s?([^`]+?)\s?``")  # code, as reStructuredText has it


def opening(quote: str) -> str:
    """The line of prose that a quotation begins with; '' where it begins with an item of a list, code or a table."""
    first = quote.partition("\n")[0]
    return "" if "\n" in quote and LIST_MARK.match(first) else prose(first)


def blocks(quote: str, by: str, *, columns: int) -> Iterator[str]:
    """The blocks of a quotation after its opening, every line begun with the indent, and who is quoted *by* name.

    Args:
        columns: how long the last line may be.
    """
    first, *others = quote.split("\n")
    opened = opening(quote)
    lines = [*([] if opened or not first else [first]), *(line.removeprefix(INDENT) for line in others)]
    while lines:
        if lines[0] == _FENCE:
            code = list(takewhile(lambda line: line != _FENCE, lines[1:]))
            yield folded("\n".join(f"{2 * INDENT}{line}" for line in code))
            del lines[: len(code) + 2]
        elif rows := list(takewhile(lambda line: line.startswith("|"), lines)):
            yield _table(rows)
            del lines[: len(rows)]
        else:
            line = lines.pop(0)
            mark = found[0] if (found := LIST_MARK.match(line)) else ""
            rest, said = INDENT + " " * len(mark), mark + prose(line[len(mark) :])
            if opened and not lines and not mark:
                yield wrapped(f"{said}”{by}", first=INDENT, rest=rest, columns=columns)
                return
            yield wrapped(said, first=INDENT, rest=rest)
    yield wrapped(f"”{by}" if opened else by, first="  ", rest=INDENT, columns=columns)


def prose(markdown: str) -> str:
    """A line of Markdown as it reads, links followed by where they lead."""
    return inert(plain(addressed(_TWICE.sub(r"`\1`", markdown))))


def _table(lines: Sequence[str]) -> str:
    """The rows in columns; where these do not fit, each row as its cells beside what its columns are called."""
    drawn = [line for line in lines if not _DRAWN.fullmatch(line)] or [""]
    split = [_BETWEEN.split(line.strip()[1:].removesuffix("|")) for line in drawn]
    columns = zip_longest(*([prose(cell.replace(r"\|", "|")) for cell in row] for row in split), fillvalue="")
    rows = list(zip(*columns, strict=True))
    head = rows.pop(0) if len(drawn) < len(lines) else ()
    widths = [max(map(cells, column)) for column in zip(*([head] if head else []), *rows, strict=True)]
    if cells(INDENT) + sum(widths) + 2 * len(widths) <= width():
        rule = tuple("─" * size for size in widths)
        return table([*([head, rule] if head else []), *rows], indent=INDENT)
    told = (
        "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip_longest(head, row, fillvalue="") if cell)
        for row in rows
    )
    return "\n".join(wrapped(each, first=INDENT, rest=f"{INDENT}  ") for each in told)

"""Text for a person's terminal: wrapped at its width, aligned, and safe whatever a record says."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

import click

from cortex.regex import regex
from cortex.substrate.model import CitedRecord
from cortex.substrate.quoting import label, visible

MORE: Final = "there are more: -k says how many to list"
WIDEST: Final = 110  # Columns; longer lines are hard to read on any screen
_ANSI: Final = regex(r"\x1b\[[0-9;]*m")


def width() -> int:
    """Columns to write in: those of the environment or the terminal, within reason."""
    columns = os.environ.get("COLUMNS", "")
    return max(40, min(int(columns) if columns.isdecimal() and int(columns) else _terminal(), WIDEST))


def _terminal() -> int:
    """Columns of the terminal, as `shutil` asks for them, which would load 6 modules of archives; 80 without one."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 80
    except (OSError, ValueError):
        return 80


def safe(text: str) -> str:
    """*text* without what would move the cursor, colour the screen, turn the line around or show as nothing."""
    return visible(text.expandtabs(4))


def line(text: str) -> str:
    """*text* as one safe line."""
    return " ".join(safe(text).split())


def cells(text: str) -> int:
    """How many columns *text* takes: a wide character two, a combining one and a colour none."""
    bare = _ANSI.sub("", text)
    if bare.isascii():
        return len(bare)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in bare)
    return len(bare) + wide - sum(unicodedata.combining(character) > 0 or character == "\u200d" for character in bare)


def cut(text: str, columns: int) -> str:
    """*text* in at most *columns*; '…' says that it goes on."""
    if cells(text) <= columns:
        return text
    kept = text[: max(columns - 1, 0)]
    while kept and cells(kept) >= columns:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrapped(text: str, *, first: str = "", rest: str = "", columns: int | None = None) -> str:
    """*text* as a paragraph between the margin and *columns*, its first line begun with *first*, others with *rest*."""
    limit = (columns or width()) - max(cells(first), cells(rest))
    folded = textwrap.wrap(line(text), max(limit, 20), break_on_hyphens=False) or [""]
    if any(cells(each) > limit for each in folded):
        folded = [part for each in folded for part in _halved(each, limit)]
    return "\n".join([first + folded[0], *(rest + each for each in folded[1:])])


def indented(text: str, columns: int = 2, rest: int | None = None) -> str:
    """*text* as a paragraph set in by *columns*, its lines after the first by *rest*, by default as far."""
    return wrapped(text, first=" " * columns, rest=" " * (columns if rest is None else rest))


def entry(text: str, *about: str, first: str = "", state: str = "") -> str:
    """*text*, below it in the background what there is *about* it, and its *state*."""
    return f"{wrapped(text, first=first, rest='  ')}\n{dim(indented(joined(*about), 4))}{state}"


def ruled(text: str, *, indent: int = 2) -> str:
    """*text* behind a rule, so that none of its lines reads as one of ours."""
    margin = " " * indent + "│ "
    return "\n".join(wrapped(each, first=margin, rest=margin) for each in safe(text).splitlines())


def joined(*parts: str) -> str:
    """Those *parts* that say something, on one line."""
    return " · ".join(filter(None, parts))


def stacked(*parts: str) -> str:
    """Those *parts* that say something, one below the other."""
    return "\n".join(filter(None, parts))


def spaced(*parts: str) -> str:
    """Those *parts* that say something, a blank line between them."""
    return "\n\n".join(filter(None, parts))


def folded(text: str) -> str:
    """*text* with its own lines, those too long for the terminal continued under their indent."""
    lines = safe(text).rstrip().split("\n")
    return "\n".join(
        indented(each, len(each) - len(each.lstrip())) if cells(each) > width() else each for each in lines
    )


def _halved(text: str, columns: int) -> Iterable[str]:
    """*text* in pieces of at most *columns*, for scripts whose characters are two wide."""
    piece = ""
    for character in text:
        if cells(piece + character) > columns:
            yield piece
            piece = ""
        piece += character
    yield piece


def table(
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    indent: str = "  ",
    last: Callable[[str], str] = str,
    fold: bool = True,
) -> str:
    """*rows* in columns two blanks apart.

    Args:
        numbers: columns that are aligned right.
        last: how the last column is styled.
        fold: the last column is wrapped where it does not fit; else it is cut.
    """
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    start = cells(indent) + sum(widths) + 2 * len(widths)
    room = max(width() - start, 20)
    lines = []
    for row in rows:
        begun = indent
        for n, cell in enumerate(row[:-1]):
            blanks = " " * (widths[n] - cells(cell))
            begun += f"{blanks}{cell}  " if n in numbers else f"{cell}{blanks}  "
        first, *more = wrapped(row[-1], columns=room).split("\n") if fold else [cut(line(row[-1]), room)]
        lines.append((begun + (last(first) if first else "")).rstrip())
        lines += [" " * start + last(each) for each in more]
    return "\n".join(lines)


def heading(text: str) -> str:
    """*text* as a heading."""
    return click.style(text, bold=True)


def dim(text: str) -> str:
    """*text* in the background."""
    return click.style(text, dim=True)


def warning(text: str) -> str:
    """*text* as what deserves a look."""
    return click.style(text, fg="yellow")


def alarm(text: str) -> str:
    """*text* as what went wrong."""
    return click.style(text, fg="red", bold=True)


def mark(number: int) -> str:
    """The mark of citation *number*."""
    return click.style(f"[{number}]", fg="cyan", bold=True)


def day(moment: datetime | None) -> str:
    """The day of *moment*, '' when there is none."""
    return moment.date().isoformat() if moment else ""


def size(of: int) -> str:
    """Bytes as people read them.

    >>> size(51_965_952), size(2_048), size(7_000_000_000)
    ('52.0 MB', '2.0 kB', '7.0 GB')
    """
    unit, name = (1e9, "GB") if of >= 1e9 else (1e6, "MB") if of >= 1e5 else (1e3, "kB")
    return f"{of / unit:,.1f} {name}"


def amount(number: int, noun: str) -> str:
    """'1 fact', '2,000 facts'."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def standing(record: CitedRecord) -> str:
    """What became of a record, when and by whom: 'merged 2025-03-01 by ada'; and whether nobody trusted wrote it."""
    last = record.merged_at or record.closed_at or record.created_at or record.updated_at
    who = (record.merged_by if record.merged_at else "") or record.author
    state = label(record.state) or ("written" if record.author or last else "")
    told = " ".join(filter(None, (state, day(last), f"by {label(who)}" if who else "")))
    return ", ".join(filter(None, (told, "unverified" if record.unverified else "")))


def place(record: CitedRecord) -> str:
    """Where a record is to be read: its address, else its file and lines."""
    if record.url or not record.path:
        return line(record.url)
    if record.lines is None:
        return label(record.path)
    first, last = record.lines
    return f"{label(record.path)}:{first}" + (f"-{last}" if last != first else "")

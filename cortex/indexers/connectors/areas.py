"""What somebody maintains, as a row, an item or a heading of a MAINTAINERS file says; and who once did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cortex.indexers.connectors.markdown import plain
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("connectors", "areas")

LONGEST: Final = 12  # words of an area; more are a sentence about something else
_OF_PEOPLE: Final = _ENGLISH["of_people"]
_OF_AREAS: Final = _ENGLISH["of_areas"]

Names = Callable[[str], Sequence[str]]


def is_former(*texts: str) -> bool:
    """Whether a heading or a line says that somebody maintains it no more.

    >>> is_former("Emeritus maintainers"), is_former("Information")
    (True, False)
    """
    return any(_ENGLISH["former"].search(text) for text in texts)


def named(texts: Iterable[str]) -> list[str]:
    """Those headings that say what is maintained, not that people follow.

    >>> named(["Current maintainers", "Parser", "The following people"])
    ['Parser']
    """
    short = (text for text in (plain(text).strip(" :") for text in texts) if len(text.split()) <= LONGEST)
    return [text for text in short if text and not _OF_PEOPLE.fullmatch(text) and not _OF_AREAS.fullmatch(text)]


def of_item(text: str, names: Names) -> str:
    """What an item says before or after the people it names; '' where it names but people.

    >>> of_item("Carol (@carol): the parser", lambda text: ["carol"] if "@" in text else [])
    'the parser'
    """
    sides = _ENGLISH["separator"].split(text.strip(), maxsplit=1)
    without = [side for side in sides if not names(side)]
    return next(iter(named(without)), "") if len(sides) == 2 and len(without) == 1 else ""


def of_row(row: str, head: str, names: Names) -> str:
    """The cells of a table's *row* under those names of its *head* that speak of no person.

    >>> of_row("| Bea | @bea | parser |", "| Name | GitHub | Area |", lambda text: ["bea"] if "@" in text else [])
    'parser'
    """
    pairs = zip(_cells(head), _cells(row), strict=False)
    said = [cell for column, cell in pairs if not _OF_PEOPLE.fullmatch(column) and not names(cell)]
    return ", ".join(cell for cell in named(said) if any(map(str.isalpha, cell)))


def is_delimiter(line: str) -> bool:
    """Whether a line parts a table's head from its rows."""
    return "-" in line and _ENGLISH["delimiter"].fullmatch(line.rstrip("\r\n")) is not None


def _cells(line: str) -> list[str]:
    return [plain(cell.strip()) for cell in _ENGLISH["cell"].split(line.strip().strip("|"))]

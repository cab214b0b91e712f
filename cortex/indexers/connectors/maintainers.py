"""MAINTAINERS files: the people in a list, a table or lines of their own, and what they maintain."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cortex.indexers.connectors.directives import Rule, nodes, rules, within
from cortex.indexers.connectors.markdown import plain
from cortex.indexers.connectors.outline import document
from cortex.indexers.connectors.pages import Page, Span, line, line_count, line_numbers, lines_span, record_of, trimmed
from cortex.language.patterns import patterns
from cortex.substrate.model import Record
from cortex.substrate.owners import is_bare_list

_ENGLISH: Final = patterns("connectors", "maintainers")
_AREAS: Final = patterns("connectors", "areas")

_HANDLE = re.compile(r"(?<![\w./@])@([A-Za-z\d](?:[\w-]*[A-Za-z\d])?(?:/[\w.-]+)?)")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_LINE_WORDS = 12
_AREA_WORDS = 12  # more are a sentence about something else
_NAMED = re.compile(r"([^\W\d_][\w.' -]{0,60}?)\s{0,9}<[^<>\s]{1,64}@[^<>\s]{1,255}>")


def claims(path: str) -> bool:
    """Whether the file at *path* lists maintainers, by its name."""
    return _ENGLISH["file"].fullmatch(path) is not None


def read(found: Page, *, source: str) -> Iterator[Record]:
    """An `ownership` record for every item, row or line that names somebody.

    Its title leads to what they maintain, `MAINTAINERS › parser`, and ends at the file where that is everything. Who
    maintains it no more is no assignee, and the record's state is 'emeritus'.
    """
    if is_bare_list(found.path):
        yield from _plain(found, source)
        return
    parsed = document(found, fallback="MAINTAINERS")
    blocks = nodes(parsed.tokens)
    for section in parsed.sections:
        stated = list(rules(found, within(blocks, section.first, section.end), people=True))
        if any(people(found.text[slice(*rule.span)]) for rule in stated):
            yield from (_ruled(found, rule, section.titles[1:], source) for rule in stated)


def _ruled(found: Page, rule: Rule, headings: Sequence[str], source: str) -> Record:
    text = found.text[slice(*rule.span)]
    owners, head = people(text), _table_head(found, rule)
    context = rule.context[:-1] if head else rule.context
    if _is_former(*headings, *context, text) or not owners:
        return _record(found, rule.span, ("MAINTAINERS", *headings, *context), owners, source)
    area = _of_row(text, head) if head else _of_item(text)
    return _record(found, rule.span, ("MAINTAINERS", *_named([*headings, *context]), area), owners, source)


def _table_head(found: Page, rule: Rule) -> str:
    """The head of the table that *rule* is a row of; '' where it is none."""
    number = bisect_right(found.starts, rule.span.start) - 1
    while number > 1 and "|" in line(found, number):
        number -= 1
        parts = line(found, number).rstrip("\r\n")
        if "-" in parts and _AREAS["delimiter"].fullmatch(parts):
            return line(found, number - 1)
    return ""


def people(text: str) -> list[str]:
    """Who *text* names: handles, else profiles, else the names before mail addresses, else those addresses.

    >>> people("| Ada Lovelace | [@ada](https://github.com/ada) | engine |"), people("Ada Lovelace <ada@example.org>")
    (['ada'], ['Ada Lovelace'])
    """
    handles = _HANDLE.findall(text) or _ENGLISH["profile"].findall(text)
    if handles or not (addresses := _ADDRESS.findall(text)):
        return list(dict.fromkeys(handles))
    # An address in a sentence is where to write to, on a line of its own it is somebody.
    names = _NAMED.findall(text) or (addresses if len(text.split()) <= _LINE_WORDS else [])
    return list(dict.fromkeys(names))


def _plain(found: Page, source: str) -> Iterator[Record]:
    heading = ""
    for number in range(line_count(found)):
        text = line(found, number).strip()
        if names := people(text):
            titles = [heading] if _is_former(heading) else _named([heading])
            yield _record(found, lines_span(found, number, number + 1), ("MAINTAINERS", *titles), names, source)
        elif text and text.strip("#=-*~ "):
            heading = text.strip("#=-*~: ")[:100]


def _record(found: Page, span: Span, titles: Sequence[str], owners: Sequence[str], source: str) -> Record:
    span = trimmed(found, span)
    first, _ = line_numbers(found, span) or (0, 0)
    former = bool(owners) and _is_former(*titles, found.text[span.start : span.end].partition("\n")[0])
    return record_of(
        found, span, source=source, type="ownership", ref=f"ownership:{found.path}#{first}",
        title=" › ".join(filter(None, titles)), state="emeritus" if former else "",
        assignees=() if former else tuple(dict.fromkeys(owners)),
    )  # fmt: skip


def _is_former(*texts: str) -> bool:
    """Whether a heading or a line says that somebody maintains it no more.

    >>> _is_former("Emeritus maintainers"), _is_former("Information")
    (True, False)
    """
    return any(_AREAS["former"].search(text) for text in texts)


def _named(texts: Iterable[str]) -> list[str]:
    """Those headings that say what is maintained, not that people follow.

    >>> _named(["Current maintainers", "Parser", "The following people"])
    ['Parser']
    """
    short = (text for text in (plain(text).strip(" :") for text in texts) if 0 < len(text.split()) <= _AREA_WORDS)
    return [text for text in short if not (_AREAS["of_people"].fullmatch(text) or _AREAS["of_areas"].fullmatch(text))]


def _of_item(text: str) -> str:
    """What an item says before or after the people it names; '' where it names but people."""
    sides = _AREAS["separator"].split(text.strip(), maxsplit=1)
    without = [side for side in sides if not people(side)]
    return next(iter(_named(without)), "") if len(sides) == 2 and len(without) == 1 else ""


def _of_row(row: str, head: str) -> str:
    """The cells of a table's *row* under those names of its *head* that speak of no person."""
    pairs = zip(_cells(head), _cells(row), strict=False)
    said = [cell for column, cell in pairs if not _AREAS["of_people"].fullmatch(column) and not people(cell)]
    return ", ".join(cell for cell in _named(said) if any(map(str.isalpha, cell)))


def _cells(line: str) -> list[str]:
    return [plain(cell.strip()) for cell in _AREAS["cell"].split(line.strip().strip("|"))]

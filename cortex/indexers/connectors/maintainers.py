"""MAINTAINERS files: the people in a list, a table, lines of their own, or blocks as the Linux kernel writes them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from cortex.indexers.connectors import areas
from cortex.indexers.connectors.directives import within
from cortex.indexers.connectors.outline import document
from cortex.indexers.connectors.pages import Page, Span, line, line_count, line_numbers, lines_span, trimmed
from cortex.indexers.connectors.rules import Rule, nodes, rules
from cortex.language.patterns import patterns
from cortex.substrate.model import Record
from cortex.substrate.owners import ORPHAN, is_bare_list

_ENGLISH: Final = patterns("connectors", "maintainers")

_FIELD = re.compile(r"(?P<field>[A-Z]):\s+(?P<value>.+)")
_ORPHAN = re.compile(r"orphan", re.I)
_HANDLE = re.compile(r"(?<![\w./@])@([A-Za-z\d](?:[\w-]*[A-Za-z\d])?(?:/[\w.-]+)?)")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_LINE_WORDS = 12
_NAMED = re.compile(r"([^\W\d_][\w.' -]{0,60}?)\s{0,9}<[^<>\s]{1,64}@[^<>\s]{1,255}>")


def claims(path: str) -> bool:
    """Whether the file at *path* lists maintainers, by its name."""
    return _ENGLISH["file"].fullmatch(path) is not None


def read(found: Page, *, source: str) -> Iterator[Record]:
    """An `ownership` record for every item, row, line or block that names somebody.

    Its title leads to what they maintain, `MAINTAINERS › parser`, and ends at the file where that is everything. Who
    maintains it no more is no assignee, and the record's state is 'emeritus'.
    """
    if any(_FIELD.match(line(found, number)) for number in range(line_count(found))):
        yield from _blocks(found, source)
    elif is_bare_list(found.path):
        yield from _plain(found, source)
    else:
        yield from _prose(found, source)


def _prose(found: Page, source: str) -> Iterator[Record]:
    parsed = document(found, fallback="MAINTAINERS")
    blocks = nodes(parsed.tokens)
    for section in parsed.sections:
        stated = list(rules(found, within(blocks, section.first, section.end), people=True))
        if any(_owners(found, rule) for rule in stated):
            for rule in stated:
                yield _ruled(found, rule, section.titles[1:], source)


def _ruled(found: Page, rule: Rule, headings: Sequence[str], source: str) -> Record:
    text, owners = found.text[rule.span.start : rule.span.end], _owners(found, rule)
    head = _table_head(found, rule)
    context = rule.context[:-1] if head else rule.context
    if areas.is_former(*headings, *context, text) or not owners:
        return _record(found, rule.span, ("MAINTAINERS", *headings, *context), owners, source)
    area = areas.of_row(text, head, people) if head else areas.of_item(text, people)
    return _record(found, rule.span, ("MAINTAINERS", *areas.named([*headings, *context]), area), owners, source)


def _table_head(found: Page, rule: Rule) -> str:
    """The head of the table that *rule* is a row of; '' where it is none."""
    number = bisect_right(found.starts, rule.span.start) - 1
    while number > 1 and "|" in line(found, number):
        number -= 1
        if areas.is_delimiter(line(found, number)):
            return line(found, number - 1)
    return ""


def _owners(found: Page, rule: Rule) -> list[str]:
    return people(found.text[rule.span.start : rule.span.end])


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
            titles = [heading] if areas.is_former(heading) else areas.named([heading])
            yield _record(found, _line_span(found, number), ("MAINTAINERS", *titles), names, source)
        elif text and text.strip("#=-*~ "):
            heading = text.strip("#=-*~: ")[:100]


def _line_span(found: Page, number: int) -> Span:
    return lines_span(found, number, number + 1)


def _blocks(found: Page, source: str) -> Iterator[Record]:
    """Paragraphs of a title line and `M:`, `R:`, `L:`, `F:` … lines below it."""
    first = 0
    for number in range(line_count(found) + 1):
        if number == line_count(found) or not line(found, number).strip():
            yield from _block(found, [line(found, n).strip() for n in range(first, number)], first, source)
            first = number + 1


def _block(found: Page, lines: Sequence[str], first: int, source: str) -> Iterator[Record]:
    fields = [field for text in lines if (field := _FIELD.match(text))]
    owners = [name for field in fields if field["field"] in "MP" for name in people(field["value"])]
    orphan = not owners and any(field["field"] == "S" and _ORPHAN.match(field["value"]) for field in fields)
    title = lines[0] if fields and not _FIELD.match(lines[0]) else ""
    if owners or orphan:
        whole = lines_span(found, first, first + len(lines))
        one = _record(found, whole, ("MAINTAINERS", title), owners, source)
        yield one.model_copy(update={"state": ORPHAN}) if orphan else one
    for number, text in enumerate(lines, first):
        field = _FIELD.match(text)
        if field and field["field"] == "R" and (names := people(field["value"])):
            yield _record(found, _line_span(found, number), ("MAINTAINERS", title, "reviewers"), names, source)


def _record(found: Page, span: Span, titles: Sequence[str], owners: Sequence[str], source: str) -> Record:
    span = trimmed(found, span)
    lines = line_numbers(found, span) or (0, 0)
    body = found.text[span.start : span.end]
    former = bool(owners) and areas.is_former(*titles, body.partition("\n")[0])
    return Record(
        source=source,
        type="ownership",
        ref=f"ownership:{found.path}#{lines[0]}",
        title=" › ".join(filter(None, titles)),
        body=body,
        path=found.path,
        lines=lines,
        state="emeritus" if former else "",
        assignees=() if former else tuple(dict.fromkeys(owners)),
    )

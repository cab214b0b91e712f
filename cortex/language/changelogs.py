"""Changelogs: which release a part of one is of, when that was made, and its entries; and versions in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.language.dates import dates
from cortex.language.markdown import LIST_MARK, BlockKind, Span, blocks
from cortex.language.patterns import patterns
from cortex.regex import regex

_OPENING: Final = 160  # characters before the entries of a release that may tell its day
_LABEL: Final = 60
_MARKS: Final = " \t\r\n*_:"
_LINKS: Final = regex(r"(?:\s*\[[^\]\n]+\]: \S[^\n]*)+\s*")  # definitions of links, a line each

Place = tuple[tuple[int, ...], bool, tuple[int, ...]]


class Section(NamedTuple):
    """A release, as a part of a changelog tells it.

    Attributes:
        version: '' of what is yet to be released.
        day: ISO 8601, a month where no more is told; '' where nothing is.
        pending: not released yet.
    """

    version: str
    day: str
    pending: bool


class Entry(NamedTuple):
    """An entry of a changelog, its list mark left out, and the label it stands under: 'Bug fixes'."""

    span: Span
    label: str


@lru_cache(2**16)
def place_of(version: str) -> Place:
    """Where *version* stands among all, the newest the largest: '2.0' where '2.0.0' does.

    >>> place_of("2.0-rc1") < place_of("2.0") == place_of("2.0.0") < place_of("2.0.post1") < place_of("2.0.1")
    True
    """
    base = re.match(r"\d+(?:[._]\d+)*", version)
    numbers = [*map(int, re.split("[._]", base[0]))] if base else []
    rest = tuple(map(int, re.findall(r"\d+", version[base.end() :]))) if base else ()
    candidate = patterns("releases", "releases")["candidate"].search(version)
    return tuple(numbers + [0] * (5 - len(numbers))), candidate is None, rest


def is_changelog(path: str) -> bool:
    """Whether a file is called as changelogs are."""
    return patterns("releases", "releases")["file"].search(path) is not None


def version_in_title(title: str) -> str:
    """The version that a commit or a pull request of this title releases; '' for none.

    >>> version_in_title("chore(release): v1.2.0 (#12)"), version_in_title("Bump serde to 1.2.0")
    ('1.2.0', '')
    """
    found = patterns("releases", "releases")["title"].fullmatch(title.strip())
    return found["version"] if found else ""


def version_of_tag(name: str) -> tuple[str, str] | None:
    """The package, '' where it names none, and the version that a tag is for; None for another tag.

    >>> version_of_tag("REL_1_2"), version_of_tag("@acme/kiln@1.2rc1"), version_of_tag("v1-old")
    (('', '1.2'), ('@acme/kiln', '1.2rc1'), None)
    """
    found = patterns("releases", "tags")["version"].fullmatch(name)
    return (found["package"] or "", found["version"].replace("_", ".")) if found else None


def section(title: str, body: str) -> Section | None:
    """The release that a part of a changelog is of; None where its headings name none.

    Args:
        title: its headings, the outermost first, joined by ' › '.
    """
    table = patterns("releases", "releases")
    headings = [one.strip() for one in title.split("›")]
    found = next((match for one in headings if (match := table["heading"].match(one))), None)
    if not found:
        return Section("", "", pending=True) if any(map(table["unreleased"].fullmatch, headings)) else None
    rest = found.string[found.end() :]
    first = next(_items(body), None)
    opening = body[: first.span.start if first else None][:_OPENING] if found.string == headings[-1] else ""
    day = _day(rest) or _day(opening, months=False)
    return Section(found["version"], day, not day and table["pending"].search(f"{rest}\n{opening}") is not None)


def _day(text: str, *, months: bool = True) -> str:
    for one in dates(text):
        if one.is_day:
            return one.after
        if months and one.is_month:
            return one.after[:7]
    return ""


def entries(text: str) -> list[Entry]:
    """The entries of *text*: the items of its lists, each whole; where it has none, its paragraphs of prose."""
    paragraphs = (one.span for one in blocks(text) if one.kind is BlockKind.PARAGRAPH)
    prose = (span for span in paragraphs if not _LINKS.fullmatch(text, *span))
    return [*_items(text)] or [Entry(_stripped(text, span), "") for span in prose]


def _items(text: str) -> Iterator[Entry]:
    last, margin, label = None, -1, ""
    for block in blocks(text):
        told = text[block.start : block.end]
        indent = len(told) - len(told.lstrip())
        if last and indent > margin and block.kind is not BlockKind.HEADING:
            last = last._replace(span=Span(last.span.start, block.end))
            continue
        if last:
            yield last._replace(span=_stripped(text, last.span))
            last = None
        if block.kind is BlockKind.ITEM:
            last, margin = Entry(block.span, label), indent
        elif block.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH):
            label = _label(told, heading=block.kind is BlockKind.HEADING)
    if last:
        yield last._replace(span=_stripped(text, last.span))


def _stripped(text: str, span: Span) -> Span:
    mark = LIST_MARK.match(text, span.start, span.end)
    told = text[mark.end() if mark else span.start : span.end]
    return Span(span.end - len(told.lstrip()), span.end - len(told) + len(told.rstrip()))


def _label(text: str, *, heading: bool) -> str:
    """What a heading, or a line that ends in a colon or is all bold, calls the entries below it."""
    told = text.strip()
    named = heading or told.rstrip(" *_").endswith(":") or (told.startswith("**") and told.endswith("**"))
    label = told.strip("# ").strip(_MARKS)
    return label if named and 0 < len(label) <= _LABEL and "\n" not in label else ""

"""reStructuredText cut into units: paragraphs, lists, definitions, notes, changes, what is described.

Docutils would do, but it runs directives, reports to standard error and knows none of a project's own roles.

Source: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.indexers.connectors.pages import Page, page
from cortex.indexers.distill.prose import LONGEST_LEAD, TERM_WORDS, definition, introduction, item, sentences
from cortex.indexers.distill.restructured_lines import (
    BORDER,
    EXPLICIT,
    FIELD,
    ITEM,
    dedent,
    indent,
    is_cut_table,
    is_deeper,
    item_end,
    next_text,
    paragraph_end,
    title_end,
)
from cortex.indexers.distill.unit import LONGEST, Unit
from cortex.language.markdown import Span
from cortex.language.patterns import words
from cortex.substrate.facts import plain

_DIRECTIVE: Final = re.compile(r"[ \t]*\.\.[ \t]+(?P<name>[\w:.+-]+?)::(?:[ \t]+|$)")
_ROLE: Final = re.compile(r"(?<!\w):[a-zA-Z][\w:.+-]*:`(?:([^`<]+?)\s*<[^>`]*>|[~!]*([^`]+))`")
_LINK: Final = re.compile(r"(?<![`\w])`(?:([^`<]+?)\s*<[^>`]*>`(?:__?(?!\w))?|([^`<]+)`__?(?!\w))")
_BADGE: Final = re.compile(r"(?<!\S)\|[^\s|](?:[^|\n]*[^\s|])?\|_{0,2}(?!\S)")
"""A substitution on its own: as a rule a badge."""

_NO_PROSE: Final = (">>> ", "| ", "__ ")
_DEEPEST: Final = 60  # columns to the right beyond which nothing is read
_NOTES: Final = words("distill", "restructured_notes")
_BOXES: Final = words("distill", "restructured_boxes")
_CHANGES: Final = {
    "deprecated": "Deprecated since",
    "versionadded": "Added in",
    "versionchanged": "Changed in",
    "versionremoved": "Removed in",
}
_OBJECTS: Final = words("distill", "restructured_objects")
"""What Sphinx and its domains describe things with: the text below is about the argument."""


class _Text(NamedTuple):
    page: Page
    lines: Sequence[str]

    def span(self, first: int, end: int, *, skip: int = 0) -> Span:
        """Lines without the white space at their end, and without *skip* characters at their beginning."""
        last = next((number for number in range(end - 1, first, -1) if self.lines[number]), first)
        return Span(self.page.starts[first] + skip, self.page.starts[last] + len(self.lines[last]))

    def source(self, span: Span) -> str:
        return self.page.text[span.start : span.end]


class _Place(NamedTuple):
    """Where a block stands.

    Attributes:
        end: the line up to which it may go.
        context: what introduces a list there.
        term: what a paragraph there is about.
    """

    end: int
    context: str = ""
    term: str = ""
    lead: str = ""

    @property
    def introduced(self) -> str:
        return self.lead or self.context


class _Block(NamedTuple):
    """What was read up to line `end`.

    Attributes:
        literal: it ends in '::', so that what is indented below is shown and not said.
    """

    end: int
    units: Sequence[Unit] = ()
    lead: str = ""
    literal: bool = False


def units(body: str) -> Iterator[Unit]:
    """The units of *body*, in order; roles and links read as their words."""
    found = page("", _BADGE.sub(_blanked, body) if "|" in body else body)
    body = found.text
    lines = [body[start:end].rstrip() for start, end in zip(found.starts, found.starts[1:], strict=False)]
    for unit in _walk(_Text(found, lines), 0, _Place(len(lines))):
        yield unit._replace(text=spoken(unit.text), context=spoken(unit.context))


def _blanked(badge: re.Match[str]) -> str:
    return " " * len(badge[0])


def spoken(source: str) -> str:
    """*source* without the names of roles and the targets of links.

    >>> spoken("call :meth:`~app.Queue.take`, see `the guide <guide.html>`_")
    'call `app.Queue.take`, see the guide'
    """
    if "`" not in source:
        return source
    roles = _ROLE.sub(lambda match: match[1] or f"`{match[2]}`", source)
    return _LINK.sub(lambda match: match[1] or match[2], roles)


def _walk(text: _Text, first: int, place: _Place) -> Iterator[Unit]:
    lines, literal, number = text.lines, False, first
    margin = min((indent(lines[at]) for at in range(first, place.end) if lines[at]), default=0)
    while number < place.end and margin <= _DEEPEST:
        if not lines[number]:
            number += 1
        elif indent(lines[number]) > margin:  # a quotation, or what a paragraph that ends in '::' shows
            stop = dedent(lines, number, place.end, margin)
            if not literal and ITEM.match(lines[number]):
                yield from _walk(text, number, _Place(stop, place.introduced))
            number, literal = stop, False
        else:
            block = next(filter(None, (read(text, number, place) for read in _READERS)))
            yield from block.units
            number, literal, place = block.end, block.literal, place._replace(lead=block.lead)


def _table(text: _Text, number: int, place: _Place) -> _Block | None:
    return _Block(paragraph_end(text.lines, number, place.end)) if BORDER.match(text.lines[number]) else None


def _explicit(text: _Text, number: int, place: _Place) -> _Block | None:
    """What a directive says; comments, targets and footnotes say nothing, and a list is introduced across them."""
    if not EXPLICIT.match(text.lines[number]):
        return None
    stop = dedent(text.lines, number + 1, place.end, indent(text.lines[number]))
    told = _DIRECTIVE.match(text.lines[number])
    return _Block(stop, list(_directive(text, number, stop, place, told))) if told else _Block(stop, (), place.lead)


def _directive(text: _Text, first: int, end: int, place: _Place, told: re.Match[str]) -> Iterator[Unit]:
    name, argument = told["name"].rpartition(":")[2].lower(), text.lines[first][told.end() :].strip()
    below = next((at for at in range(first + 1, end) if not FIELD.match(text.lines[at])), end)
    inside = _Place(end, term=place.term)
    if name in _CHANGES:
        yield from _changed(text, first, end, place, told)
    elif name in _NOTES and argument:
        stop = paragraph_end(text.lines, first, end)
        beside = sentences(text.page.text, text.span(first, stop, skip=told.end()), place.term)
        yield from beside
        yield from _walk(text, stop, inside)
    elif name in _NOTES or name in _BOXES or name == "glossary":
        yield from _walk(text, below, inside)
    elif name in _OBJECTS and argument:
        term = argument.partition("(")[0][:LONGEST_LEAD]
        yield from _defined(text, next_text(text.lines, below, end), inside._replace(term=term))


def _changed(text: _Text, first: int, end: int, place: _Place, told: re.Match[str]) -> Iterator[Unit]:
    version, _, beside = text.lines[first][told.end() :].strip().partition(" ")
    stop = paragraph_end(text.lines, first, end)
    if stop == first + 1 and not beside:
        stop = paragraph_end(text.lines, next_text(text.lines, stop, end), end)
    span = text.span(first, min(stop, end), skip=indent(text.lines[first]))
    said = plain(text.page.text[text.page.starts[first] + told.end() : span.end]).removeprefix(version).strip()
    since = f"{_CHANGES[told['name'].rpartition(':')[2].lower()]} {version}"
    if version and span.end - span.start <= LONGEST:
        yield Unit(span.start, span.end, f"{since}: {said}" if said else f"{since}.", place.term)


def _list(text: _Text, number: int, place: _Place) -> _Block | None:
    found: list[Unit] = []
    margin, lines, first = indent(text.lines[number]), text.lines, number
    while number < place.end and ITEM.match(lines[number]) and indent(lines[number]) == margin:
        stop = item_end(lines, number, place.end)
        found += _item(text, number, stop, place.introduced)
        number = next_text(lines, stop, place.end)
    return _Block(number, found) if number > first else None


def _item(text: _Text, first: int, end: int, context: str) -> Iterator[Unit]:
    """A list item with what introduces the list; what stands below its first paragraph stands under its words."""
    mark = ITEM.match(text.lines[first])
    stop = paragraph_end(text.lines, first, end)
    block = text.span(first, stop, skip=mark.end() if mark else 0)
    yield from item(text.page.text, block, context)
    if stop < end and not text.source(block).endswith("::"):
        above = plain(spoken(text.source(block))).rstrip(" :")
        yield from _walk(text, stop, _Place(end, above if len(above) <= LONGEST_LEAD else ""))


def _fields(text: _Text, number: int, place: _Place) -> _Block | None:
    found = FIELD.match(text.lines[number])
    return _Block(dedent(text.lines, number + 1, place.end, indent(text.lines[number]))) if found else None


def _title(text: _Text, number: int, place: _Place) -> _Block | None:
    end = title_end(text.lines, number, place.end)
    return _Block(end) if end > number else None


def _definition(text: _Text, number: int, place: _Place) -> _Block | None:
    line = text.lines[number]
    if not is_deeper(text.lines, number, place.end) or line.endswith("::"):
        return None
    term = plain(spoken(line)).partition(" : ")[0].rstrip(":")
    if len(term.split()) > TERM_WORDS or term.endswith((".", ",", ";")):
        return None
    stop = dedent(text.lines, number + 1, place.end, indent(line))
    return _Block(stop, list(_defined(text, number + 1, _Place(stop, term, term))))


def _defined(text: _Text, first: int, place: _Place) -> Iterator[Unit]:
    line = text.lines[first] if first < place.end else ".."
    if not any(begins.match(line) for begins in (ITEM, EXPLICIT, FIELD)):
        below = paragraph_end(text.lines, first, place.end)
        yield from definition(text.page.text, text.span(first, below), place.term)
        first = below
    yield from _walk(text, first, place)


def _paragraph(text: _Text, number: int, place: _Place) -> _Block:
    stop = paragraph_end(text.lines, number, place.end)
    block = text.span(number, stop)
    source = text.source(block)
    said = plain(spoken(source))
    prose = source != "::" and not source.startswith(_NO_PROSE) and not is_cut_table(text.lines[number:stop])
    found = list(sentences(text.page.text, block, place.term)) if prose else ()
    introduces = said.endswith((":", "?", "?*")) and not source.endswith("::")
    lead = introduction(said) if introduces else ""
    return _Block(stop, found, lead, source.endswith("::"))


_READERS: Final[Sequence[Callable[[_Text, int, _Place], _Block | None]]] = (
    _table,
    _explicit,
    _list,
    _fields,
    _title,
    _definition,
    _paragraph,
)
"""In this order: the first that knows what begins at a line reads it; a paragraph may begin at any."""

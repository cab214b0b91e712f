"""Markdown cut into units, as CommonMark reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cortex.indexers.connectors.markdown import parse
from cortex.indexers.connectors.markdown import plain as read
from cortex.indexers.connectors.pages import Page, page
from cortex.indexers.connectors.pages import lines_span as lines
from cortex.indexers.connectors.rules import Node, nodes, without_tags
from cortex.indexers.distill.prose import TERM_WORDS, definition, introduction, sentences
from cortex.indexers.distill.prose import item as item_units
from cortex.indexers.distill.tables import Row, rows
from cortex.indexers.distill.unit import Unit
from cortex.language.markdown import Span
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences_of

_ENGLISH: Final = patterns("distill", "markdown")

_ATTRIBUTES: Final = re.compile(r"\{[:{%].*\}", re.DOTALL)  # what stands on lines of its own for a site's generator
_FEW: Final = 3
_LISTS: Final = ("bullet_list", "ordered_list")
_DEFINED: Final = re.compile(r"^[ \t]{0,3}:[ \t]+", re.MULTILINE)
_ALERT: Final = re.compile(r"\[!\w+\][ \t]*(?:\n|\Z)")
_IMAGE: Final = re.compile(
    r"\[[ \t]*!\[[^\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])[ \t]*\](?:\([^()\n]*\)|\[[^\]\n]*\])?"
    r"|!\[[^\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])"
)
"""What is seen and says nothing: a badge, with or without a link."""


def units(body: str) -> Iterator[Unit]:
    """The units of *body*, in order."""
    found = page("", _IMAGE.sub(_blanked, without_tags(body)) if "![" in body else without_tags(body))
    yield from _walk(found, nodes(parse(found.text).tokens), "")


def _walk(found: Page, blocks: Sequence[Node], context: str) -> Iterator[Unit]:
    lead = ""
    for node in blocks:
        if node.type in _LISTS:
            yield from _list(found, node, lead, context)
            lead = ""
        elif node.type == "table":
            yield from _table(found, node, lead)
            lead = ""
        elif node.type == "blockquote" and node.children and _ENGLISH["note"].match(node.children[0].content):
            yield from _walk(found, _without_mark(node.children), context)
        elif node.type == "paragraph" and not _ATTRIBUTES.fullmatch(node.content):
            yield from _paragraph(found, node, lead)
            lead = introduction(_said(node.content))


def _without_mark(blocks: Sequence[Node]) -> Sequence[Node]:
    first, *others = blocks
    marked = _ALERT.match(first.content)
    if not marked:
        return blocks
    left = first._replace(first=first.first + 1, content=first.content[marked.end() :])
    return [left, *others] if left.content else others


def _blanked(image: re.Match[str]) -> str:
    return " " * len(image[0])


def _paragraph(found: Page, node: Node, lead: str) -> Iterator[Unit]:
    span = _lines(found, node.first, node.end)
    if defined := _DEFINED.search(found.text, span.start, span.end):
        term = read(found.text[span.start : defined.start()]).rstrip(":") or lead
        if term and len(term.split()) <= TERM_WORDS:
            yield from definition(found.text, Span(defined.end(), span.end), term)
            return
    yield from sentences(found.text, span)


def _list(found: Page, node: Node, lead: str, context: str) -> Iterator[Unit]:
    for item in node.children:
        yield from _item(found, item, lead or context)


def _item(found: Page, item: Node, context: str) -> Iterator[Unit]:
    """A list item with what introduces the list; what stands below an item stands under its words."""
    nested = next((place for place, child in enumerate(item.children) if child.type in (*_LISTS, "table")), None)
    head = item.children[:nested] if nested is not None else item.children
    for node in head:
        if node.type == "paragraph":
            span = _lines(found, node.first, node.end)
            yield from item_units(found.text, span, context)
    if nested is not None:
        above = _above(" ".join(node.content for node in head if node.type == "paragraph"))
        yield from _walk(found, item.children[nested:], above or context)


def _table(found: Page, table: Node, introduced: str) -> Iterator[Unit]:
    head = [read(cell.content) for row in table.children[0].children for cell in row.children]
    body = [
        Row(_trimmed(found.text, _lines(found, row.first, row.end)), [read(cell.content) for cell in row.children])
        for part in table.children[1:]
        for row in part.children
    ]
    yield from rows(head, body, introduced)


def _said(content: str) -> str:
    """*content* as it reads; the last sentence of what is long."""
    said = read(content)
    return said if not said.endswith("…") else read(_ends(content)[1])


def _above(content: str) -> str:
    """What an item says of those below it; of a long one the sentence that introduces them, or else its first."""
    said = read(content)
    if said.endswith("…"):
        first, last = _ends(content)
        introduces = last.rstrip().endswith(":") and len(last.split()) > _FEW
        said = read(last if introduces else first)
    return "" if said.endswith("…") else said.rstrip(" :")


def _ends(content: str) -> tuple[str, str]:
    spans = list(sentences_of(content, Span(0, len(content)))) or [Span(0, 0)]
    return content[spans[0].start : spans[0].end], content[spans[-1].start : spans[-1].end]


def _lines(found: Page, first: int, end: int) -> Span:
    return Span(*lines(found, first, end))


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span.start : span.end]
    return Span(span.start + len(piece) - len(piece.lstrip()), span.end - len(piece) + len(piece.rstrip()))

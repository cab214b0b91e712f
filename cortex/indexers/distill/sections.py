"""Sections of documents cut into units: sentences, list items with what introduces them, table rows with their heads.

Markdown is read as CommonMark has it; reStructuredText by its lines, as far as these tell an item from a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cortex.indexers.connectors.markdown import parse
from cortex.indexers.connectors.markdown import plain as read
from cortex.indexers.connectors.pages import Page, page
from cortex.indexers.connectors.pages import lines_span as lines
from cortex.indexers.connectors.rules import Node, nodes, without_tags
from cortex.indexers.distill.cues import PATTERNS
from cortex.indexers.distill.unit import LONGEST, Unit
from cortex.substrate.facts import plain
from cortex.substrate.sentences import Span, blocks, sentences_of

_TERM_WORDS: Final = 8
_LONGEST_LEAD: Final = 240
_LISTS: Final = ("bullet_list", "ordered_list")
_DEFINED: Final = re.compile(r"^[ \t]{0,3}:[ \t]+", re.MULTILINE)
_NOTE: Final = re.compile(r"\W*(?:note|warning|important|caution|tip|danger)\b", re.IGNORECASE)
_ASKED: Final = re.compile(r"^(?:Q\d*[.:)]\s*)?(.{8,200}\?)[*_\s]*$", re.DOTALL)
_ANSWERS: Final = re.compile(r"^\W*A\d*[.:)]\s+")
_DIRECTIVE: Final = re.compile(r"\s*(?:\.\. |:\w[\w -]*:(?:\s|$))")
_ADMONITION: Final = re.compile(
    r"\.\. (?:(?:note|warning|important|caution|danger|attention|tip|hint|admonition)::[ \t]*"
    r"|(?P<change>deprecated|versionadded|versionchanged|versionremoved)::[ \t]*(?P<version>\S+)[ \t]*)"
)
_CHANGES: Final = {
    "deprecated": "Deprecated since",
    "versionadded": "Added in",
    "versionchanged": "Changed in",
    "versionremoved": "Removed in",
}
_ADORNED: Final = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}$")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|#\.)\s")
_LEANS: Final = (PATTERNS["that"], PATTERNS["goes on"], re.compile(r"^.{0,40}\b(?:this|these|those|such an?) [a-z]"))
_PRONOUN: Final = re.compile(
    r"^(?:It|This)(?= (?:is|was|must|should|shall|may|can|cannot|will|has|had|does|defaults?|returns|controls|sets"
    r"|takes|holds|contains|requires|allows|means|needs|runs|uses|ensures|prevents|applies|provides|supports|makes|only|never"
    r"|always)\b)"
    r"|^It(?= (?!(?:seems|appears|depends|follows|happens|turns|takes|goes|looks|sounds|helps|matters)\b)[a-z]{2,}s\b)"
)
_NOBODY: Final = re.compile(
    r"It (?:is|was|may be|can be|must be|should be) (?:(?:not|also|very|always|often|usually|generally|then) )*"
    r"(?:\w+ that\b|(?:up|best|better|worth|good|(?:im)?possible|important|necessary|recommended|advisable|useful"
    r"|common|helpful|easy|hard|difficult|safe|enough|essential|vital|sufficient) (?:to|for|if|when)\b)",
    re.IGNORECASE,
)
"""The "it" that stands for nothing: "It is recommended that", "It is up to"."""

_NAMED: Final = re.compile(r"(?!(?:how|why|what|when|where|who|which|can|do|does|is|are|should)\b)[^?]+", re.IGNORECASE)


def sections(title: str, body: str, *, path: str) -> Iterator[Unit]:
    """The units of a section, in order.

    Args:
        title: its headings, joined by ' › '.
        path: of the file, whose suffix tells what it is written in.
    """
    heading = title.rpartition(" › ")[2]
    units = _restructured(body) if path.endswith(".rst") else _markdown(body)
    question = heading if heading.endswith("?") else ""
    named = heading if len(heading.split()) <= _TERM_WORDS and _NAMED.fullmatch(heading) else ""
    until = 0  # up to here each sentence says "it" of the heading
    for number, unit in enumerate(units):
        if number == 0:
            first = unit._replace(first=True, shape="answer") if question else _named(unit._replace(first=True), named)
            until = first.end if first.resolved else 0
            yield first
        elif unit.start < until:
            until = unit.end if _PRONOUN.match(plain(body[until : unit.end])) else until
            yield _named(unit, named)
        else:
            yield unit


def _named(unit: Unit, heading: str) -> Unit:
    """*unit* with its heading for the "it" or "this" it begins with, where it does."""
    if not heading or unit.shape == "item" or not _PRONOUN.match(unit.text) or _NOBODY.match(unit.text):
        return unit
    return unit._replace(text=_PRONOUN.sub(lambda _: heading, unit.text), resolved=True)


def _markdown(body: str) -> Iterator[Unit]:
    found = page("", without_tags(body))
    yield from _walk(found, nodes(parse(found.text).tokens), "")


def _walk(found: Page, blocks: Sequence[Node], context: str) -> Iterator[Unit]:
    introduced = ""
    for node in blocks:
        if node.type in _LISTS:
            for item in node.children:
                yield from _item(found, item, introduced or context)
            introduced = ""
        elif node.type == "table":
            yield from _rows(found, node, introduced)
            introduced = ""
        elif node.type == "blockquote" and node.children and _NOTE.match(node.children[0].content):
            yield from _walk(found, node.children, context)
        elif node.type == "paragraph":
            yield from _paragraph(found, node, introduced)
            introduced = _introduction(node.content)


def _introduction(content: str) -> str:
    """What a paragraph says of the block after it: its last sentence where that ends in a colon, a question, a term."""
    text = read(content)
    if asked := _ASKED.match(text):
        return asked[1]
    if text.endswith(":"):
        last = [text[span.start : span.end] for span in sentences_of(text, Span(0, len(text)))][-1:]
        lead = (last[0] if last else text).rstrip(" :")
        return lead if len(lead) <= _LONGEST_LEAD else ""
    return text if len(text.split()) <= _TERM_WORDS and not text.endswith((".", "!")) else ""


def _paragraph(found: Page, node: Node, introduced: str) -> Iterator[Unit]:
    """The sentences of a paragraph: of a definition under its term, of an answer only the first, under its question."""
    span = _lines(found, node.first, node.end)
    if introduced.endswith("?"):
        for unit in islice(_sentences(found.text, span, introduced), 1):
            yield unit._replace(shape="answer", text=_ANSWERS.sub("", unit.text))
        return
    term = ""
    if defined := _DEFINED.search(found.text, span.start, span.end):
        term = read(found.text[span.start : defined.start()]).rstrip(":") or introduced
        if len(term.split()) <= _TERM_WORDS:
            span = Span(defined.end(), span.end)
    yield from _sentences(found.text, span, term if len(term.split()) <= _TERM_WORDS else "")


def _item(found: Page, item: Node, context: str) -> Iterator[Unit]:
    """A list item with what introduces the list; what stands below an item stands under its words."""
    nested = next((place for place, child in enumerate(item.children) if child.type in (*_LISTS, "table")), None)
    head = item.children[:nested] if nested is not None else item.children
    context = "" if context.endswith("?") else context
    for node in head:
        if node.type == "paragraph":
            span = _lines(found, node.first, node.end)
            for unit in _whole(found.text, span, context) or _sentences(found.text, span, context):
                yield unit._replace(shape="item")
    if nested is not None:
        above = read(" ".join(node.content for node in head if node.type == "paragraph")).rstrip(" :")
        above = above if len(above) <= _LONGEST_LEAD else ""
        yield from _walk(found, item.children[nested:], above or context)


def _whole(text: str, block: Span, context: str) -> list[Unit]:
    """A paragraph as one unit where it is short enough."""
    spans = list(sentences_of(text, block))
    if not spans or spans[-1].end - spans[0].start > LONGEST:
        return []
    start, end = spans[0].start, spans[-1].end
    return [Unit(start, end, plain(text[start:end]), context, sentences=len(spans))]


def _rows(found: Page, table: Node, introduced: str) -> Iterator[Unit]:
    head = [read(cell.content) for row in table.children[0].children for cell in row.children]
    for row in (row for part in table.children[1:] for row in part.children):
        cells = [read(cell.content) for cell in row.children]
        told = "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(head, cells, strict=False) if cell)
        span = _trimmed(found.text, _lines(found, row.first, row.end))
        if sum(map(bool, cells)) > 1 and span.end - span.start <= LONGEST:
            yield Unit(span.start, span.end, told, introduced, "row")


def _sentences(text: str, block: Span, context: str) -> Iterator[Unit]:
    """The sentences of a paragraph; one that leans on another comes with it."""
    spans = list(sentences_of(text, block))
    texts = [plain(text[span.start : span.end]) for span in spans]
    for place, span in enumerate(spans):
        start = place - 1 if place and _leans(texts[place]) else place
        if span.end - spans[start].start > LONGEST:
            start = place
        yield Unit(
            spans[start].start, span.end, " ".join(texts[start : place + 1]), context, sentences=place + 1 - start
        )


def _leans(text: str) -> bool:
    said = text.lower()
    return any(cue.search(said) for cue in _LEANS)


def _lines(found: Page, first: int, end: int) -> Span:
    return Span(*lines(found, first, end))


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span.start : span.end]
    return Span(span.start + len(piece) - len(piece.lstrip()), span.end - len(piece) + len(piece.rstrip()))


def _restructured(body: str) -> Iterator[Unit]:
    introduced, within = "", False
    for block, code in blocks(body):
        inner = body[block.start : block.end].splitlines()
        if told := _ADMONITION.match(body, block.start, block.end):
            within = True
            yield from _admonished(body, block, told)
            continue
        within = within and inner[0].startswith(("  ", "\t"))
        if within and not _DIRECTIVE.match(inner[0]):
            yield from _sentences(body, block, "")
            continue
        if code or _DIRECTIVE.match(inner[0]) or any(_ADORNED.match(line.rstrip()) for line in inner):
            continue
        item = _ITEM.match(inner[0]) is not None
        if inner[0].startswith(("   ", "\t")) and not item:
            continue
        units = list(_sentences(body, block, introduced if item else ""))
        for unit in units:
            yield unit._replace(shape="item") if item else unit
        if units and not item:
            last = units[-1].text
            introduced = last.rstrip(" :") if last.endswith(":") else ""


def _admonished(body: str, block: Span, told: re.Match[str]) -> Iterator[Unit]:
    """What stands beside or right below a note, a warning, or since which version something is so."""
    if not told["change"]:
        yield from _sentences(body, Span(told.end(), block.end), "")
        return
    since = f"{_CHANGES[told['change']]} {told['version']}"
    said = plain(body[told.end() : block.end])
    if block.end - block.start <= LONGEST:
        yield Unit(block.start, block.end, f"{since}: {said}" if said else f"{since}.")

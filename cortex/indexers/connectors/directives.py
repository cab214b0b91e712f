"""Directive files: what a project tells its people and its agents to do, one record a rule.

A rule's ref is its file and its number there, `directive:seed-ui.md#4`: a rule put in above it counts those below up.
Rules are the statements of a Markdown text, one a list item, a paragraph or a table row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import count
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from cortex.indexers.connectors.documents import broken_front_matter
from cortex.indexers.connectors.frontmatter import time_field
from cortex.indexers.connectors.markdown import plain, says_nothing, without_tags
from cortex.indexers.connectors.outline import Document, Section, document
from cortex.indexers.connectors.pages import Page, Span, lines_span, record_of, trimmed
from cortex.substrate.model import Record, Skipped
from cortex.substrate.rule_files import claims

__all__ = ["claims", "read", "rule_record", "within"]


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    r"""A `directive` record for every list item, paragraph and table row.

    An item with items below it is a rule of its own only where it is a sentence; they carry its line in their title.

    >>> page = Page("AGENTS.md", "# Style\n\n- Names:\n  - no abbreviations\n", [0, 8, 9, 18, 39])
    >>> [(record.title, record.body) for record in read(page, source="demo")]
    [('Style › Names', 'no abbreviations')]
    """
    seen = found._replace(text=without_tags(found.text))
    parsed = document(seen, fallback=found.path, named_in=("title", "description"))._replace(page=found)
    yield from broken_front_matter(parsed)
    numbers = count(1)
    blocks = nodes(parsed.tokens)
    updated = time_field(parsed.front, "updated", "updated_at", "date")
    for section in parsed.sections:
        for rule in rules(seen, within(blocks, section.first, section.end)):
            number = next(numbers)
            yield rule_record(parsed, section, rule, number, source=source, state="active", updated_at=updated)


def within(blocks: list[Node], first: int, end: int) -> list[Node]:
    """The blocks that begin in the lines from *first* up to *end*."""
    starts = attrgetter("lines")
    return blocks[bisect_left(blocks, (first, 0), key=starts) : bisect_left(blocks, (end, 0), key=starts)]


def rule_record(parsed: Document, section: Section, rule: Rule, number: int, **fields: Any) -> Record:  # noqa: ANN401
    """The `directive` record of one rule, with *fields* of the record as given."""
    stated = parsed.front.fields.get("globs") or parsed.front.fields.get("applyto") or ""
    globs = ", ".join(map(str, stated)) if isinstance(stated, list) else " ".join(str(stated).split())
    applies_to = f" ({globs})" if globs not in {"", "*", "**", "**/*"} else ""
    title, *headings = section.titles
    called = " › ".join([title + applies_to, *headings, *rule.context])
    ref = f"directive:{parsed.page.path}#{number}"
    return record_of(parsed.page, rule.span, type="directive", ref=ref, title=called, **fields)


_CODE = {"fence", "code_block"}
_NESTED = {"bullet_list", "ordered_list", "table", "blockquote"}
_MARKERS = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>)*")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]*_`]*(?:\s+(?=\S)|\s*\Z)")
_HEADING_WORDS = 3
_INTRODUCING_WORDS = 10
_IMPORT = re.compile(r"@\S+")


class Rule(NamedTuple):
    """A statement, and what it stands under besides its headings."""

    span: Span
    context: tuple[str, ...]
    """the list items above it, the sentence that introduces its list, the head of its table"""


class Node(SyntaxTreeNode):
    """A block of a text with the blocks in it; lines count from 0."""

    @property
    def lines(self) -> tuple[int, int]:
        """Its first line, and the one after its last."""
        return self.map or (-1, -1)

    @property
    def content(self) -> str:
        """The text of code, or inline text as it stands; '' where there are blocks in it."""
        inside = self.children[0] if self.children and self.children[0].type == "inline" else self
        return inside.token.content if inside.token else ""


class _Lines(NamedTuple):
    first: int
    end: int
    context: tuple[str, ...]
    kind: Literal["rule", "code", "introduction"] = "rule"


def nodes(tokens: Sequence[Token]) -> list[Node]:
    """The tree that *tokens* are the walk of."""
    return Node(tokens).children


def rules(page: Page, blocks: Sequence[Node], *, introductions: bool = False, people: bool = False) -> Iterator[Rule]:
    """The rules in *blocks*, in order. Code belongs to the rule before it; what only introduces a list is no rule.

    Args:
        introductions: "We will use SQLite:" above a list is a rule too, however short.
        people: "@ada" alone is somebody; else it is a file that is read here.
    """
    stated: list[_Lines] = []
    held = False  # what code belongs to
    for found in _walk(blocks, ()):
        if found.kind == "code" and held:
            stated[-1] = stated[-1]._replace(end=found.end)
            continue
        held = found.kind != "introduction" or introductions
        stated += [found] if held else []
    for one in stated:
        span = trimmed(page, lines_span(page, one.first, one.end))
        markers = _MARKERS.match(page.text, span.start, span.end)
        if markers and one.kind != "code":
            span = Span(markers.end(), span.end)
        text = page.text[slice(*span)]
        if any(map(str.isalpha, text)) and (people or not _IMPORT.fullmatch(text)):
            yield Rule(span, one.context)


def _walk(blocks: Sequence[Node], context: tuple[str, ...]) -> Iterator[_Lines]:
    introduced: tuple[str, ...] = ()
    for number, node in enumerate(blocks, 1):
        if node.type in _CODE:
            yield _Lines(*node.lines, context, "code")
        elif node.type in _NESTED:
            yield from _inside(node, context + introduced)
            introduced = ()
        elif node.type == "paragraph" and _introduces(node.content, blocks[number : number + 1]):
            parts = _SENTENCE_END.split(plain(node.content).rstrip(" :："))
            introduced = (next(filter(None, reversed(parts)), ""),)
            yield _Lines(*node.lines, context, "rule" if _stands_alone(node.content) else "introduction")
        elif node.type not in {"heading", "hr"} and not says_nothing(node.content):
            yield _Lines(*node.lines, context)
            introduced = ()


def _inside(node: Node, context: tuple[str, ...]) -> Iterator[_Lines]:
    if node.type == "blockquote":
        yield from _walk(node.children, context)
    elif node.type == "table":
        cells = (plain(cell.content) for row in node.children[0].children for cell in row.children)
        head = " / ".join(filter(None, cells))
        for row in (row for part in node.children[1:] for row in part.children):
            yield _Lines(*row.lines, (*context, head) if head else context)
    else:
        for item in node.children:
            yield from _item(item, context)


def _item(item: Node, context: tuple[str, ...]) -> Iterator[_Lines]:
    nested = next((n for n, child in enumerate(item.children) if child.type in _NESTED), None)
    if nested is None:
        yield _Lines(*item.lines, context)
        return
    head, rest = item.children[:nested], item.children[nested:]
    if head and (len(head) > 1 or _stands_alone(head[0].content)):
        yield _Lines(item.lines[0], rest[0].lines[0], context)
    above = plain(" ".join(node.content for node in head if node.type not in _CODE)).rstrip(" :：")
    yield from _walk(rest, (*context, above) if above else context)


def _introduces(text: str, after: Sequence[Node]) -> bool:
    """Whether *text* leads to the list or table after it: "Always:", or "Chosen option: A, because"."""
    listed = any(node.type in _NESTED - {"blockquote"} for node in after)
    return listed and (_ends_in_colon(text) or not (_SENTENCE_END.search(text) or _IMPORT.fullmatch(text)))


def _ends_in_colon(text: str) -> bool:
    return text.rstrip(" \t\n*_`").endswith((":", "："))


def _stands_alone(text: str) -> bool:
    """Whether what stands above a list says something without it: a sentence, or more words than a heading has."""
    words = _INTRODUCING_WORDS if _ends_in_colon(text) else _HEADING_WORDS
    return _SENTENCE_END.search(text) is not None or len(text.split()) > words

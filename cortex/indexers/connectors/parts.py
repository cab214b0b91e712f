"""What a reader of a format finds in a document: headings and blocks, by their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from cortex.indexers.connectors.pages import Page, line_count
from cortex.language.markdown import Block, BlockKind
from cortex.language.patterns import words


class Heading(NamedTuple):
    """A heading and the lines it takes, from 0."""

    first: int
    end: int
    level: int
    text: str
    """as it reads, without markup"""
    id: str = ""
    """the anchor its author gave it, as in `# Ports {#ports}`"""
    title: int = -1
    """the line of its words, where that is not the first"""


class Part(NamedTuple):
    """A block and the lines it takes, from 0; what is in none says nothing: comments, badges, where links lead."""

    kind: BlockKind
    first: int
    end: int
    depth: int = 0


_MARKED: Final = (BlockKind.PARAGRAPH, BlockKind.TERM)
_MARK: Final = re.compile(r"[ \t]*(?:\.\.[ \t]+[\w:.+-]+::|[`~]{3,}\{[\w:.-]+\}|:(?=[ \t]))[ \t]*")
"""What a paragraph that begins on the line of a directive, or a definition, begins with."""


def blocks(page: Page, found: Iterable[Heading | Part]) -> Iterator[Block]:
    """The blocks of *page* by offset, without the white space at their end and the markup they begin with."""
    last = line_count(page)
    for one in found:
        if isinstance(one, Heading):
            first = max(one.first, one.title)
            kind, end, depth = BlockKind.HEADING, first + 1, one.level
        else:
            kind, first, end, depth = one
        if first >= last:
            continue
        start, stop = page.starts[first], page.starts[min(end, last)]
        if kind in _MARKED and (mark := _MARK.match(page.text, start, stop)):
            start = mark.end()
        stop = start + len(page.text[start:stop].rstrip())
        if stop > start:
            yield Block(start, stop, kind, (), depth)


def shifted(found: Iterable[Heading | Part], by: int, depth: int) -> Iterator[Heading | Part]:
    """*found* of a text that begins *by* lines below, in a block of *depth*; its headings are not the document's."""
    for one in found:
        if isinstance(one, Part):
            yield one._replace(first=one.first + by, end=one.end + by, depth=one.depth + depth)
        else:
            yield Part(BlockKind.ASIDE, one.first + by, one.end + by, depth)


NOTES: Final = words("connectors", "directives_of_notes")
"""Directives of reStructuredText and MyST whose text is part of the document's, from their first line on."""
PROSE: Final = words("connectors", "directives_of_prose")
"""Those whose text is so below that line; what stands in others than these is shown as it is."""
OBJECTS: Final = words("connectors", "directives_of_objects")
"""What Sphinx and its domains describe things with: the text below is about the argument."""
CHANGES: Final = words("connectors", "directives_of_changes")
SHOWN: Final = words("connectors", "directives_of_code")
"""Of these what stands below is code, and their own line says nothing to a reader."""
UNSEEN: Final = words("connectors", "directives_unseen")

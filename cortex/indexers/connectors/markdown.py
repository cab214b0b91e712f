"""Markdown as CommonMark reads it: headings, and the lines at which blocks begin. Inline text is not parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:#(?P<id>[^\s{}]{1,100})|\.)[^{}]*\}$")
_INLINE = re.compile(r"[\\`*_\[\]<>&!]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LONGEST_TITLE = 200
_MOST_CELLS = 100_000  # a cell is three tokens of some 300 bytes; beyond, a table is a paragraph


class Heading(NamedTuple):
    """A heading and the lines it takes, from 0."""

    first: int
    end: int
    level: int
    text: str
    """as it reads, without markup"""
    id: str = ""
    """the anchor its author gave it, as in `# Ports {#ports}`"""


class Outlined(NamedTuple):
    """A document's headings, and where its blocks begin: a cut at one of these lines cuts no table and no code."""

    headings: list[Heading]
    cuts: list[int]
    tokens: Sequence[Token] = ()
    """of Markdown only"""


def parse(text: str) -> Outlined:
    """The headings and blocks of *text*; headings in quotes, lists, comments and code are none of the document's."""
    tokens = _parser(tables=text.count("|") <= _MOST_CELLS).parse(text)
    return Outlined(list(_headings(tokens)), list(_cuts(tokens)), tokens)


def plain(inline: str) -> str:
    """Inline Markdown as it reads, on one line.

    >>> plain("The `--db` *flag*, see [setup](setup.md#db)")
    'The --db flag, see setup'
    """
    cut = inline[: 4 * _LONGEST_TITLE]
    read = _rendered(cut) if _INLINE.search(cut) else cut
    words = " ".join(read.split())
    return words if len(words) <= _LONGEST_TITLE else words[: _LONGEST_TITLE - 1].rstrip() + "…"


def says_nothing(text: str) -> bool:
    """Whether *text* is blank but for comments."""
    return not text.strip() or ("<!--" in text and not _COMMENT.sub("", text).strip())


@cache
def _parser(*, tables: bool) -> MarkdownIt:
    # Link definitions stay text: they must land in a record, and thousands of them cost quadratic time.
    parser = MarkdownIt("commonmark").disable(["inline", "reference"])
    return parser.enable("table") if tables else parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            content = tokens[index + 1].content
            given = _ATTRIBUTES.search(content)
            text = plain(content[: given.start()] if given else content)
            first, end = token.map
            yield Heading(first, end, int(token.tag[1:]), text, (given["id"] or "") if given else "")


def _cuts(tokens: Sequence[Token]) -> Iterator[int]:
    for token in tokens:
        if token.map and token.nesting >= 0 and (token.level == 0 or _is_item(token)):
            yield token.map[0]


def _is_item(token: Token) -> bool:
    return token.level == 1 and token.type == "list_item_open"


def _rendered(inline: str) -> str:
    children = _inline_parser().parseInline(inline)[0].children or []
    text = "".join(_text(child) for child in children if child.type != "image")
    return text if text.strip() else " ".join(child.content for child in children if child.type == "image")


def _text(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return token.content if token.type in {"text", "text_special", "code_inline"} else ""

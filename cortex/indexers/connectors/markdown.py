"""Markdown as CommonMark reads it, with the directives of MyST: headings and blocks. Inline text is not parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cortex.indexers.connectors.pages import CHANGES, NOTES, OBJECTS, PROSE, UNSEEN, Heading, Part, shifted
from cortex.language.markdown import BlockKind
from cortex.language.patterns import patterns
from cortex.substrate.facts import IMAGE

Lines = tuple[int, int]

_ENGLISH: Final = patterns("connectors", "markdown")

_ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:#(?P<id>[^\s{}]{1,100})|\.)[^{}]*\}$")
_INLINE = re.compile(r"[\\`*_\[\]<>&!]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAGS_ONLY = re.compile(r"^[ \t]*(?:</?[A-Za-z][^<>\r\n]*>[ \t]*)+$", re.MULTILINE)
_LINE_COMMENT = re.compile(r"^[ \t]*<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL)
_COLONS = re.compile(r"^[ \t]*:{3,}.*$", re.MULTILINE)
_TAG = re.compile(r"<[^<>]*>")
_ANYTHING = re.compile(r"[^\r\n]")
_DIRECTIVE = re.compile(r"\{(?:\w+:)?([\w-]+)\}[ \t]*(.*)")
_OPTION = re.compile(r":[\w-]+:(?:[ \t]|$)")
_DEFINITION = re.compile(r"[ \t]{0,3}:[ \t]+")
_ALERT = re.compile(r"\[!\w+\][ \t]*(?:\n|\Z)")
_SETEXT = re.compile(r"[\n\r] {0,3}(?:=+|-+)[ \t]*(?=[\n\r]|\Z)")
_LINE_OF_NOTHING = (
    r"(?:[ \t]*(?:\[[^\]\n]+\]:[ \t]*\S[^\n]*|\{[:{%][^\n]*\}|\([\w-]+\)=|\[\[?_?(?i:toc)_?\]\]?)[ \t]*(?:\n|\Z))+"
)
_NOTHING = re.compile(_LINE_OF_NOTHING)
"""Where links lead, attributes, labels, and where a generator puts the table of contents."""
_LEADS_ON = re.compile(r"\[[^\]\n]*\]\((?!\w+:)[^()\s]*\)")
"""An entry of a table of contents, where it is a whole item."""

_LONGEST_TITLE = 200
_MOST_CELLS = 100_000  # a cell is three tokens of some 300 bytes; beyond, a table is a paragraph
_DEEPEST: Final = 3  # directives in directives
_LISTS: Final = ("bullet_list", "ordered_list")


def tokens_of(text: str) -> Sequence[Token]:
    """The blocks of *text* as markdown-it sees them, without tags and comments on lines of their own."""
    seen = without_tags(text)
    held = {
        "table": 0 < seen.count("|") <= _MOST_CELLS,
        "html_block": "<" in seen,
        "lheading": _SETEXT.search(seen) is not None,
    }
    return _parser(tuple(name for name in held if held[name])).parse(seen)


def parse(tokens: Sequence[Token], depth: int = 0) -> Iterator[Heading | Part]:  # noqa: C901  a branch a token
    """The headings and blocks of a text; headings in quotes and lists are none of the document's."""
    lists, quotes, item, head = 0, [False], -1, False
    for index, token in enumerate(tokens):
        name, (first, end) = token.type, token.map or (0, 0)
        lines = first, end
        if name == "paragraph_open":
            kind = BlockKind.ASIDE if quotes[-1] else BlockKind.ITEM if item >= 0 else BlockKind.PARAGRAPH
            yield from _paragraph(tokens[index + 1].content, lines, kind, lists)
            item = -1
        elif name in ("fence", "code_block"):
            yield from _code(token, lines, lists, depth)
            item = -1
        elif name.endswith("_list_open"):
            lists += 1
        elif name.endswith("_list_close"):
            lists -= 1
        elif name == "list_item_open":
            item = lines[0]
        elif name == "heading_open":
            content = tokens[index + 1].content
            given = _ATTRIBUTES.search(content)
            text, id_ = plain(content[: given.start()] if given else content), given["id"] if given else ""
            heading = Heading(*lines, int(token.tag[1:]), text, id_ or "")
            yield Part(BlockKind.ASIDE, *lines, lists) if token.level else heading
        elif name in ("thead_open", "tbody_open"):
            head = name == "thead_open"
        elif name == "tr_open":
            yield Part(BlockKind.HEAD if head else BlockKind.ROW, *lines, lists)
        elif name == "blockquote_open":
            inside = tokens[index + 1 : index + 3]
            quotes.append(len(inside) < 2 or _ENGLISH["note"].match(inside[1].content) is None)
        elif name == "blockquote_close":
            quotes.pop()
        elif name == "html_block" and any(map(str.isalpha, _TAG.sub("", token.content))):
            yield Part(BlockKind.ASIDE, *lines, lists)


def plain(inline: str) -> str:
    """Inline Markdown as it reads, on one line.

    >>> plain("The `--db` *flag*, see [setup](setup.md#db)")
    'The --db flag, see setup'
    """
    read = inline[: 4 * _LONGEST_TITLE]
    if _INLINE.search(read):
        children = _parser().parseInline(read)[0].children or []
        texts = "".join(_text(child) for child in children if child.type != "image")
        read = texts if texts.strip() else " ".join(child.content for child in children if child.type == "image")
    words = " ".join(read.split())
    return words if len(words) <= _LONGEST_TITLE else words[: _LONGEST_TITLE - 1].rstrip() + "…"


def says_nothing(text: str) -> bool:
    """Whether *text* is blank but for comments."""
    return not text.strip() or ("<!--" in text and not _COMMENT.sub("", text).strip())


def without_tags(text: str) -> str:
    """*text* with comments, fences of colons and lines of nothing but tags as spaces: a list between tags is a list."""
    if "<" in text:
        for form in (_LINE_COMMENT, _TAGS_ONLY):
            text = form.sub(lambda found: blank(found[0]), text)
    return _COLONS.sub(lambda found: blank(found[0]), text) if ":::" in text else text


def blank(text: str) -> str:
    """*text* as spaces, as many characters and lines."""
    return _ANYTHING.sub(" ", text)


@cache
def _parser(rules: tuple[str, ...] = ("inline", "html_block", "lheading")) -> MarkdownIt:
    # Link definitions stay text: they must land in a record, and thousands of them cost quadratic time.
    return MarkdownIt("commonmark").disable(["inline", "reference", "html_block", "lheading"]).enable(list(rules))


def _paragraph(content: str, lines: Lines, kind: BlockKind, lists: int) -> Iterator[Part]:
    first, end = lines
    if "![" in content and not any(map(str.isalpha, IMAGE.sub("", content))):
        return
    if content[:1] in "[{(:":
        if _NOTHING.fullmatch(content) or (kind is BlockKind.ITEM and _LEADS_ON.fullmatch(content)):
            return
        if marked := _ALERT.match(content):
            content, first = content[marked.end() :], first + 1
    if ":" in content and (defined := _DEFINITION.match(content) or re.search(r"\n[ \t]{0,3}:[ \t]+", content)):
        below = first + content.count("\n", 0, defined.end())
        if below > first:
            yield Part(BlockKind.TERM, first, below, lists)
        yield Part(BlockKind.PARAGRAPH, below, end, lists + 1)
    elif content:
        yield Part(kind, first, end, lists)


def _code(token: Token, lines: Lines, lists: int, depth: int) -> Iterator[Heading | Part]:
    first, end = lines
    told = _DIRECTIVE.match(token.info) if token.info[:1] == "{" else None
    if told is None or depth > _DEEPEST:
        yield Part(BlockKind.CODE, first, end, lists)
        return
    name, argument = told[1].lower(), told[2]
    content = token.content.splitlines()
    skipped = next((at for at, line in enumerate(content) if not _OPTION.match(line)), len(content))
    if name in CHANGES:
        yield Part(BlockKind.CHANGE, first, end, lists)
    elif name == "eval-rst":
        from cortex.indexers.connectors import restructured  # noqa: PLC0415  docutils is for those who need it

        yield from shifted(restructured.parse(token.content), first + 1, lists)
    elif name in NOTES | PROSE | OBJECTS:
        if name in OBJECTS and argument:
            yield Part(BlockKind.TERM, first, first + 1, lists)
        inside = parse(tokens_of("\n".join(content[skipped:])), depth + 1)
        yield from shifted(inside, first + 1 + skipped, lists + (name in OBJECTS))
    elif name not in UNSEEN:
        yield Part(BlockKind.CODE, first, end, lists)


def _text(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return token.content if token.type in {"text", "text_special", "code_inline"} else ""

"""A document's sections, each with the path of headings that leads to it and an anchor that lasts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from cortex.indexers.connectors import as_markdown, markdown
from cortex.indexers.connectors.frontmatter import Front, front_matter, text_field
from cortex.indexers.connectors.markdown import says_nothing
from cortex.indexers.connectors.pages import Heading, Page, Part, blocks, line_count, lines_span, page
from cortex.language import changelogs
from cortex.language.markdown import Block
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("connectors", "outline")

_BLOCK = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PROSE_WORDS = 5
_DROPPED_FROM_SLUGS = re.compile(r"[^\w\- ]")


class Section(NamedTuple):
    """Lines of a document from a heading, or from its beginning, to the next heading."""

    titles: tuple[str, ...]
    """the document's title, then headings down to this one"""
    anchor: str
    """slugs of the headings below the title, joined by '/'; '' is the document itself"""
    first: int
    end: int
    heading: tuple[int, int]
    """the lines of its heading, empty where it has none"""


class Document(NamedTuple):
    """A page with what was found in it."""

    page: Page
    front: Front
    sections: list[Section]
    headings: Sequence[Heading] = ()
    blocks: Sequence[Block] = ()
    tokens: Sequence[Any] = ()
    """of Markdown only"""


def document(page: Page, *, fallback: str = "", named_in: Sequence[str] = ("title",)) -> Document:
    """The sections of *page*, those without text included.

    The title is a leading `#` heading, unless it names a release or is one of several below a title in the front
    matter; else the front matter's; else a lone heading of a lower level at the very top; else *fallback*; else the
    name of the file, or of its folder for an index.
    """
    front = front_matter(page.text, flat=page.path.endswith(".mdc"))
    source = "\n" * front.lines + page.text[page.starts[min(front.lines, line_count(page))] :]
    found, tokens = _parsed(page.path, source)
    headings = [one for one in found if isinstance(one, Heading)]
    named = text_field(front, *named_in)[:200]
    first = 0 if front.problem else front.lines
    title = _title(page, headings, first, named=bool(named))
    file = PurePosixPath(page.path)
    stem = file.name.partition(".")[0] or file.name
    stem = file.parent.name if stem.lower() in {"index", "_index", "readme"} and file.parent.name else stem
    name = title.text if title and title.text else named or fallback or stem
    sections = list(_sections(headings, title, name, first, line_count(page)))
    return Document(page, front, sections, headings, list(blocks(page, found)), tokens)


def blocks_of(path: str, text: str) -> list[Block]:
    """The blocks of *text* in the format of the file at *path*."""
    return list(blocks(page(path, text), _parsed(path, text)[0]))


def _parsed(path: str, text: str) -> tuple[list[Heading | Part], Sequence[Any]]:
    """What the reader of its format finds in *text*, and the tokens where that is markdown-it."""
    if path.lower().endswith(".rst"):
        from cortex.indexers.connectors import restructured  # noqa: PLC0415  docutils is for those who need it

        return list(restructured.parse(text)), ()
    translated = path.lower().endswith((".adoc", ".asciidoc"))
    tokens = markdown.tokens_of("\n".join(as_markdown.asciidoc(text)) if translated else text)
    return list(markdown.parse(tokens)), () if translated else tokens


def slug(heading: str) -> str:
    """The anchor GitHub gives a heading; 'section' where nothing is left of it.

    >>> slug("What's new in 2.0?")
    'whats-new-in-20'
    """
    return _DROPPED_FROM_SLUGS.sub("", heading.strip().lower()).replace(" ", "-") or "section"


def has_text(page: Page, section: Section) -> bool:
    """Whether the section holds more than its heading and comments."""
    parts = ((section.first, section.heading[0]), (section.heading[1], section.end))
    return not all(says_nothing(page.text[slice(*lines_span(page, *lines))]) for lines in parts)


def _title(found: Page, headings: Sequence[Heading], first: int, *, named: bool) -> Heading | None:
    if not headings or _ENGLISH["release"].match(headings[0].text):
        return None
    top = headings[0]
    alone = all(other.level > top.level for other in headings[1:])
    # Below prose, more than badges, tags and addresses, a heading is no title.
    above = _ENGLISH["no_prose"].sub("", found.text[slice(*lines_span(found, first, top.first))])
    prose = any(len(_WORD.findall(block)) >= _PROSE_WORDS for block in _BLOCK.split(above))
    if prose or (not alone and top.text.endswith("?")):
        return None
    if not alone and changelogs.is_changelog(found.path) and changelogs.section(top.text, ""):
        return None
    if top.level > 1:
        begins = says_nothing(found.text[slice(*lines_span(found, first, top.first))])
        return top if alone and begins and not named else None
    return top if alone or not named else None


def _sections(
    headings: Sequence[Heading], title: Heading | None, name: str, first: int, count: int
) -> Iterator[Section]:
    rest = headings[1:] if title else headings
    ends = [heading.first for heading in rest] + [count]
    place = (title.first, title.end) if title else (first, first)
    yield Section((name,), "", first, ends[0], place)
    path: list[tuple[int, str, str]] = []
    used: Counter[str] = Counter()
    for heading, end in zip(rest, ends[1:], strict=True):
        while path and path[-1][0] >= heading.level:
            path.pop()
        above = path[-1][1] + "/" if path else ""
        anchor = wished = above + (heading.id or slug(heading.text))
        while anchor in used:
            used[wished] += 1
            anchor = f"{wished}-{used[wished]}"
        used[anchor] = 0
        path.append((heading.level, anchor, heading.text))
        titles = (name, *(text for _, _, text in path if text))
        yield Section(titles, anchor, heading.first, end, (heading.first, heading.end))

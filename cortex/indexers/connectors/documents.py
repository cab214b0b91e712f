"""Documents: Markdown and reStructuredText, one record a section.

A section's ref is its file and the anchors of the headings above it, `doc:CHANGELOG.md#070/added`, so that it stays the
same when a release is added above; the text above the first section is the file itself, `doc:README.md`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import Any, Final

from cortex.indexers.connectors import as_markdown
from cortex.indexers.connectors.frontmatter import Front, text_field, time_field
from cortex.indexers.connectors.listing import MAX_LINES, TOO_MANY_LINES
from cortex.indexers.connectors.outline import Document, Section, document, has_text
from cortex.indexers.connectors.pages import Page, Span, line_count, lines_span, record_of, trimmed
from cortex.language.markdown import Block, BlockKind, packed
from cortex.language.markdown import Span as Offsets
from cortex.language.patterns import patterns
from cortex.substrate.model import Record, Skipped
from cortex.substrate.rule_files import kept_of

SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".ipynb")
_IN_DOCS = (".txt", ".html", ".htm")
_FOLDERS = frozenset(
    "doc docs documentation guide guides handbook help man manual manuals tutorial tutorials wiki".split()
)
_NO_PAGES = frozenset("overrides static assets templates theme themes".split())
_PINS = re.compile(r"(?i)(?:.*(?:requirements|constraints).*|robots|cmakelists)\.txt")
LONG = 6_000
LONGEST_BLOCK = 64_000
LONGEST_LICENSE = 400
_LICENSE: Final = patterns("connectors", "licenses")

_CREATED = ("date", "created", "created_at")
_UPDATED = ("updated", "updated_at", "lastmod", "last_modified", "last_updated", "date")

_NAMED = re.compile(
    r"(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|CONTRIBUTING|HACKING|INSTALL|SECURITY|SUPPORT|GOVERNANCE"
    r"|ROADMAP|TODO|AUTHORS|CREDITS|CONTRIBUTORS|CODE_OF_CONDUCT|ARCHITECTURE)(?:\.(?:txt|text|TXT))?"
)
_MANUAL = re.compile(r"[A-Za-z][\w.-]*[A-Za-z_]\.[1-8](?:\.in)?")
_SENTENCE = re.compile(r"(?:[^\W\d_]{2,}[^\w\n]{1,3}){4}[^\W\d_]{2,}")
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![^\S\n]*(?:\n|\Z))[^\n]*)*")


def claims(path: str) -> bool:
    """Whether the file at *path* is a document or a license by its name; text and HTML are where documents are kept."""
    return _LICENSE["file"].fullmatch(path.rpartition("/")[2]) is not None or _is_document(path)


def _is_document(path: str) -> bool:
    *folders, name = path.split("/")
    if name.lower().endswith(SUFFIXES) or _NAMED.fullmatch(name) or _MANUAL.fullmatch(name):
        return True
    above = {folder.lower() for folder in folders}
    kept = not _FOLDERS.isdisjoint(above) and _NO_PAGES.isdisjoint(above) and not any(f[0] in "_." for f in folders)
    return kept and name.lower().endswith(_IN_DOCS) and not _PINS.fullmatch(name)


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    r"""A `doc` record for every section that says something, and a note where the front matter is broken.

    A section over 6,000 characters comes in parts, `doc:a.md#b`, `doc:a.md#b~2`, …, cut between paragraphs or list
    items; a table, or a block of code, stays whole up to 64,000.

    >>> from cortex.indexers.connectors.pages import page
    >>> [record.ref for record in read(page("a.md", "# A\n\nOne.\n\n## B\n\nTwo."), source="demo")]
    ['doc:a.md', 'doc:a.md#b']
    """
    if _is_license(found):
        yield from _license(found, source)
        return
    text = _text(found)
    if not isinstance(text, str) and line_count(text) > MAX_LINES:
        text = TOO_MANY_LINES
    if isinstance(text, str):
        yield Skipped(input=found.path, reason=text)
        return
    parsed = document(text)
    yield from broken_front_matter(parsed)
    for section in parsed.sections:
        if has_text(text, section):
            yield from section_records(parsed, section, source=source)


def _text(found: Page) -> Page | str:
    """What is read of a file: of HTML, a manual and a notebook its text as Markdown; or why it is no document."""
    suffix = found.path.lower().rpartition(".")[2]
    if suffix in ("html", "htm"):
        return as_markdown.hypertext(found)
    if _MANUAL.fullmatch(found.path.rpartition("/")[2]):
        return as_markdown.manual(found)
    if suffix == "ipynb":
        return as_markdown.notebook(found)
    data = suffix == "txt" and not _NAMED.fullmatch(found.path.rpartition("/")[2]) and not _SENTENCE.search(found.text)
    return "data, no prose" if data else found


def read_plain(found: Page, *, source: str) -> Iterator[Record]:
    """The `doc` record of a file without markup, its title the path; a large one in parts, cut below blank lines."""
    whole = Section((found.path,), "", 0, line_count(found), (0, 0))
    blocks = [Block(*one.span(), BlockKind.PARAGRAPH) for one in _PARAGRAPH.finditer(found.text)]
    if blocks:
        yield from section_records(Document(found, Front(), [whole], blocks=blocks), whole, source=source)


def broken_front_matter(parsed: Document) -> Iterator[Skipped]:
    """A note where what looks like front matter is none."""
    if parsed.front.problem:
        yield Skipped(input=parsed.page.path, reason=parsed.front.problem, kept=True)


def stated_in(front: Front) -> dict[str, Any]:
    """What the front matter says of who wrote a document and when, as fields of its records."""
    author = text_field(front, "author", "authors", "editor", "editors")
    return {"author": author, "created_at": time_field(front, *_CREATED), "updated_at": time_field(front, *_UPDATED)}


def section_records(parsed: Document, section: Section, **fields: Any) -> Iterator[Record]:  # noqa: ANN401
    """The `doc` records of one section, with *fields* of the record as given."""
    found, ref = parsed.page, f"doc:{parsed.page.path}" + (f"#{section.anchor}" if section.anchor else "")
    stated = {**stated_in(parsed.front), **fields, "title": " › ".join(section.titles)}
    for number, span in enumerate(_parts(parsed, section), 1):
        part = "" if number == 1 else f"~{number}" if section.anchor else f"#~{number}"
        yield doc_record(found, span, parsed.blocks, ref=ref + part, **stated)


def doc_record(found: Page, span: Span, blocks: Sequence[Block] = (), **fields: Any) -> Record:  # noqa: ANN401
    """The `doc` record whose body is *span*, with those of the page's *blocks* that stand in it."""
    first = max(0, bisect_left(blocks, span.start, key=attrgetter("start")) - 1)  # a block that was cut
    inside = packed(takewhile(lambda one: one.start < span.end, blocks[first:]), Offsets(*span))
    return record_of(found, span, type="doc", blocks=inside, **fields)


def _parts(found: Document, section: Section) -> Iterator[Span]:
    page = found.page
    whole = lines_span(page, section.first, section.end)
    if whole.end - whole.start <= LONG:
        yield trimmed(page, whole)
        return
    cuts, reach = [whole.start], whole.start
    for border in _borders(found, section, whole):
        if border - cuts[-1] > LONG and reach > cuts[-1]:
            cuts.append(reach)
        reach = border
    parts = (trimmed(page, Span(*between)) for between in pairwise([*cuts, whole.end]))
    yield from (part for part in parts if part.end > part.start)


def _borders(found: Document, section: Section, whole: Span) -> Iterator[int]:
    """Offsets at which *whole* may be cut, and its end: where blocks begin, and every so often in a giant one."""
    page, at = found.page, whole.start
    below = page.starts[section.heading[1] if section.heading[0] == section.first else section.first]
    first, end = (bisect_left(found.blocks, place, key=attrgetter("start")) for place in (below + 1, whole.end))
    for block in found.blocks[first:end]:
        start = page.starts[bisect_right(page.starts, block.start) - 1]
        above, drawn = page.text[max(0, start - 200) : start], block.kind in (BlockKind.ROW, BlockKind.HEAD)
        drawn = drawn and not (block.kind is BlockKind.HEAD and above.endswith(("\n\n", "\r\n\r\n", "\r\r")))
        within = block.depth > 1 if block.kind is BlockKind.ITEM else block.depth or drawn or page.text[start].isspace()
        # A row, what stands in an item, and what a colon announces stay with what is above them.
        if start > below and not within and not above.rstrip().endswith(":"):
            yield from _within(page, at, start)
            at = start
    yield from _within(page, at, whole.end)


def _within(found: Page, at: int, end: int) -> Iterator[int]:
    while end - at > LONGEST_BLOCK:
        line = found.starts[bisect_right(found.starts, at + LONGEST_BLOCK) - 1]
        at = line if line > at else at + LONGEST_BLOCK
        yield at
    yield end


def _is_license(found: Page) -> bool:
    """Whether a file is a license by its name, and no document about licenses with a heading for each part."""
    if not _LICENSE["file"].fullmatch(found.path.rpartition("/")[2]):
        return False
    if not _is_document(found.path):
        return True
    named = _LICENSE["family"].search(found.text[:LONGEST_LICENSE]) is not None
    return named and (
        len(_LICENSE["headings"].findall(found.text)) <= 1 or _LICENSE["terms"].search(found.text) is not None
    )


def _license(found: Page, source: str) -> Iterator[Record]:
    """A `doc` record of the first paragraph, or of two where one names none; its terms are nobody's words here."""
    end = 0
    for paragraph in _LICENSE["paragraph"].finditer(found.text):
        end = paragraph.end()
        if not _LICENSE["nameless"].match(paragraph[0]):
            break
    span = trimmed(found, Span(0, end))
    span = trimmed(found, Span(span.start, min(span.end, span.start + LONGEST_LICENSE)))
    if span.end > span.start:
        of = (kept_of(found.path) or source).rpartition("/")[2]
        yield doc_record(found, span, ref=f"doc:{found.path}", source=source, title=f"License of {of}")

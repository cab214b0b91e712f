"""Documents: Markdown and reStructuredText, one record a section.

A section's ref is its file and the anchors of the headings above it, `doc:CHANGELOG.md#070/added`, so that it stays the
same when a release is added above; the text above the first section is the file itself, `doc:README.md`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from cortex.indexers.connectors.frontmatter import Front, is_impossible, text_field, time_field
from cortex.indexers.connectors.markdown import Outlined
from cortex.indexers.connectors.outline import Document, Section, document, has_text
from cortex.indexers.connectors.pages import Page, Span, line, line_count, line_numbers, lines_span, trimmed
from cortex.substrate.model import Record, Skipped

SUFFIXES = (".md", ".markdown", ".mdx", ".rst")
LONG = 6_000
LONGEST_BLOCK = 64_000

_CREATED = ("date", "created", "created_at")
_UPDATED = ("updated", "updated_at", "lastmod", "last_modified", "last_updated", "date")

_NAMED = re.compile(
    r"(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|CONTRIBUTING|HACKING|INSTALL|SECURITY|SUPPORT|GOVERNANCE"
    r"|ROADMAP|TODO|AUTHORS|CREDITS|CONTRIBUTORS|CODE_OF_CONDUCT|ARCHITECTURE)(?:\.(?:txt|text|TXT))?"
)


def claims(path: str) -> bool:
    """Whether the file at *path* is a document by its name."""
    name = path.rpartition("/")[2]
    return name.lower().endswith(SUFFIXES) or _NAMED.fullmatch(name) is not None


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    r"""A `doc` record for every section that says something, and a note where the front matter is broken.

    A section over 6,000 characters comes in parts, `doc:a.md#b`, `doc:a.md#b~2`, …, cut between paragraphs or list
    items; a table, or a block of code, stays whole up to 64,000.

    >>> from cortex.indexers.connectors.pages import page
    >>> [record.ref for record in read(page("a.md", "# A\n\nOne.\n\n## B\n\nTwo."), source="demo")]
    ['doc:a.md', 'doc:a.md#b']
    """
    parsed = document(found)
    yield from broken_front_matter(parsed)
    for section in parsed.sections:
        if has_text(found, section):
            yield from section_records(parsed, section, source=source)


def read_plain(found: Page, *, source: str) -> Iterator[Record]:
    """The `doc` record of a file without markup, its title the path; a large one in parts, cut below blank lines."""
    count = line_count(found)
    cuts = [number for number in range(1, count) if not line(found, number - 1).strip()]
    whole = Section((found.path,), "", 0, count, (0, 0))
    if found.text.strip():
        yield from section_records(Document(found, Front(), Outlined([], cuts), [whole]), whole, source=source)


def broken_front_matter(parsed: Document) -> Iterator[Skipped]:
    """A note where what looks like front matter is none, or a day in it is none."""
    if parsed.front.problem:
        yield Skipped(input=parsed.page.path, reason=parsed.front.problem, kept=True)
    for name in (*_CREATED, *_UPDATED[:-1]):
        if is_impossible(parsed.front.fields.get(name)):
            yield Skipped(input=parsed.page.path, reason=f"{name} is no date", kept=True)


def stated_in(front: Front) -> dict[str, Any]:
    """What the front matter says of who wrote a document and when, as fields of its records."""
    if not front.fields:
        return {}
    return {
        "author": text_field(front, "author", "authors", "editor", "editors"),
        "created_at": time_field(front, *_CREATED),
        "updated_at": time_field(front, *_UPDATED),
    }


def section_records(parsed: Document, section: Section, *, source: str, **fields: Any) -> Iterator[Record]:  # noqa: ANN401
    """The `doc` records of one section, with *fields* of the record as given."""
    found, ref = parsed.page, f"doc:{parsed.page.path}" + (f"#{section.anchor}" if section.anchor else "")
    stated = {**stated_in(parsed.front), **fields, "title": " › ".join(section.titles)}
    for number, span in enumerate(_parts(found, section, parsed.outlined.cuts), 1):
        part = "" if number == 1 else f"~{number}" if section.anchor else f"#~{number}"
        yield doc_record(found, span, ref=ref + part, source=source, **stated)


def doc_record(found: Page, span: Span, *, ref: str, source: str, **fields: Any) -> Record:  # noqa: ANN401
    """The `doc` record whose body is *span*."""
    return Record(
        source=source,
        type="doc",
        ref=ref,
        body=found.text[span.start : span.end],
        path=found.path,
        lines=line_numbers(found, span),
        **fields,
    )


def _parts(found: Page, section: Section, cuts: Sequence[int]) -> Iterator[Span]:
    whole = lines_span(found, section.first, section.end)
    if whole.end - whole.start <= LONG:
        yield trimmed(found, whole)
        return
    begin = reach = whole.start
    for border in _borders(found, section, whole, cuts):
        if border - begin > LONG and reach > begin:
            yield from _unless_blank(found, Span(begin, reach))
            begin = reach
        reach = border
    yield from _unless_blank(found, Span(begin, whole.end))


def _unless_blank(found: Page, span: Span) -> Iterator[Span]:
    span = trimmed(found, span)
    if span.end > span.start:
        yield span


def _borders(found: Page, section: Section, whole: Span, cuts: Sequence[int]) -> Iterator[int]:
    """Offsets at which *whole* may be cut, and its end: where blocks begin, and every so often in a giant one."""
    below = section.heading[1] if section.heading[0] == section.first else section.first
    at = whole.start
    for number in cuts[bisect_left(cuts, below + 1) : bisect_left(cuts, section.end)]:
        if not _introduced(found, number):
            yield from _within(found, at, found.starts[number])
            at = found.starts[number]
    yield from _within(found, at, whole.end)


def _introduced(found: Page, number: int) -> bool:
    """Whether the text above line *number* ends in a colon: what it announces stays with it."""
    start = found.starts[number]
    return found.text[max(0, start - 200) : start].rstrip().endswith(":")


def _within(found: Page, at: int, end: int) -> Iterator[int]:
    while end - at > LONGEST_BLOCK:
        line = found.starts[bisect_right(found.starts, at + LONGEST_BLOCK) - 1]
        at = line if line > at else at + LONGEST_BLOCK
        yield at
    yield end

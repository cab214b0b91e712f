"""License files: one document a file, the lines that name the license; its terms are nobody's words here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cortex.indexers.connectors import documents
from cortex.indexers.connectors.documents import doc_record
from cortex.indexers.connectors.pages import Page, Span, trimmed
from cortex.language.patterns import patterns
from cortex.substrate.model import Record
from cortex.substrate.rule_files import kept_of

_ENGLISH: Final = patterns("connectors", "licenses")

LONGEST = 400


def claims(path: str) -> bool:
    """Whether the file at *path* is a license by its name."""
    return _ENGLISH["file"].fullmatch(path.rpartition("/")[2]) is not None


def is_one(found: Page) -> bool:
    """Whether a file that is claimed is a license, and no document about licenses with a heading for each part."""
    if not documents.claims(found.path):
        return True
    named = _ENGLISH["family"].search(found.text[:LONGEST]) is not None
    return named and (
        len(_ENGLISH["headings"].findall(found.text)) <= 1 or _ENGLISH["terms"].search(found.text) is not None
    )


def read(found: Page, *, source: str) -> Iterator[Record]:
    r"""A `doc` record of the first paragraph, and of the next where that names none; its title tells of what it is.

    >>> from cortex.indexers.connectors.pages import page
    >>> [record.body for record in read(page("LICENSE", "MIT License\n\nCopyright (c) Ada\n\nPermission"), source="a")]
    ['MIT License']
    """
    end = 0
    for paragraph in _ENGLISH["paragraph"].finditer(found.text):
        end = paragraph.end()
        if not _ENGLISH["nameless"].match(paragraph[0]):
            break
    span = trimmed(found, Span(0, end))
    span = trimmed(found, Span(span.start, min(span.end, span.start + LONGEST)))
    if span.end > span.start:
        of = (kept_of(found.path) or source).rpartition("/")[2]
        yield doc_record(found, span, ref=f"doc:{found.path}", source=source, title=f"License of {of}")

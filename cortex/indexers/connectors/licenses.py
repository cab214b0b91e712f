"""License files: one document a file, the lines that name the license; its terms are nobody's words here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cortex.indexers.connectors import documents
from cortex.indexers.connectors.documents import doc_record
from cortex.indexers.connectors.pages import Page, Span, trimmed
from cortex.substrate.model import Record
from cortex.substrate.rule_files import kept_of

_FILE = re.compile(
    r"(?:LICEN[CS]ES?|COPYING)(?:[-_.](?!(?i:header|third)).*)?|(?:[Ll]icen[cs]e|[Cc]opying)\.(?:md|mdx|markdown|rst|txt)",
    re.DOTALL,
)
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_NAMELESS = re.compile(
    r"\W{0,20}(?:copyright\b|\(c\)|all rights reserved|(?:the )?(?:licen[cs]es?|copying)\W{0,20}$)", re.I
)
"""What stands above the name of a license: whose the work is, or that this is one."""

LONGEST = 400
_FAMILY = re.compile(
    r"(?i)\b(?:apache|mit|bsd|isc|mozilla|mpl|gnu|a?gpl|lgpl|eclipse|boost|zlib|creative commons|unlicense|cc0|artistic"
    r"|public domain|permission (?:is hereby granted|to use)|redistribution and use)\b"
)
_TERMS = re.compile(
    r"(?i)terms and conditions|permission (?:is hereby granted|to use)|redistribution (?:and use|is)|as is"
)
_HEADINGS = re.compile(r"^#{1,6} ", re.M)


def claims(path: str) -> bool:
    """Whether the file at *path* is a license by its name."""
    return _FILE.fullmatch(path.rpartition("/")[2]) is not None


def is_one(found: Page) -> bool:
    """Whether a file that is claimed is a license, and no document about licenses with a heading for each part."""
    if not documents.claims(found.path):
        return True
    named = _FAMILY.search(found.text[:LONGEST]) is not None
    return named and (len(_HEADINGS.findall(found.text)) <= 1 or _TERMS.search(found.text) is not None)


def read(found: Page, *, source: str) -> Iterator[Record]:
    r"""A `doc` record of the first paragraph, and of the next where that names none; its title tells of what it is.

    >>> from cortex.indexers.connectors.pages import page
    >>> [record.body for record in read(page("LICENSE", "MIT License\n\nCopyright (c) Ada\n\nPermission"), source="a")]
    ['MIT License']
    """
    end = 0
    for paragraph in _PARAGRAPH.finditer(found.text):
        end = paragraph.end()
        if not _NAMELESS.match(paragraph[0]):
            break
    span = trimmed(found, Span(0, end))
    span = trimmed(found, Span(span.start, min(span.end, span.start + LONGEST)))
    if span.end > span.start:
        of = (kept_of(found.path) or source).rpartition("/")[2]
        yield doc_record(found, span, ref=f"doc:{found.path}", source=source, title=f"License of {of}")

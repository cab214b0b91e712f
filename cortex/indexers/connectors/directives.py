"""Directive files: what a project tells its people and its agents to do, one record a rule.

A rule's ref is its file and its number there, `directive:seed-ui.md#4`: a rule put in above it counts those below up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import count
from operator import attrgetter
from typing import Any

from cortex.indexers.connectors.documents import broken_front_matter
from cortex.indexers.connectors.frontmatter import time_field
from cortex.indexers.connectors.markdown import without_tags
from cortex.indexers.connectors.outline import Document, Section, document
from cortex.indexers.connectors.pages import Page, line_numbers
from cortex.indexers.connectors.rules import Node, Rule, nodes, rules
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
    starts = attrgetter("first")
    return blocks[bisect_left(blocks, first, key=starts) : bisect_left(blocks, end, key=starts)]


def rule_record(
    parsed: Document,
    section: Section,
    rule: Rule,
    number: int,
    *,
    source: str,
    **fields: Any,  # noqa: ANN401
) -> Record:
    """The `directive` record of one rule, with *fields* of the record as given."""
    found, span = parsed.page, rule.span
    title, *headings = section.titles
    return Record(
        source=source,
        type="directive",
        ref=f"directive:{found.path}#{number}",
        title=" › ".join([title + _applies_to(parsed), *headings, *rule.context]),
        body=found.text[span.start : span.end],
        path=found.path,
        lines=line_numbers(found, span),
        **fields,
    )


def _applies_to(parsed: Document) -> str:
    stated = parsed.front.fields.get("globs") or parsed.front.fields.get("applyto") or ""
    globs = ", ".join(map(str, stated)) if isinstance(stated, list) else " ".join(str(stated).split())
    return f" ({globs})" if globs not in {"", "*", "**", "**/*"} else ""

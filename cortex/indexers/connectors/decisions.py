"""Decision records: what a decision says is a directive while it stands, and a document otherwise.

The files of `docs/adr`, `docs/decisions` and the like, in the styles of Nygard, MADR and the Y-statement. The file
itself is `doc:docs/decisions/0005-storage.md`, always there, and carries the links to what it supersedes; the rules in
its decision are `directive:docs/decisions/0005-storage.md#1`, `#2`, …; its context, options and consequences are
documents, `doc:docs/decisions/0005-storage.md#context`. All have the decision's status as their state.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import PurePosixPath
from typing import Any, Final

from cortex.indexers.connectors import markdown
from cortex.indexers.connectors.decision_status import Standing, is_field, resolve, stated
from cortex.indexers.connectors.directives import Rule, nodes, rule_record, rules, within
from cortex.indexers.connectors.documents import broken_front_matter, doc_record, section_records, stated_in
from cortex.indexers.connectors.outline import Document, Section, document, has_text
from cortex.indexers.connectors.pages import Page, Span, lines_span, trimmed
from cortex.language.patterns import patterns
from cortex.substrate.model import Link, Record, Skipped

_ENGLISH: Final = patterns("connectors", "decisions")

__all__ = ["Standing", "claims", "read", "standing"]

_FOLDERS = {"adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture-decision-records"}
_FILE: Final = _ENGLISH["file"]
_NUMBERING = re.compile(r"^[\W\d_]+|[\W_]+$")


def claims(path: str) -> bool:
    """Whether the file at *path* is a decision record by its folder; an index or a template is none."""
    file = PurePosixPath(path)
    return _FILE.fullmatch(file.name) is not None and not _FOLDERS.isdisjoint(part.lower() for part in file.parts[:-1])


def standing(pages: Iterable[Page]) -> Standing:
    """What became of every decision in *pages*, what each says of itself and of others taken together."""
    return resolve([stated(document(found)) for found in pages])


def read(found: Page, known: Standing, *, source: str) -> Iterator[Record | Skipped]:
    """The records of one decision.

    Args:
        known: what became of it, from `standing`; a decision it does not know stands alone.
    """
    parsed = document(found._replace(text=markdown.without_tags(found.text)))._replace(page=found)
    said = known.get(found.path) or resolve([stated(parsed)])[found.path]
    own = {"state": said.state, "author": said.author, "created_at": said.created_at}
    fields = {"source": source, **stated_in(parsed.front), **{name: value for name, value in own.items() if value}}
    yield from broken_front_matter(parsed)
    links = tuple(Link(relation="supersedes", to_ref=f"doc:{path}") for path in said.supersedes)
    links += tuple(Link(relation="amends", to_ref=f"doc:{path}") for path in said.amends)
    # Rules are found in the text without tags, and without the headings that Markdown would not see.
    text, numbers = markdown.without_tags(found.text), count(1)
    for heading in parsed.headings if not parsed.tokens else ():
        start, end = lines_span(found, heading.first, heading.end)
        text = text[:start] + markdown.blank(text[start:end]) + text[end:]
    seen = found._replace(text=text)
    # Lists and paragraphs of reStructuredText read as Markdown's.
    blocks = nodes(parsed.tokens or markdown.tokens_of(seen.text))
    live = said.state in {"", "accepted"}
    deciding = _deciding(parsed) if live else set()
    for section in parsed.sections:
        inside = within(blocks, section.first, section.end)
        every = rules(seen, inside, introductions=True) if section.anchor in deciding else ()
        stated_rules = [rule for rule in every if not is_field(seen.text[rule.span.start : rule.span.end])]
        if not section.anchor:
            yield from _itself(parsed, section, stated_rules, fields | {"links": links})
        elif not stated_rules and has_text(parsed.page, section):
            yield from section_records(parsed, section, **fields)
        for rule in stated_rules:
            yield rule_record(parsed, section, rule, next(numbers), **{"state": "active"} | fields)


def _itself(parsed: Document, section: Section, stated_rules: list[Rule], fields: dict[str, Any]) -> Iterator[Record]:
    """The record of the file: its title and what stands above its first rule or section, however little that is."""
    found = parsed.page
    if not stated_rules and has_text(found, section):
        yield from section_records(parsed, section, **fields)
        return
    whole = lines_span(found, section.first, section.end)
    end = found.starts[bisect_right(found.starts, stated_rules[0].span.start) - 1] if stated_rules else whole.end
    span = trimmed(found, Span(whole.start, max(end, whole.start)))
    if span.end == span.start:
        span = trimmed(found, lines_span(found, 0, section.first))
    if span.end > span.start:
        yield doc_record(found, span, parsed.blocks, ref=f"doc:{found.path}", title=section.titles[0], **fields)


def _deciding(parsed: Document) -> set[str]:
    """Anchors of the sections that decide.

    Those named so, with what is below them; else a conclusion; else, as in a Y-statement, the text below the title.
    """
    names = {section.anchor: _NUMBERING.sub("", section.titles[-1]).lower() for section in parsed.sections[1:]}
    for named in (_ENGLISH["decision"], _ENGLISH["conclusion"]):
        if top := {anchor for anchor, name in names.items() if named.match(name)}:
            below = {anchor for anchor in names if any(anchor.startswith(above + "/") for above in top)}
            return top | {anchor for anchor in below if not _ENGLISH["other"].match(names[anchor])}
    return {""}

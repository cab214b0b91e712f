"""Extraction: the statements of an answer, each a span of a record with its attribution."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from cortex.composer.answer.attribution import attribution, citation
from cortex.composer.answer.quote import Size, quote, quoted_whole
from cortex.composer.query.matching import Matcher
from cortex.composer.query.presupposition import named_ops
from cortex.composer.values import Listed, Query, Scored
from cortex.language.markdown import Span
from cortex.language.source import blocks_of
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, Statement
from cortex.substrate.quoting import INDENT, titled

STATEMENTS: Final = 6
A_THREAD: Final = 2
THE_FIRST_THREAD: Final = 3
FIRST: Final = Size(160, 320, 600)
SUPPORTING: Final = Size(80, 170, 240)
ENTRY: Final = 700  # characters of an item of a list that is quoted whole up to here
REPEATED: Final = 0.8  # share of a quote's words from which one before it says the same


def extract(query: Query, matcher: Matcher, ranked: Sequence[Scored]) -> tuple[list[Statement], list[Citation]]:
    """Select up to six statements, the most direct first, and their citations."""
    statements: list[Statement] = []
    citations: list[Citation] = []
    threads: Counter[tuple[int, str]] = Counter()
    said: defaultdict[int, list[str]] = defaultdict(list)
    spans: defaultdict[int, list[Span]] = defaultdict(list)
    for one in ranked:
        thread = (one.row.source_id, one.row.about)
        room = THE_FIRST_THREAD if not threads or thread == next(iter(threads)) else A_THREAD
        if threads[thread] >= room or len(statements) == STATEMENTS:
            continue
        found = quote(query, one, matcher, SUPPORTING if statements else FIRST, spans[one.row.record_id])
        if found is None or not found.text or any(_repeats(found.text, text) for text in said[one.row.source_id]):
            continue
        cites = citation(one, found.span)
        threads[thread] += 1
        said[one.row.source_id].append(found.text)
        spans[one.row.record_id].append(found.span)
        statements.append(
            Statement(quote=found.text, attribution=placed(one, found.span.start), citations=(cites.handle,))
        )
        citations.append(cites)
    return statements, citations


def _repeats(text: str, other: str) -> bool:
    words, others = ({*split(one)} - STOP_WORDS for one in (text, other))
    says = bool(words) and len(words & others) >= REPEATED * len(words)
    return text == other or (says and named_ops(text) == named_ops(other))


def placed(one: Scored, at: int) -> str:
    """The attribution, with the nearest heading above the character *at*."""
    stems = frozenset[str]().union(*(held for held, _ in one.window.stated))
    told, known = attribution(one.record, stems), one.record["title"].replace("`", "")
    above = [plain(head) for head in headings(one.record["body"], at, one.row.type)[-1:]]
    return " › ".join([told, *(titled(head) for head in above if head and head.replace("`", "") not in known)])


def headings(body: str, at: int, type_: str) -> tuple[str, ...]:
    """The headings above the character *at*, outermost first."""
    return [(), *(block.headings for block in blocks_of(body[: at + 1], type_))][-1]


def render(statements: Sequence[Statement]) -> str:
    """The answer as text: one line per statement with its citations; code on indented lines."""
    return "\n".join(map(line, statements))


def line(one: Statement) -> str:
    """A statement with its citations: on one line, code on indented lines after that."""
    return words(one) + "".join(f" [CITATION:{handle}]" for handle in one.citations)


def words(one: Statement) -> str:
    """The statement's own words, or a quotation with its attribution."""
    end = f"\n{INDENT}”" if one.quote.endswith("```") else "”"
    by = f" — {one.attribution}" if one.attribution else ""
    return " ".join(filter(None, (one.text, f"“{one.quote}{end}{by}" if one.quote else "")))


def is_told(found: Listed | None) -> bool:
    """Whether a lookup answers the whole question."""
    return found is not None and found.complete


def tell(found: Listed | None, ranked: Sequence[Scored]) -> tuple[list[Statement], list[Citation]]:
    """The statements of a lookup, written from stored fields, and their citations."""
    by_record = {one.row.record_id: one for one in ranked}
    statements: list[Statement] = []
    citations: list[Citation] = []
    for place, (record_id, text) in enumerate(found.items if found else ()):
        if found and (one := by_record.get(record_id)):
            span = found.quotes.get(place)
            cites = citation(one, span or one.window.best, exact=bool(span))
            lead = found.lead if not statements else ""
            entry = quoted_whole(one, span, ENTRY) if span else ""
            statements.append(Statement(text=f"{lead}{text}", quote=entry, citations=(cites.handle,)))
            citations.append(cites)
    return statements, citations

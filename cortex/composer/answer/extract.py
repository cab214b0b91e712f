"""Extraction: the statements of an answer, each a span of a record with its attribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent
from typing import Final

from cortex.composer.answer.attribution import attribution, citation
from cortex.composer.values import Listed, Scored
from cortex.language.markdown import blocks
from cortex.language.source import blocks_of, said_in
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, Statement
from cortex.substrate.quoting import INDENT, code, inert, titled
from cortex.substrate.voice import own_words

STATEMENTS: Final = 6
A_THREAD: Final = 2
THE_FIRST_THREAD: Final = 3
QUOTED: Final = 320  # characters of the first quote; the excerpt of its citation holds more
SUPPORTING: Final = 200
ENTRY: Final = 700  # characters of an item of a list that is quoted whole up to here
CODE: Final = 2_000  # characters of a block of code, which is quoted whole up to here
LEAST: Final = 0.4  # likeness to the question, beside the first statement's, that a further one needs


def extract(ranked: Sequence[Scored]) -> tuple[list[Statement], list[Citation]]:
    """Up to six statements, the one that answers first, and what they cite."""
    statements: list[Statement] = []
    citations: list[Citation] = []
    threads: Counter[tuple[int, str]] = Counter()
    said: set[object] = set()
    for one in ranked:
        thread = (one.row.source_id, one.row.about)
        room = THE_FIRST_THREAD if not threads or thread == next(iter(threads)) else A_THREAD
        if threads[thread] >= room or len(statements) == STATEMENTS:
            continue
        if statements and one.features["titled"] < LEAST * ranked[0].features["titled"] and not one.lineage:
            continue
        cites = citation(one)
        quote = quote_of(one, QUOTED if not statements else SUPPORTING)
        window = (one.row.record_id, one.window.best)
        if not quote or not said.isdisjoint((quote, window)):
            continue
        threads[thread] += 1
        said.update((quote, window))
        statements.append(Statement(quote=quote, attribution=placed(one), citations=(cites.handle,)))
        citations.append(cites)
    return statements, citations


def quote_of(one: Scored, longest: int) -> str:
    """The window where it fits, else its best sentence and what follows: a line of plain text, then code as it is."""
    body = own_words(one.record["body"], one.row.type)
    (whole, last), (start, end) = one.window.span, one.window.best
    end = max(end, last)
    start = whole if end - whole <= longest and one.row.type != "code" else start
    if one.row.type == "code":
        return _of_source(body, start, end, longest)
    fenced = [block for block in blocks(body) if block.is_code] if "```" in body or "~~~" in body else []
    quote = ""
    for block in (block for block in fenced if start < block.end and block.start < end):
        told = body[block.start : block.end].strip()
        if not told.startswith("```{"):  # a directive, whose text is prose
            quote += _prose(body[start : block.start], longest, after=quote) + _code(told)
            longest, start = max(0, longest - (block.start - start)), block.end
    return quote + _prose(body[start:end], longest, after=quote)


def _of_source(body: str, start: int, end: int, longest: int) -> str:
    quote = prose = ""
    for block in blocks_of(body, "code"):
        told = body[max(start, block.start) : min(end, block.end)]
        if not block.is_code:
            prose += f"{said_in(told)}\n"
        elif told.strip():
            quote += _prose(prose, longest, after=quote) + code(_cut(dedent(told).strip("\n"), CODE, at="\n"))
            prose = ""
    return quote + _prose(prose, longest, after=quote)


def _prose(text: str, longest: int, *, after: str) -> str:
    told = _cut(inert(plain(text)), longest) if longest else ""
    return f"\n{INDENT}{told}" if after and told else told


def _code(block: str) -> str:
    lines = (line for line in block.splitlines() if not line.lstrip().startswith(("```", "~~~")))
    return code(_cut("\n".join(lines), CODE, at="\n"))


def _cut(text: str, longest: int, at: str = " ") -> str:
    if len(text) <= longest:
        return text
    border = text.rfind(at, 0, longest)
    return f"{text[: border if border > 0 else longest]}…"


def placed(one: Scored) -> str:
    """The attribution with the headings the quote stands under."""
    stems = frozenset[str]().union(*(held for held, _ in one.window.stated))
    told, path = attribution(one.record, stems), headings(one.record["body"], one.window.best.start, one.row.type)
    above = [titled(plain(head)) for head in path if plain(head) and plain(head) not in one.record["title"]]
    return " › ".join([told, *above])


def headings(body: str, at: int, type_: str) -> tuple[str, ...]:
    """The headings above the character *at*, outermost first."""
    return [(), *(block.headings for block in blocks_of(body[: at + 1], type_))][-1]


def render(statements: Sequence[Statement]) -> str:
    """The answer as text: a line a statement, each followed by what it cites; code has indented lines of its own."""
    return "\n".join(map(line, statements))


def line(one: Statement) -> str:
    """A statement with its citations: on one line, code on indented lines after that."""
    return words(one) + "".join(f" [CITATION:{handle}]" for handle in one.citations)


def words(one: Statement) -> str:
    """Our words, or a quotation and its attribution."""
    end = f"\n{INDENT}”" if "\n" in one.quote else "”"
    by = f" — {one.attribution}" if one.attribution else ""
    return " ".join(filter(None, (one.text, f"“{one.quote}{end}{by}" if one.quote else "")))


def is_told(found: Listed | None) -> bool:
    """Whether a lookup answers all that was asked."""
    return found is not None and found.complete


def tell(found: Listed | None, ranked: Sequence[Scored]) -> tuple[list[Statement], list[Citation]]:
    """The statements of a lookup, in our words made of stored fields, and what they cite."""
    by_record = {one.row.record_id: one for one in ranked}
    statements: list[Statement] = []
    citations: list[Citation] = []
    for place, (record_id, text) in enumerate(found.items if found else ()):
        if found and (one := by_record.get(record_id)):
            span = found.quotes.get(place)
            one = replace(one, window=one.window._replace(span=span, best=span)) if span else one
            cites = citation(one, exact=bool(span))
            lead = found.lead if not statements else ""
            quote = quote_of(one, ENTRY) if span else ""
            statements.append(Statement(text=f"{lead}{text}", quote=quote, citations=(cites.handle,)))
            citations.append(cites)
    return statements, citations

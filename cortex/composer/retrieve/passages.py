"""Retrievers: passages and facts by BM25, weighted by coverage and authority, and passages by vector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from cortex.composer.query.matching import Matcher
from cortex.composer.values import AnswerType, Candidate, Query, Reason
from cortex.substrate.reading import STANDING, Reader, Row
from cortex.substrate.text_index import Match

PASSAGES: Final = 50
VARIED_PASSAGES: Final = 50
FACTS: Final = 15
VARIED: Final = 0.65  # weight of a passage that only related words found
COVERAGE: Final = 2.0
STANDS: Final = 1.4  # weight of a text that says how things are: a document, a directive, an ownership file
TERSE: Final = ("project",)  # types whose other names, which they are searched by, are weight enough
A_RECORD: Final = 2  # passages of one record that are candidates
NEAREST: Final = 20  # passages that are candidates by their vectors


def find_passages(reader: Reader, query: Query, matcher: Matcher) -> list[Candidate]:
    """Passages with the question's words or related ones, best first."""
    matches = reader.passages(query.terms, limit=PASSAGES)
    found = weighed(matches, reader.passage_rows([one.rowid for one in matches]), query, matcher)
    if query.variant:
        known = {row.id for _, row in found}
        terms, beside = query.terms, query.variant
        if len(matches) < VARIED_PASSAGES:
            terms, beside = (*terms, *beside), ()
        varied = reader.passages(terms, beside=beside, limit=VARIED_PASSAGES)
        others = [one for one in varied if one.rowid not in known]
        more = weighed(others, reader.passage_rows([one.rowid for one in others]), query, matcher)
        scale = VARIED * min(1.0, found[0][0] / more[0][0]) if found and more else VARIED
        found = sorted([*found, *((scale * score, row) for score, row in more)], key=lambda one: -one[0])
    return candidates(found, Reason.TEXT)


def find_facts(reader: Reader, query: Query, matcher: Matcher) -> list[Candidate]:
    """Facts with the question's words, best first."""
    matches = reader.facts(query.terms, limit=FACTS)
    found = weighed(matches, reader.fact_rows([one.rowid for one in matches]), query, matcher)
    return candidates(found, Reason.FACT)


def find_near(reader: Reader, query: Query, _: Matcher) -> list[Candidate]:
    """Passages nearest to the question by vector, best first; empty without an encoder."""
    near = reader.nearest(query.vector, encoder=query.encoder, limit=NEAREST) if query.vector else []
    rows = reader.passage_rows([id_ for id_, _ in near])
    found = [(likeness, rows[id_]) for id_, likeness in near if id_ in rows and likeness > 0]
    return candidates([one for one in found if may_tell(query, one[1])], Reason.VECTOR)


def weighed(
    matches: Sequence[Match], rows: Mapping[int, Row], query: Query, matcher: Matcher
) -> list[tuple[float, Row]]:
    """Rows by BM25 times authority, standing and coverage, best first."""
    held = [(match.score, row) for match in matches if (row := rows.get(match.rowid)) and may_tell(query, row)]
    shares = map(matcher.covered, matcher.holds(f"{row.called} {row.text}" for _, row in held))
    scored = [
        (bm25 * row.authority * (STANDS if stands(row) else 1.0) * (1 + COVERAGE * share), row)
        for (bm25, row), share in zip(held, shares, strict=True)
    ]
    return sorted(scored, key=lambda one: -one[0])


def may_tell(query: Query, row: Row) -> bool:
    """Whether *row* can contain an answer of the type: source code names no person, a tag only a date."""
    short = row.type == "release" and "\n" not in row.text
    return not (short or (row.type == "code" and query.type is AnswerType.PERSON))


def candidates(found: Sequence[tuple[float, Row]], reason: Reason) -> list[Candidate]:
    """The best rows of each record with their score relative to the best."""
    top = found[0][0] if found else 1.0
    best: list[Candidate] = []
    seen: Counter[int] = Counter()
    for score, row in found:
        fact = row if reason is Reason.FACT else None
        seen[row.record_id] += 1
        if seen[row.record_id] <= (1 if fact else A_RECORD):
            best.append(Candidate(row, reason, fact, {reason: score / (top or 1.0)}))
    return best


def stands(row: Row) -> bool:
    """Whether *row* says how things are."""
    return row.type in STANDING and row.type not in TERSE

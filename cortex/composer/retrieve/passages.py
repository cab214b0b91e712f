"""Full text over records: BM25's first passages, ordered again by what they cover of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer import trust
from cortex.composer.question import Question, covered_by_each
from cortex.composer.rows import STANDING, Row, load_facts, load_passages
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search import Match, search_facts, search_passages

FIRST_PASSAGES: Final = 160
FIRST_FACTS: Final = 30
WORTH: Final = 0.42
"""How BM25 likes a row, of how it likes the best, for it to be read where there are many: no answer is lost by it."""

VARIED_PASSAGES: Final = 60
VARIED: Final = 0.65
"""What a passage weighs that only a variant of the question found."""

COVERAGE: Final = 2.0
STANDS: Final = 1.4
"""What a text weighs that says how things are, and is kept so: a document, a directive, an ownership file."""

SUPERSEDED: Final = 0.6
"""What a decision weighs that no longer holds."""

PASSED: Final = ("superseded", "deprecated", "rejected")

TOLD_BY_ITS_PULL: Final = 0.6
"""What a commit weighs whose pull request says the same."""


class Found(NamedTuple):
    """A row, how well BM25 likes it, and which of the question's stems it holds.

    Attributes:
        covered: share of the question's weight that its title and text hold, 0 to 1.
    """

    row: Row
    bm25: float
    covered: float
    score: float


def find_passages(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> list[Found]:
    """Passages that bear on the question, best first."""
    matches, rows = trust.found(
        lambda limit: search_passages(brain.db, question.terms, sources=sources, limit=limit),
        lambda ids: load_passages(brain, ids, as_of=question.as_of),
        FIRST_PASSAGES,
        worth=WORTH,
    )
    found = _ordered(question, matches, rows, stemmer)
    if not question.variant or not VARIED:
        return found
    known = {one.row.id for one in found}
    terms, beside = question.terms, question.variant
    if len(matches) < VARIED_PASSAGES:  # nothing need be left out
        terms, beside = (*terms, *beside), ()
    varied = search_passages(brain.db, terms, beside=beside, sources=sources, limit=VARIED_PASSAGES)
    others = [match for match in varied if match.rowid not in known]
    rows = load_passages(brain, [match.rowid for match in others], as_of=question.as_of)
    more = _ordered(question, others, rows, stemmer)
    scale = VARIED * min(1.0, found[0].score / more[0].score) if found and more else VARIED
    found += [Found(one.row, one.bm25, one.covered, scale * one.score) for one in more]
    return sorted(found, key=lambda one: -one.score)


def find_facts(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> list[Found]:
    """Facts that bear on the question, best first."""
    matches, rows = trust.found(
        lambda limit: search_facts(brain.db, question.terms, sources=sources, limit=limit),
        lambda ids: load_facts(brain, ids, as_of=question.as_of),
        FIRST_FACTS,
        worth=WORTH,
    )
    return _ordered(question, matches, rows, stemmer)


def _ordered(question: Question, matches: Sequence[Match], rows: Mapping[int, Row], stemmer: Stemmer) -> list[Found]:
    held = [(match.score, rows[match.rowid]) for match in matches if match.rowid in rows]
    shares = covered_by_each(question, [f"{row.title} {row.text}" for _, row in held], stemmer)
    found = []
    for (bm25, row), covered in zip(held, shares, strict=True):
        score = bm25 * row.authority * _standing(row, question) * (1 + COVERAGE * covered)
        found.append(Found(row, bm25, covered, score))
    return sorted(found, key=lambda one: -one.score)


def _standing(row: Row, question: Question) -> float:
    if row.state in PASSED and not question.as_of:  # when it passed is not known
        return SUPERSEDED
    if row.type in STANDING:
        return STANDS
    return TOLD_BY_ITS_PULL if row.type == "commit" and row.thread else 1.0

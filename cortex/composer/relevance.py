"""How much facts bear on a task described in words: BM25 and coverage, as for a question, but of many facts at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from cortex.composer import trust
from cortex.composer.question import covered_by_each
from cortex.composer.understanding import understand
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.search import search_facts

LOOKED_AT: Final = 300
"""Facts a search looks at: of several kinds, enough of each."""

COVERAGE: Final = 2.0
"""What covering all of the words is worth beside BM25's score, as for a question."""


class Relevance(NamedTuple):
    """How much a fact bears on a text: its score over the best trusted one's, at most 1, and the share it covers."""

    score: float
    covered: float


def relevant_facts(
    brain: Brain, text: str, *, kinds: Collection[str], sources: Collection[int]
) -> dict[int, Relevance]:
    """The facts of these kinds that share words with *text*, by id, the most relevant first; none without words."""
    if not split(text):
        return {}
    stemmer = brain.stemmer
    question = understand(brain, text, stemmer)
    matches, rows = trust.found(
        lambda limit: search_facts(brain.db, question.terms, sources=[*sources], limit=limit),
        lambda ids: trust.marked_facts(brain, ids),
        LOOKED_AT,
    )
    of_kinds = [(match, row) for match in matches if (row := rows[match.rowid]).kind in kinds]
    shares = covered_by_each(question, [f"{row.title} {row.text}" for _, row in of_kinds], stemmer)
    scored = {
        match.rowid: Relevance(match.score * (1 + COVERAGE * covered), covered)
        for (match, _), covered in zip(of_kinds, shares, strict=True)
    }
    trusted = [one.score for id_, one in scored.items() if not rows[id_].unverified]
    best = max(trusted or [one.score for one in scored.values()], default=1.0)
    ordered = sorted(scored.items(), key=lambda item: -item[1].score)
    return {id_: one._replace(score=min(1.0, one.score / best)) for id_, one in ordered}

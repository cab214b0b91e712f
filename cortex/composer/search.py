"""Search a brain: records that bear on a query, best first, with what their links bring in."""

from __future__ import annotations

from cortex.composer.compose.framing import cited
from cortex.composer.fuse import Fused
from cortex.composer.gathering import retrieve
from cortex.composer.question import Question
from cortex.composer.quote import quote
from cortex.composer.records import load_records
from cortex.composer.trust import last
from cortex.composer.understanding import understand
from cortex.errors import EmptyQuestion
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer, split
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Hit, Scope
from cortex.substrate.sources import readable


def search(brain: Brain, query: str, *, scope: Scope, limit: int = 10) -> list[Hit]:
    """Up to *limit* records for *query*, best first, each once, with the excerpt that bears on it most.

    Any text is a query; one without a letter or a digit finds nothing.

    Raises:
        EmptyQuestion: nothing but blanks.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not query.strip():
        raise EmptyQuestion(query)
    names = readable(brain, scope)
    if not split(query):
        return []
    stemmer = brain.stemmer
    question = understand(brain, query, stemmer)
    fused = last(retrieve(brain, question, stemmer, sources=[*names])[:limit], lambda one: one.row)
    records = load_records(brain, [one.row.record_id for one in fused], names)
    return [_hit(question, one, records[one.row.record_id], stemmer) for one in fused]


def _hit(question: Question, one: Fused, record: dict[str, object], stemmer: Stemmer) -> Hit:
    body = str(record["body"])
    found = quote(question, body, one.row.type, Span(one.row.start, one.row.end), stemmer)
    start, end = found.window
    statement = one.fact.text if one.fact else plain(body[found.best.start : found.best.end])
    ref = one.fact.handle if one.fact and not one.passage else f"{record['ref']}@{start}-{end}"
    return Hit(
        ref=ref, statement=statement, excerpt=body[start:end], score=round(one.score, 4), record=cited(record),
        source=str(record["source"]),
    )  # fmt: skip

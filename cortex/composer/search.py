"""Search a brain: records for a query, best first, with linked records."""

from __future__ import annotations

from cortex.composer.answer.attribution import cited
from cortex.composer.query.matching import Matcher
from cortex.composer.query.understand import understand
from cortex.composer.rank.windows import choose
from cortex.composer.retrieve.gather import CANDIDATES, gather
from cortex.composer.retrieve.links import is_claim
from cortex.composer.values import Candidate, Query
from cortex.errors import EmptyQuestion
from cortex.language.markdown import Span
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Hit, Scope
from cortex.substrate.quoting import spelled
from cortex.substrate.reading import Reader
from cortex.substrate.sources import readable


def search(brain: Brain, query: str, *, scope: Scope, limit: int = 10) -> list[Hit]:
    """Up to *limit* distinct records for *query*, best first, each with its best excerpt.

    Any text is a query; one without a letter or a digit finds nothing.

    Raises:
        EmptyQuestion: nothing but blanks.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not query.strip():
        raise EmptyQuestion(query)
    reader = Reader(brain, readable(brain, scope))
    if not split(query):
        return []
    asked = understand(reader, query, brain.stemmer, encoder=brain.encoder)
    matcher = Matcher(asked, brain.stemmer)
    found: dict[int, Candidate] = {}
    for one in gather(reader, asked, matcher, limit=max(2 * limit, CANDIDATES)).candidates:
        found.setdefault(one.row.record_id, one)
    first = sorted([*found.values()][:limit], key=is_claim)
    records = reader.records([one.row.record_id for one in first])
    return [_hit(asked, one, records[one.row.record_id], matcher) for one in first if one.row.record_id in records]


def _hit(query: Query, one: Candidate, record: dict[str, object], matcher: Matcher) -> Hit:
    body = str(record["body"])
    window = choose(query, body, one.row.type, Span(one.row.start, one.row.end), matcher)
    start, end = window.span
    statement = one.fact.text if one.fact else plain(body[window.best.start : window.best.end])
    ref = one.row.handle or f"{spelled(str(record['ref']))}@{start}-{end}"
    return Hit(
        ref=ref, statement=statement, excerpt=body[start:end], score=round(one.fused, 4), record=cited(record),
        source=str(record["source"]),
    )  # fmt: skip

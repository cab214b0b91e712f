"""Ask a brain: understand → retrieve → rank → resolve → judge → answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from cortex.answering.answer.extract import extract, render
from cortex.answering.judge.judge import judge
from cortex.answering.query.matching import Matcher
from cortex.answering.query.understand import understand
from cortex.answering.rank.likeness import Likeness
from cortex.answering.rank.rank import rank
from cortex.answering.resolve import resolve
from cortex.answering.retrieve.gather import Gathered, gather
from cortex.answering.stages import Clock
from cortex.answering.values import Encoder, Query, Scored, Verdict
from cortex.errors import EmptyQuestion
from cortex.substrate.brain import Brain
from cortex.substrate.model import REFUSAL, Answer, Scope, storable
from cortex.substrate.reading import Reader
from cortex.substrate.sources import begun, readable, timestamp
from cortex.substrate.stems import split

CACHE: Final = Path()


class Weighed(NamedTuple):
    """A question with its evidence, before a word is written."""

    query: Query
    gathered: Gathered
    ranked: list[Scored]
    verdict: Verdict


def ask(  # noqa: PLR0913  each is an option of its own
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None = None,
    now: datetime | None = None,
    encoder: Encoder | None = None,
    refuse_below: float | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Answer:
    """Answer *text* from what *scope* may read, with citations; exactly the refusal when the rows do not answer it."""
    clock = Clock(told)
    weighed = weigh(brain, text, scope=scope, as_of=as_of, now=now, encoder=encoder, refuse_below=refuse_below, clock=clock)
    clock.begin("answer")
    statements, citations = extract(weighed.query, weighed.ranked)
    refused = weighed.verdict.evidence == "none" or not statements
    return Answer(
        question=storable(text),
        class_=weighed.query.class_,
        answer=REFUSAL if refused else render(statements),
        refused=refused,
        composer="extractive",
        evidence="none" if refused else weighed.verdict.evidence,
        statements=() if refused else tuple(statements),
        citations=() if refused else tuple(citations),
        considered=tuple(citations) if refused else (),
        timings_ms=clock.timings() | weighed.gathered.took_ms,
    )


def weigh(  # noqa: PLR0913
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None,
    now: datetime | None,
    encoder: Encoder | None,
    refuse_below: float | None,
    clock: Clock,
) -> Weighed:
    """The evidence for an answer to *text*, ranked and judged."""
    text = storable(text)
    if not split(text):
        raise EmptyQuestion(text)
    clock.begin("understand")
    moment = timestamp(as_of) if as_of else ""
    with brain.snapshot():
        reader = Reader(brain, begun(brain, readable(brain, scope), as_of=moment), as_of=moment)
        query = understand(reader, text, brain.stemmer, now=now, encoder=encoder)
        matcher, likeness = Matcher(query, brain.stemmer), Likeness(encoder, query.vector)
        clock.begin("retrieve")
        gathered = gather(reader, query, matcher)
        records = reader.records([one.row.record_id for one in gathered.candidates])
        clock.begin("rank")
        ranked = rank(query, gathered.candidates, records, matcher, likeness, brain.stemmer)
        clock.begin("resolve")
        ranked = resolve(reader, query, ranked, matcher, likeness)
    clock.begin("judge")
    verdict = judge(query, ranked, matcher, likeness, refuse_below=refuse_below)
    return Weighed(query, gathered, ranked, verdict)

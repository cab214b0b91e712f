"""Ask a brain: understand → retrieve → rank → resolve → judge → answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from cortex.composer.answer.extract import extract, is_told, render, tell
from cortex.composer.judge.judge import FIRST, UNKNOWN, judge
from cortex.composer.query.following import is_courtesy
from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.query.presupposition import is_unfounded
from cortex.composer.query.understand import understand
from cortex.composer.rank.rank import rank, rerank
from cortex.composer.resolve import resolve
from cortex.composer.retrieve.gather import Gathered, gather
from cortex.composer.stages import Clock
from cortex.composer.values import Candidate, Query, Scored, Verdict, Written
from cortex.errors import EmptyQuestion
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import REFUSAL, Answer, Scope, storable
from cortex.substrate.reading import Reader
from cortex.substrate.sources import begun, readable, timestamp

CLOSEST: Final = 3  # rows that are shown beside a refusal
Composer = Callable[[Query, Sequence[Scored], Written], Written]


class Weighed(NamedTuple):
    """A question with its ranked evidence, before the answer is written."""

    query: Query
    matcher: Matcher
    gathered: Gathered
    ranked: list[Scored]
    verdict: Verdict


def ask(
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None = None,
    now: datetime | None = None,
    composer: Composer | None = None,
    refuse_below: float | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Answer:
    """Answer *text* from the sources in *scope*, with citations, or return exactly the refusal.

    Args:
        as_of: answer from what was known then: no record made later, each in the state it had.
        now: the moment it is asked at, which 'last month' counts from.
        composer: words the answer in place of the rows themselves, where there is evidence.
        refuse_below: likelihood, 0 to 1, below which the question is refused; by default as fitted.
        told: called with each of the STAGES as it begins.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    clock = Clock(told)
    query, matcher, gathered, ranked, verdict = weigh(
        brain, text, scope=scope, as_of=as_of, now=now, refuse_below=refuse_below, clock=clock,
    )  # fmt: skip
    clock.begin("answer")
    written = Written(
        *(tell(gathered.listed, ranked) if is_told(gathered.listed) else extract(query, matcher, ranked)), "extractive"
    )
    idle = is_courtesy(text)
    considered = () if idle else tuple(written.citations[:CLOSEST])
    refused = idle or verdict.evidence == "none" or not written.statements
    if composer and not refused and not is_told(gathered.listed):
        written = composer(query, ranked, written)
        refused = not written.statements
    leads = written.statements[0].citations if written.statements else ()
    unverified = all(one.record.unverified for one in written.citations if one.handle in leads)
    evidence = "weak" if unverified else verdict.evidence
    return Answer(
        question=storable(text),
        class_=query.class_,
        answer=REFUSAL if refused else render(written.statements),
        refused=refused,
        composer=written.composer,
        evidence="none" if refused else evidence,
        statements=() if refused else tuple(written.statements),
        citations=() if refused else tuple(written.citations),
        considered=considered if refused else (),
        timings_ms={**clock.timings(), **gathered.took_ms},
    )


def weigh(
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None,
    now: datetime | None,
    refuse_below: float | None,
    clock: Clock,
) -> Weighed:
    """Collect, rank, resolve and judge the evidence for *text*; takes the arguments of `ask`."""
    text, stemmer = storable(text), brain.stemmer
    if not split(text):
        raise EmptyQuestion(text)
    moment = timestamp(as_of) if as_of else ""
    with brain.snapshot():
        clock.begin("understand")
        reader = Reader(brain, begun(brain, readable(brain, scope), as_of=moment), as_of=moment)
        query = understand(reader, text, stemmer, now=now, encoder=brain.encoder)
        matcher, likeness = Matcher(query, stemmer), Likeness(brain.encoder, query.vector)

        def score(candidates: Sequence[Candidate]) -> list[Scored]:
            ranked = rank(query, candidates, reader.records, matcher, likeness, stemmer)
            return rerank(query, ranked, brain.reranker) if brain.reranker else ranked

        clock.begin("retrieve")
        gathered = gather(reader, query, matcher)
        clock.begin("rank")
        ranked = score(gathered.candidates)
        clock.begin("resolve")
        if gathered.listed and gathered.listed.complete:
            clock.begin("judge")
            sure = Verdict(1.0, "strong" if gathered.listed.sure else "moderate", ("listed",))
            return Weighed(query, matcher, gathered, ranked, sure if ranked else UNKNOWN)
        ranked = resolve(reader, query, ranked, score)
        clock.begin("judge")
        unfounded = is_unfounded(reader, query, ranked[:FIRST], stemmer)
    verdict = judge(query, ranked, matcher, likeness, unfounded=unfounded, refuse_below=refuse_below)
    return Weighed(query, matcher, gathered, ranked, verdict)

"""Explain an answer: how the question was understood and judged, and what each row's score is made of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from cortex.composer.pipeline import Weighed, weigh
from cortex.composer.rank.rank import weights
from cortex.composer.stages import Clock
from cortex.substrate.brain import Brain
from cortex.substrate.model import Evidence, Scope, Share, Value


class Row(Value):
    """A row that was read for a question."""

    rank: int = Field(description="from 1, in the order of the answer")
    ref: str
    title: str
    source: str
    places: Mapping[str, int] = Field(description="by retriever, its place there, from 1")
    reason: str = Field(description="what made it a candidate: text, fact, vector, link, named, listed, lineage")
    relation: str = Field(description="of the link it came by: 'fixed by'; else ''")
    lineage: tuple[str, ...] = Field(description="what took its place: 'superseded by pull:12'")
    score: float
    parts: Mapping[str, float] = Field(description="what each feature adds to the score")


class Explanation(Value):
    """How a question was understood, judged, and which rows it was answered from."""

    question: str
    class_: str = Field(alias="class")
    asks_for: str = Field(description="the type of the answer")
    terms: Mapping[str, float] = Field(description="stems and the weight of each, in nats")
    variant: tuple[str, ...] = Field(description="related words that were searched for too")
    evidence: Evidence
    likelihood: Share = Field(description="that the rows answer the question")
    caps: tuple[str, ...] = Field(description="overrides of the model that applied")
    judged: Mapping[str, float] = Field(description="the features of the judge")
    timings_ms: Mapping[str, float] = Field(description="by retriever")
    rows: tuple[Row, ...]


def explain(
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None = None,
    now: datetime | None = None,
    refuse_below: float | None = None,
) -> Explanation:
    """Explain the answer to *text*; takes the arguments of `ask`.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    found = weigh(
        brain, text, scope=scope, as_of=as_of, now=now, refuse_below=refuse_below, clock=Clock(lambda _: None)
    )
    query, verdict = found.query, found.verdict
    return Explanation.model_validate(
        {
            "question": text,
            "class": query.class_,
            "asks_for": query.type.value,
            "terms": {stem: round(weight, 2) for stem, weight in query.weights.items()},
            "variant": query.variant,
            "evidence": verdict.evidence,
            "likelihood": round(verdict.likelihood, 3),
            "caps": verdict.caps,
            "judged": {name: round(value, 3) for name, value in verdict.features.items()},
            "timings_ms": found.gathered.took_ms,
            "rows": rows_of(found),
        }
    )


def rows_of(found: Weighed) -> tuple[Row, ...]:
    """Each row with its place in each retriever and the parts of its score."""
    places = {name: {id_: place for place, id_ in enumerate(ids, 1)} for name, ids in found.gathered.ranks.items()}
    model = weights(found.query.model)
    return tuple(
        Row(
            rank=rank,
            ref=one.record["ref"],
            title=one.record["title"],
            source=one.record["source"],
            places={name: at[one.row.record_id] for name, at in places.items() if one.row.record_id in at},
            reason=one.candidate.reason.value,
            relation=one.candidate.relation,
            lineage=tuple(f"{by.state} by {by.by_ref}" for by in one.lineage),
            score=round(one.score, 3),
            parts={name: round(model.get(name, 0.0) * value, 3) for name, value in one.features.items()},
        )
        for rank, one in enumerate(found.ranked, 1)
    )

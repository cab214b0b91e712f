"""Why an answer stands where it stands: each row's place in every retriever, and what the order weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import Field

from cortex.composer.acronyms import with_acronyms
from cortex.composer.ask import in_order, judged_on, told_from
from cortex.composer.evidence import features
from cortex.composer.gathering import Gathered, gather
from cortex.composer.order import weights
from cortex.composer.ordered import Ordered
from cortex.composer.retrieve.people import with_people
from cortex.composer.understanding import understand
from cortex.errors import EmptyQuestion
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Evidence, Scope, Share, Value
from cortex.substrate.sources import begun, readable, timestamp


class Row(Value):
    """A row that was read for a question."""

    rank: int = Field(description="from 1, as the answer goes through them")
    ref: str
    title: str
    source: str
    places: Mapping[str, int] = Field(description="by retriever, its place there, from 1")
    relation: str = Field(description="how it came in, where that was by a link: 'fixed by'")
    moved: str = Field(
        description="why it stands before what scores higher: 'rules', 'told later', 'supersedes', …; or after what"
        " scores lower: 'beside the point', 'unread'; else ''"
    )
    score: float = Field(description="what the order makes of it")
    parts: Mapping[str, float] = Field(description="what each feature adds to the score")


class Explanation(Value):
    """How a question was understood, judged, and which rows it was answered from."""

    question: str
    class_: str = Field(alias="class")
    asks_for: str = Field(description="the type of the answer")
    terms: Mapping[str, float] = Field(description="stems and what each weighs, in nats")
    variant: tuple[str, ...] = Field(description="words that say the same, searched for too")
    evidence: Evidence
    likelihood: Share = Field(description="that the rows answer the question")
    judged: Mapping[str, float] = Field(description="what the judge looked at")
    timings_ms: Mapping[str, float] = Field(description="by retriever; a late one is left out of the rows")
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
    """Ask *text* and tell how its answer comes about, without the answer.

    Args:
        as_of: as of `ask`, and so are the others.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not split(text):
        raise EmptyQuestion(text)
    stemmer = brain.stemmer
    question = understand(brain, text, stemmer, as_of=timestamp(as_of) if as_of else "", now=now)
    names = begun(brain, readable(brain, scope), as_of=question.as_of)
    question = with_acronyms(brain, question, stemmer, sources=[*names])
    question = with_people(brain, question, sources=[*names])
    gathered = gather(brain, question, stemmer, sources=[*names])
    ordered, records = in_order(brain, question, gathered, names, stemmer)
    ordered, judged = judged_on(question, gathered, ordered, records, stemmer, refuse_below=refuse_below)
    _, stands, judged = told_from(question, ordered, records, judged, stemmer, refuse_below=refuse_below)
    return Explanation.model_validate(
        {
            "question": text,
            "class": question.class_,
            "asks_for": question.type,
            "terms": {stem: round(weight, 2) for stem, weight in question.weights.items()},
            "variant": question.variant,
            "evidence": judged.evidence if stands else "none",
            "likelihood": round(judged.likelihood, 3),
            "judged": {name: round(value, 3) for name, value in features(question, ordered, stemmer).items()},
            "timings_ms": gathered.took_ms,
            "rows": _rows(gathered, ordered, names),
        }
    )


def _rows(gathered: Gathered, ordered: Sequence[Ordered], names: Mapping[int, str]) -> tuple[Row, ...]:
    """Each row with its place in each retriever and what its score is made of."""
    places = {
        name: {record: place for place, record in enumerate(ranked, 1)} for name, ranked in gathered.ranks.items()
    }
    return tuple(
        Row(
            rank=rank,
            ref=one.fused.row.ref,
            title=one.fused.row.title,
            source=names[one.fused.row.source_id],
            places={name: at[one.fused.row.record_id] for name, at in places.items() if one.fused.row.record_id in at},
            relation=one.fused.relation,
            score=round(one.worth, 3),
            parts={name: round(weight * one.values[name], 3) for name, weight in weights().items()}
            | {"rule": round(one.rule, 3), "headed": round(one.headed, 3), "kind": one.kind, "now": round(one.now, 3)},
            moved=one.moved,
        )
        for rank, one in enumerate(ordered, 1)
    )

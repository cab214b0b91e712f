"""Rank candidates by a linear model over the feature table; its weights are data, fitted by `bench/fitting.py`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.rank.features import FEATURES, Feature, Seen, newest
from cortex.composer.rank.windows import choose
from cortex.composer.values import Candidate, Model, Query, Reason, Scored, Window
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer
from cortex.packaged import files
from cortex.substrate.encoder import Reranker

READ: Final = 14
"""Candidates that are read sentence by sentence: of those that would rank among the first six, 99 in 100."""

NEAR: Final = 0.25  # likeness of the nearest passage, as far as the choice goes

AT_A_GLANCE: Final[Mapping[str, Feature]] = {
    name: feature for name, feature in FEATURES.items() if name not in ("asks", "headed")
} | {"near_best": lambda seen: NEAR * seen.candidate.scores.get(Reason.VECTOR, 0.0)}
"""What candidates are chosen by: the features that no sentence is needed for, of the passage that was found."""

RERANKED: Final = 12  # rows a re-ranker reads: a cross-encoder takes milliseconds a row
RERANKED_WORTH: Final = 4.0  # most a re-ranker adds to a score; set by hand, for its models need a network


@cache
def weights(model: Model) -> Mapping[str, float]:
    """The fitted weights; a feature without a weight is not computed."""
    fitted: dict[str, dict[str, float]] = json.loads((files("cortex.composer.rank") / "rank.json").read_text("utf-8"))
    return fitted[model]


def rank(
    query: Query,
    candidates: Sequence[Candidate],
    read: Callable[[Sequence[int]], Mapping[int, Mapping[str, Any]]],
    matcher: Matcher,
    likeness: Likeness,
    stemmer: Stemmer,
    *,
    model: Mapping[str, float] | None = None,
) -> list[Scored]:
    """The `READ` most promising candidates with windows, features and scores, best first.

    Args:
        read: gives records by id; a candidate without one is left out.
        model: weights by feature; by default the fitted ones.
    """
    model = weights(query.model) if model is None else model
    days = newest([one.row for one in candidates])
    top = max((one.fused for one in candidates), default=1.0) or 1.0

    def looked(one: Candidate, record: Mapping[str, Any], window: Window) -> Seen:
        return Seen(query, one, record, window, matcher, likeness, stemmer, top, days)

    likely = [*candidates]
    if len(candidates) > READ:
        glances = [looked(one, {"state": one.row.state, "body": one.row.text}, _whole(one, matcher)) for one in likely]
        glances.sort(key=lambda one: -_scored(one, model, AT_A_GLANCE)[1])
        likely = [one.candidate for one in glances[:READ]]
    records = read([one.row.record_id for one in likely])
    ranked = []
    for one in likely:
        if (record := records.get(one.row.record_id)) is None:
            continue
        window = choose(query, record["body"], one.row.type, Span(one.row.start, one.row.end), matcher, one.row.title)
        ranked.append(Scored(one, record, window, *_scored(looked(one, record, window), model)))
    return sorted(ranked, key=lambda one: -one.score)


def _scored(
    seen: Seen, model: Mapping[str, float], table: Mapping[str, Feature] = FEATURES
) -> tuple[dict[str, float], float]:
    features = {name: table[name](seen) for name in model if name in table}
    return features, sum(model[name] * value for name, value in features.items())


def _whole(one: Candidate, matcher: Matcher) -> Window:
    span = Span(0, len(one.row.text))
    (holds,) = matcher.holds([f"{one.row.called} {one.row.text}"])
    return Window(span, span, holds, holds)


def rerank(query: Query, ranked: Sequence[Scored], reranker: Reranker) -> list[Scored]:
    """*ranked* with the re-ranker's score, 0 to `RERANKED_WORTH`, added to the first rows; best first."""
    first = ranked[:RERANKED]
    scores = reranker.scores(query.text, [one.record["body"][slice(*one.window.span)] for one in first])
    worth = [RERANKED_WORTH / (1 + math.exp(-max(-50.0, min(50.0, score)))) for score in scores]
    raised = [
        replace(one, score=one.score + more, features={**one.features, "reranked": more / RERANKED_WORTH})
        for one, more in zip(first, worth, strict=True)
    ]
    return [*sorted(raised, key=lambda one: -one.score), *ranked[RERANKED:]]

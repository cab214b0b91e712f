"""Rank candidates by a linear model over the feature table; its weights are data, fitted by `bench/fitting.py`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from cortex.composer.query.matching import Matcher
from cortex.composer.rank.features import FEATURES, Seen, newest
from cortex.composer.rank.likeness import Likeness
from cortex.composer.rank.windows import choose
from cortex.composer.values import Candidate, Model, Query, Scored
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer
from cortex.substrate.encoder import Reranker

RERANKED: Final = 12
"""Rows a re-ranker reads: a cross-encoder takes milliseconds a row."""

RERANKED_WORTH: Final = 4.0
"""Most a re-ranker adds to a score; set by hand, for its models need a network."""


@cache
def weights(model: Model) -> Mapping[str, float]:
    """The fitted weight of each feature; a feature without one is not computed."""
    fitted: dict[str, dict[str, float]] = json.loads((files("cortex.composer.rank") / "rank.json").read_text("utf-8"))
    return fitted[model]


def rank(
    query: Query,
    candidates: Sequence[Candidate],
    records: Mapping[int, Mapping[str, Any]],
    matcher: Matcher,
    likeness: Likeness,
    stemmer: Stemmer,
    *,
    model: Mapping[str, float] | None = None,
) -> list[Scored]:
    """Candidates with windows, features and scores, best first.

    Args:
        records: by id; a candidate without one is left out.
        model: weights by feature; by default the fitted ones.
    """
    model = weights(query.model) if model is None else model
    days = newest([one.row for one in candidates])
    top = max((one.fused for one in candidates), default=1.0) or 1.0
    ranked = []
    for one in candidates:
        if (record := records.get(one.row.record_id)) is None:
            continue
        within = Span(one.row.start, one.row.end)
        window = choose(query, record["body"], one.row.type, within, matcher)
        seen = Seen(query, one, record, window, matcher, likeness, stemmer, top, days)
        features = {name: FEATURES[name](seen) for name in model}
        score = sum(weight * features[name] for name, weight in model.items())
        ranked.append(Scored(one, record, window, features, score))
    return sorted(ranked, key=lambda one: -one.score)


def rerank(query: Query, ranked: Sequence[Scored], reranker: Reranker) -> list[Scored]:
    """*ranked* with the first rows' scores raised by the re-ranker's, 0 to `RERANKED_WORTH`, best first."""
    first = ranked[:RERANKED]
    scores = reranker.scores(query.text, [one.record["body"][slice(*one.window.span)] for one in first])
    worth = [RERANKED_WORTH / (1 + math.exp(-max(-50.0, min(50.0, score)))) for score in scores]
    raised = [
        replace(one, score=one.score + more, features={**one.features, "reranked": more / RERANKED_WORTH})
        for one, more in zip(first, worth, strict=True)
    ]
    return [*sorted(raised, key=lambda one: -one.score), *ranked[RERANKED:]]

"""Judge whether the rows answer the question: a logistic model over features, and a table of caps."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.judge.features import FEATURES, FIRST, Evidence
from cortex.composer.query.matching import Matcher
from cortex.composer.rank.likeness import Likeness
from cortex.composer.values import Model, Query, Reason, Scored, Verdict
from cortex.packaged import files

UNKNOWN: Final = Verdict(0.0, "none")


class Cap(NamedTuple):
    """An override of the model: where a feature lies in a range, the likelihood is at most or at least so much."""

    name: str
    feature: str
    above: float
    below: float
    at_most: float
    at_least: float


@cache
def coefficients(model: Model) -> Mapping[str, float]:
    """The fitted coefficients, with `bias`, `refuse_below` and `strong_from`."""
    fitted: dict[str, dict[str, float]] = json.loads((files("cortex.composer.judge") / "judge.json").read_text("utf-8"))
    return fitted[model]


@cache
def caps() -> tuple[Cap, ...]:
    """The table of caps."""
    table: list[dict[str, Any]] = tomllib.loads((files("cortex.composer.judge") / "caps.toml").read_text("utf-8")).get(
        "cap", []
    )
    rows = (row | {"above": row.get("above", -math.inf), "below": row.get("below", math.inf)} for row in table)
    return tuple(
        Cap(row["name"], row["feature"], row["above"], row["below"], row.get("at_most", 1.0), row.get("at_least", 0.0))
        for row in rows
    )


def judge(
    query: Query,
    ranked: Sequence[Scored],
    matcher: Matcher,
    likeness: Likeness,
    *,
    unfounded: bool = False,
    refuse_below: float | None = None,
) -> Verdict:
    """The likelihood that the first rows answer *query*; below the threshold there is no evidence.

    Args:
        unfounded: the question takes a change for granted that nothing states.
        refuse_below: likelihood from which the question is answered; by default as fitted.
    """
    if not ranked or not query.weights:
        return UNKNOWN
    if (query.numbers or query.decisions) and not any(one.candidate.reason is Reason.NAMED for one in ranked):
        return UNKNOWN._replace(caps=("unknown thread",))
    seen = Evidence(query, ranked[:FIRST], matcher, likeness, unfounded)
    fitted = coefficients(query.model)
    found = {name: feature(seen) for name, feature in FEATURES.items() if name in fitted}
    logit = fitted["bias"] + sum(fitted[name] * value for name, value in found.items())
    likelihood = 1 / (1 + math.exp(-logit))
    applied = []
    for cap in caps():
        limited = min(cap.at_most, max(cap.at_least, likelihood))
        if cap.above < FEATURES[cap.feature](seen) < cap.below and limited != likelihood:
            likelihood = limited
            applied.append(cap.name)
    if likelihood < (fitted["refuse_below"] if refuse_below is None else refuse_below):
        return Verdict(likelihood, "none", tuple(applied), found)
    strong = likelihood >= fitted["strong_from"] and not ranked[0].row.unverified
    return Verdict(likelihood, "strong" if strong else "moderate", tuple(applied), found)

"""Whether what was found answers the question: decided before a word is written.

A logistic model over four values that do not depend on a project's size; its coefficients are data, fitted by
`bench/evidence.py` on questions with and without an answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.substrate.model import Evidence

ENOUGH: Final = 0.85
"""A row that covers this share of a question answers it, as far as words can tell; the unanswerable stay below it."""

FEWEST: Final = 3
"""Everyday words that ask something; fewer are a greeting or a sigh."""

FEATURES: Final = ("rarest", "covered", "matched", "terms")


class Judged(NamedTuple):
    """How likely the rows answer the question, 0 to 1, and in a word."""

    likelihood: float
    evidence: Evidence


def features(question: Question, fused: Sequence[Fused]) -> dict[str, float]:
    """What the judge looks at, each about 0 to 1.

    Returns:
        `rarest`: the highest weight of a term over the highest there can be; `covered`: the largest share of the
        question's weight that one row holds; `matched`: that weight itself, four of the rarest terms being 1;
        `terms`: their number, twelve being 1.
    """
    weights = question.weights
    highest = math.log(1 + (question.rows + 0.5) / 0.5)
    covered = max((one.covered for one in fused), default=0.0)
    return {
        "rarest": max(weights.values(), default=0.0) / highest,
        "covered": covered,
        "matched": covered * sum(weights.values()) / highest / 4,
        "terms": min(1.0, len(weights) / 12),
    }


@cache
def _model() -> dict[str, float]:
    model: dict[str, float] = json.loads((files("cortex.composer") / "evidence.json").read_text("utf-8"))
    return model


def judge(question: Question, fused: Sequence[Fused]) -> Judged:
    """Weigh the rows; with no rows there is no evidence, nor with none of a thread that the question names."""
    if not fused or not question.weights:
        return Judged(0.0, "none")
    if question.numbers:
        if not any(one.relation == "named" for one in fused):
            return Judged(0.0, "none")
        if not question.rest:
            return Judged(1.0, "strong")
    if not question.content and len(question.weights) < FEWEST:
        return Judged(0.0, "none")
    model = _model()
    found = features(question, fused)
    likelihood = 1 / (1 + math.exp(-model["bias"] - sum(model[name] * found[name] for name in FEATURES)))
    if found["covered"] >= ENOUGH:  # the model has seen few questions that short
        likelihood = max(likelihood, model["refuse_below"])
    if likelihood < model["refuse_below"]:
        return Judged(likelihood, "none")
    return Judged(likelihood, "strong" if likelihood >= model["strong_from"] else "moderate")

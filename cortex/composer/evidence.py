"""Whether what was found answers the question: decided before a word is written.

A logistic model over five values that do not depend on a project's size; its coefficients are data, fitted by
`bench/fitting.py` on questions with and without an answer.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from cortex.composer.order import Ordered
from cortex.composer.question import Question, coverage, likeness, stands_in
from cortex.composer.rows import Row
from cortex.substrate.model import Evidence
from cortex.substrate.stems import Stemmer, split

ENOUGH: Final = 0.85
"""A row that covers this share of a question answers it, as far as words can tell; the unanswerable stay below it."""

FEWEST: Final = 3
"""Everyday words that ask something; fewer are a greeting or a sigh, unless a sentence has all of them."""

_ASKS: Final = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)

FEATURES: Final = ("said", "nameless", "rare", "value", "terms")

NUMBERS: Final = frozenset(
    """zero no one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
    eighty ninety hundred thousand million single both half once twice""".split()
)

_QUESTION: Final = re.compile(r"\?[\s\"'”’`)*_]*$")
"""The end of a sentence that asks: who asks the same has not answered."""

_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|\n+")

CITED: Final = 6
"""Rows that are looked at: as many as an answer cites."""


class Judged(NamedTuple):
    """How likely the rows answer the question, 0 to 1, and in a word."""

    likelihood: float
    evidence: Evidence


def features(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> dict[str, float]:
    """What the judge looks at, each 0 to 1.

    Returns:
        `said`: the largest likeness to the question that a sentence has with the title above it, of a question that
        counts only sentences that do; `nameless`: how much of what it calls by a name the row lacks that has most of
        it; `rare`: what its words weigh in the mean, over the most a word can weigh; `value`: whether it asks for a
        number or a date; `terms`: how many words it has, twelve being 1.
    """
    first, weights = ordered[:CITED], question.weights
    named = {stem: weights[stem] for stem in question.named}
    told = max((coverage(named, one.holds) for one in first), default=0.0)
    return {
        "said": max((_said(question, one.fused.row, stemmer) for one in first), default=0.0),
        "nameless": 1.0 - told if named else 0.0,
        "rare": sum(weights.values()) / len(weights) / math.log(1 + (question.rows + 0.5) / 0.5),
        "value": float(question.type in ("number", "date")),
        "terms": min(1.0, len(weights) / 12),
    }


def _is_said(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence has everything that is asked about: 'what is the rate limit?'."""
    asks = len(question.weights) > 1 and _ASKS.search(question.text)
    return bool(asks) and any(_said(question, one.fused.row, stemmer) > 0.999 for one in ordered[:CITED])


def _said(question: Question, row: Row, stemmer: Stemmer) -> float:
    titled = stands_in(question, row.title, stemmer)
    sentences = [one for one in _BETWEEN_SENTENCES.split(row.text) if one and not _QUESTION.search(one)]
    if question.counted:
        sentences = [one for one in sentences if _counts(question.counted, one, stemmer)]
    return max((likeness(question, titled | stands_in(question, one, stemmer)) for one in sentences), default=0.0)


def _counts(noun: str, sentence: str, stemmer: Stemmer) -> bool:
    """Whether a number stands up to three words before *noun*."""
    words = split(sentence)
    of_noun = {word for word, stem in stemmer.stem(words).items() if stem == noun}
    numbers = [place for place, word in enumerate(words) if word.isdecimal() or word in NUMBERS]
    return any(not of_noun.isdisjoint(words[place + 1 : place + 4]) for place in numbers)


@cache
def _model() -> dict[str, float]:
    model: dict[str, float] = json.loads((files("cortex.composer") / "evidence.json").read_text("utf-8"))
    return model


def judge(
    question: Question, ordered: Sequence[Ordered], stemmer: Stemmer, *, refuse_below: float | None = None
) -> Judged:
    """Weigh the rows; with no rows there is no evidence, nor with none of a thread that the question names.

    Args:
        refuse_below: the likelihood that is no evidence yet; by default the point of the curve that was chosen.
    """
    relations = {one.fused.relation for one in ordered}
    if not ordered or not question.weights or (question.numbers and relations.isdisjoint(("named", "listed"))):
        return Judged(0.0, "none")
    if "listed" in relations or ("named" in relations and question.told):
        return Judged(1.0, "strong")
    if not question.content and len(question.weights) < FEWEST and not _is_said(question, ordered, stemmer):
        return Judged(0.0, "none")
    model = _model()
    found = features(question, ordered, stemmer)
    likelihood = 1 / (1 + math.exp(-model["bias"] - sum(model[name] * found[name] for name in FEATURES)))
    enough = model["refuse_below"] if refuse_below is None else refuse_below
    if max(one.fused.covered for one in ordered) >= ENOUGH:  # the model has seen few questions that short
        likelihood = max(likelihood, model["refuse_below"])
    if likelihood < enough:
        return Judged(likelihood, "none")
    return Judged(likelihood, "strong" if likelihood >= model["strong_from"] else "moderate")

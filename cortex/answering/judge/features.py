"""What the judge looks at: how well the first rows cover the question, and how far that may be chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cortex.answering.query.matching import Matcher
from cortex.answering.rank.likeness import Likeness
from cortex.answering.values import AnswerType, Query, Scored

FIRST: Final = 6
"""Rows that are looked at: as many as an answer cites."""

USUAL: Final = 1000
"""Passages of a brain that is neither large nor small."""

TINIEST: Final = 100


class Evidence(NamedTuple):
    """The first rows under the question."""

    query: Query
    ranked: Sequence[Scored]
    matcher: Matcher
    likeness: Likeness

    def most(self, name: str) -> float:
        """The largest value of a ranking feature among the rows."""
        return max((one.features.get(name, 0.0) for one in self.ranked), default=0.0)


def _nameless(seen: Evidence) -> float:
    return 1.0 - seen.most("named") if seen.query.named else 0.0


def _rare(seen: Evidence) -> float:
    weights = seen.query.weights.values()
    return sum(weights) / len(weights) / math.log(1 + (seen.query.rows + 0.5) / 0.5) if weights else 1.0


def _surprise(seen: Evidence) -> float:
    return seen.most("titled") * sum(seen.query.weights.values()) - math.log(seen.query.rows + 1)


def _content(seen: Evidence) -> float:
    """Share of the weight of content words that one row's title and window hold."""
    weights = {stem: seen.query.weights[stem] for stem in seen.query.content}
    shares = (seen.matcher.share(weights, one.window.holds | seen.matcher.holds([one.row.title])[0]) for one in seen.ranked)
    return max(shares, default=0.0) if weights else 0.5


def _unseen(seen: Evidence) -> float:
    weights = seen.query.weights
    return seen.matcher.share(weights, seen.query.unseen)


def _margin(seen: Evidence) -> float:
    return seen.ranked[0].score - seen.ranked[-1].score if seen.ranked else 0.0


def _size(seen: Evidence) -> float:
    return math.log(max(seen.query.rows, TINIEST) / USUAL)


FEATURES: Final[dict[str, Callable[[Evidence], float]]] = {
    "said": lambda seen: seen.most("said"),
    "titled": lambda seen: seen.most("titled"),
    "best": lambda seen: seen.most("best"),
    "first": lambda seen: seen.ranked[0].features.get("titled", 0.0) if seen.ranked else 0.0,
    "content": _content,
    "nameless": _nameless,
    "exact": lambda seen: seen.most("exact") if seen.query.names else 0.5,
    "phrases": lambda seen: seen.most("phrases"),
    "rare": _rare,
    "unseen": _unseen,
    "surprise": _surprise,
    "margin": _margin,
    "near": lambda seen: seen.most("near"),
    "near_best": lambda seen: seen.most("near_best"),
    "near_title": lambda seen: seen.most("near_title"),
    "top": lambda seen: seen.ranked[0].score if seen.ranked else 0.0,
    "headed": lambda seen: seen.most("headed"),
    "value": lambda seen: float(seen.query.type in (AnswerType.NUMBER, AnswerType.DATE)),
    "person": lambda seen: float(seen.query.type is AnswerType.PERSON),
    "yes_no": lambda seen: float(seen.query.type is AnswerType.YES_NO),
    "given": lambda seen: seen.most("given"),
    "length": lambda seen: math.log(1 + len(seen.query.weights)),
    "large": lambda seen: max(0.0, _size(seen)),
    "tiny": lambda seen: max(0.0, -_size(seen)),
}
"""By name. Register a feature here and give it a coefficient in judge.json with `bench/fitting.py`."""

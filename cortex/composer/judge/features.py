"""The feature table of the judge: how well the first rows cover the question, and how far that may be chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cortex.composer.query.matching import Matcher
from cortex.composer.rank.features import stands_for
from cortex.composer.rank.likeness import Likeness
from cortex.composer.values import AnswerType, Query, Reason, Scored
from cortex.substrate.reading import STANDING

FIRST: Final = 6  # rows that are looked at: as many as an answer cites
KNOWN_BY_FORM: Final = (AnswerType.PERSON, AnswerType.DATE, AnswerType.NUMBER, AnswerType.REASON)
"""Answer types whose form tells whether a sentence may hold one."""


@dataclass(frozen=True)
class Evidence:
    """The first rows under the question."""

    query: Query
    ranked: Sequence[Scored]
    matcher: Matcher
    likeness: Likeness
    unfounded: bool = False

    @cached_property
    def titled(self) -> list[frozenset[str]]:
        """The question's stems in each title, and those that a record's number and date stand for."""
        held = self.matcher.holds([one.row.called for one in self.ranked])
        return [stems | stands_for(self.query, one.candidate) for stems, one in zip(held, self.ranked, strict=True)]

    @cached_property
    def shown(self) -> list[frozenset[str]]:
        """The question's stems in each title and window."""
        return [held | one.window.holds for held, one in zip(self.titled, self.ranked, strict=True)]

    def most(self, shares: Sequence[float]) -> float:
        """The largest of *shares*."""
        return max(shares, default=0.0)


def _weighed(seen: Evidence, stems: Sequence[str]) -> dict[str, float]:
    return {stem: seen.query.weights[stem] for stem in stems if stem in seen.query.weights}


def _nameless(seen: Evidence) -> float:
    names = _weighed(seen, [*seen.query.named])
    return 1.0 - seen.most([seen.matcher.share(names, held) for held in seen.shown]) if names else 0.0


def _rare(seen: Evidence) -> float:
    weights = seen.query.weights.values()
    return sum(weights) / len(weights) / math.log(1 + (seen.query.rows + 0.5) / 0.5) if weights else 1.0


def _said(seen: Evidence, *, giving: bool = False) -> float:
    """The most a sentence says of the question with the title above it; *giving*: one in the form asked for."""
    return seen.most([
        seen.matcher.likeness(titled | holds)
        for titled, one in zip(seen.titled, seen.ranked, strict=True)
        for holds, gives in one.window.stated
        if gives or not giving
    ])  # fmt: skip


def _first(seen: Evidence) -> float:
    """As `_said`, of the first row alone, in the form asked for."""
    stated = seen.ranked[0].window.stated if seen.ranked else ()
    known = seen.query.type in KNOWN_BY_FORM
    held = [seen.titled[0] | holds for holds, gives in stated if gives or not known]
    return seen.most([seen.matcher.likeness(one) for one in held])


def _shown(seen: Evidence) -> float:
    return seen.most([seen.matcher.likeness(held) for held in seen.shown])


def _surprise(seen: Evidence) -> float:
    return _shown(seen) * sum(seen.query.weights.values()) - math.log(seen.query.rows + 1)


FEATURES: Final[dict[str, Callable[[Evidence], float]]] = {
    "said": _said,
    "giving": lambda seen: _said(seen, giving=seen.query.type in KNOWN_BY_FORM),
    "first": _first,
    "nameless": _nameless,
    "rare": _rare,
    "rarest": lambda seen: max(seen.query.weights.values(), default=0.0),
    "unseen": lambda seen: seen.matcher.share(seen.query.weights, seen.query.unseen),
    "surprise": _surprise,
    "margin": lambda seen: seen.ranked[0].score - seen.ranked[-1].score if seen.ranked else 0.0,
    "near_title": lambda seen: seen.most(seen.likeness.of([one.row.called for one in seen.ranked])),
    "value": lambda seen: float(seen.query.type in (AnswerType.NUMBER, AnswerType.DATE)),
    "person": lambda seen: float(seen.query.type is AnswerType.PERSON),
    "standing": lambda seen: float(bool(seen.ranked) and seen.ranked[0].row.type in STANDING),
    "ruled": lambda seen: float(
        seen.query.type is AnswerType.YES_NO and bool(seen.ranked) and seen.ranked[0].row.type == "directive"
    ),
    "thread": lambda seen: float(any(one.candidate.reason is Reason.NAMED for one in seen.ranked)),
    "listed": lambda seen: float(any(one.candidate.reason is Reason.LISTED for one in seen.ranked)),
    "unfounded": lambda seen: float(seen.unfounded),
}
"""By name. Register a feature here and give it a coefficient in judge.json with `bench/fitting.py`."""

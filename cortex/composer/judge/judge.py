"""Judge whether the first rows answer the question: features, a logistic model over them, and a table of caps."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Final, NamedTuple

from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.rank.features import stands_for
from cortex.composer.values import AnswerType, Model, Query, Reason, Scored, Verdict
from cortex.packaged import files
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
    """Best likeness of a sentence with its title; with *giving*, of sentences in the form asked for."""
    return seen.most([
        seen.matcher.likeness(titled | holds)
        for titled, one in zip(seen.titled, seen.ranked, strict=True)
        for holds, gives in one.window.stated
        if gives or not giving
    ])  # fmt: skip


def _first(seen: Evidence) -> float:
    """As `_said`, for the first row only, in the form asked for."""
    stated = seen.ranked[0].window.stated if seen.ranked else ()
    known = seen.query.type in KNOWN_BY_FORM
    held = [seen.titled[0] | holds for holds, gives in stated if gives or not known]
    return seen.most([seen.matcher.likeness(one) for one in held])


def _shown(seen: Evidence) -> float:
    return seen.most([seen.matcher.likeness(held) for held in seen.shown])


def _surprise(seen: Evidence) -> float:
    return _shown(seen) * sum(seen.query.weights.values()) - math.log(seen.query.rows + 1)


def _asks_for(type_: AnswerType, seen: Evidence) -> float:
    return float(seen.query.type is type_)


TYPES: Final = tuple(AnswerType(name) for name in ("person", "date", "number", "name", "yes/no", "reason"))
"""Answer types that are answered more or less often than others that look as likely."""

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
    "standing": lambda seen: float(bool(seen.ranked) and seen.ranked[0].row.type in STANDING),
    "ruled": lambda seen: float(
        seen.query.type is AnswerType.YES_NO and bool(seen.ranked) and seen.ranked[0].row.type == "directive"
    ),
    "thread": lambda seen: float(any(one.candidate.reason is Reason.NAMED for one in seen.ranked)),
    "unfounded": lambda seen: float(seen.unfounded),
} | {type_.value: partial(_asks_for, type_) for type_ in TYPES}
"""By name. Register a feature here and give it a coefficient in judge.json with `bench/fitting.py`."""


UNKNOWN: Final = Verdict(0.0, "none")


class Cap(NamedTuple):
    """An override: bounds the likelihood where a feature lies in a range."""

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

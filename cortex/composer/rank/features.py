"""The feature table of the ranking: properties of a candidate, each a number near 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.query.types import asks, forms, gives
from cortex.composer.values import Candidate, Query, Reason, Window
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.reading import STANDING, Row


@dataclass(frozen=True)
class Seen:
    """A candidate with its question, as the features read it."""

    query: Query
    candidate: Candidate
    record: Mapping[str, Any]
    window: Window
    matcher: Matcher
    likeness: Likeness
    stemmer: Stemmer
    top: float
    newest: Mapping[int, float]

    @property
    def row(self) -> Row:
        """The candidate's row."""
        return self.candidate.row

    @cached_property
    def text(self) -> str:
        """The window as written."""
        return str(self.record["body"][self.window.span.start : self.window.span.end])

    @cached_property
    def best(self) -> str:
        """The best sentence as written."""
        return str(self.record["body"][self.window.best.start : self.window.best.end])

    @cached_property
    def titled(self) -> frozenset[str]:
        """The question's stems in the title, and those that the record's number and date stand for."""
        return self.matcher.holds([self.row.called])[0] | stands_for(self.query, self.candidate)

    @cached_property
    def heading(self) -> str:
        """The last heading of a document section, or the name that code defines; else ''."""
        if self.row.type == "code":  # of which a message has no name of its own
            name = self.row.called.removeprefix("async ").partition(" ")[0]
            return "" if name.endswith(":") else name.rpartition(".")[2]
        return self.row.title.rpartition(" › ")[2] if self.row.type == "doc" else ""


def stands_for(query: Query, candidate: Candidate) -> frozenset[str]:
    """The question's stems that a record matches by its number or its date."""
    day = candidate.row.day[:10]
    named = query.thread if candidate.reason is Reason.NAMED else frozenset()
    return named | (query.dates if any(after <= day < before for after, before in query.days) else frozenset())


Feature = Callable[[Seen], float]


def _headed(seen: Seen) -> float:
    """How closely the heading equals the question: it names all that is asked and nothing else, or asks the same."""
    return max(_equals(seen), seen.likeness.of([seen.heading])[0] if asks(seen.heading) else 0.0)


def _equals(seen: Seen) -> float:
    heading = split(seen.heading)
    if not heading:
        return 0.0
    form = forms().get(seen.query.type)
    if form and form.headings and form.headings.issuperset({*heading} - {"the"}):
        return seen.matcher.likeness(seen.titled)
    stems = {*seen.stemmer.stem(word for word in heading if word not in STOP_WORDS).values()}
    shared = stems & seen.query.stems
    return (len(shared) / len(stems) * seen.matcher.likeness(seen.titled)) ** 2 if shared else 0.0


def _rule(seen: Seen) -> float:
    if seen.row.type != "directive":
        return 0.0
    weights = {stem: seen.query.weights[stem] for stem in seen.query.content if stem in seen.query.weights}
    return min(1.0, seen.matcher.share(weights, seen.titled | seen.window.holds) / 0.7) if weights else 1.0


def _dated(seen: Seen) -> float:
    """1 if the record is of a time the question names, 0.4 if of the same year."""
    day = seen.row.day[:10]
    return max(
        (1.0 if after <= day < before else 0.4 * (day[:4] == after[:4]) for after, before in seen.query.days),
        default=0.0,
    )


def _exact(seen: Seen) -> float:
    names, text = seen.query.names, f"{seen.row.title}\n{seen.text}"
    return sum(map(partial(_writes, text), names)) / len(names) if names else 0.0


def _writes(text: str, name: str) -> bool:
    """Whether *text* contains *name* as written; a called name matches whole: 'echo(' not in 'self._echo('."""
    if not name.endswith("("):
        return name in text
    return re.search(rf"\b{re.escape(name)}", text) is not None


FEATURES: Final[dict[str, Feature]] = {
    "found": lambda seen: seen.candidate.fused / seen.top,
    "linked": lambda seen: float(bool(seen.candidate.relation)),
    "titled": lambda seen: seen.matcher.likeness(seen.titled | seen.window.holds),
    "exact": _exact,
    "given": lambda seen: float(gives(seen.query.type, seen.text)),
    "dated": _dated,
    "headed": _headed,
    "rule": _rule,
    "asks": lambda seen: float(asks(seen.best) or (seen.row.type == "issue" and asks(seen.row.title))),
    "authority": lambda seen: seen.row.authority,
    "standing": lambda seen: float(seen.row.type in STANDING),
    "commit": lambda seen: float(seen.row.type == "commit"),
    "comment": lambda seen: float(seen.row.type == "comment"),
    "new": lambda seen: seen.newest.get(seen.row.record_id, 0.0),
    "unverified": lambda seen: float(bool(seen.row.unverified)),
    "member": lambda seen: float(seen.row.association in ("OWNER", "MEMBER", "COLLABORATOR")),
    "near_best": lambda seen: seen.likeness.of([seen.best])[0],
}
"""By name. Register a feature here and give it a weight in rank.json with `bench/fitting.py`."""


def newest(rows: Sequence[Row]) -> dict[int, float]:
    """Recency rank by record: 1 for the newest of the dated rows, 0 for the oldest."""
    dated = sorted({row.day for row in rows if row.day})
    places = {day: place / max(1, len(dated) - 1) for place, day in enumerate(dated)}
    return {row.record_id: places[row.day] for row in rows if row.day}

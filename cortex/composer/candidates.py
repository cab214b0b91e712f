"""Which of the rows that were found are ordered: those most like the question, before their records are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from cortex.composer.fuse import Fused
from cortex.composer.question import Question, likeness, stands_in_each
from cortex.composer.retrieve.reasons import LATEST
from cortex.composer.retrieve.takers import TOOK
from cortex.composer.rows import STANDING
from cortex.indexers.distill.deciding import decides
from cortex.language.stems import Stemmer

KEPT: Final = 30
"""That are ordered: those most like the question, by title and passage."""

STANDING_KEPT: Final = 4
"""Of these, documents and directives where there are so many, however like the question what people said is."""

_FIX: Final = re.compile(
    r"\b(?:which|what) (?:prs?|pulls?|pull requests?|commits?|changes?)\b[^?]{0,200}\b(?:fix|clos|resolv|address|solv)"
    r"|\bwhat (?:has )?(?:fixed|resolved|addressed|solved)\b"
    r"|\bis there (?:an?|any)\b[^?]{0,200}\b(?:fix|pr|pull request)\b",
    re.I,
)
_FIXED: Final = re.compile(
    r"\b(?:which|what) (?:issue|bug|ticket|problem|report)s?\b[^?]{0,80}\b(?:fix|clos|resolv|address|solv)", re.I
)
DECIDED: Final = frozenset(("decid", "decis"))


T = TypeVar("T")


class Looked(NamedTuple):
    """A row, how like the question it is, its share of the best score, and the stems of its title and its passage."""

    like: float
    fused: Fused
    found: float
    titled: frozenset[str]
    read: frozenset[str]


def look(question: Question, fused: Sequence[Fused], stemmer: Stemmer) -> list[Looked]:
    """Those of *fused*, best first, that are ordered, as they look before their records are read: the likest first."""
    fused = _about_named(question, fused)
    top = max((one.score for one in fused), default=0.0) or 1.0
    rows = [one.row for one in fused]
    held = stands_in_each(question, [text for row in rows for text in (row.title, row.text)], stemmer)
    looked = []
    for one, titled, read in zip(fused, held[::2], held[1::2], strict=True):
        like = one.score / top + likeness(question, titled | read) + likeness(question, read) / 2
        looked.append(Looked(like, one, one.score / top, titled, read))
    looked.sort(key=lambda row: (row.fused.relation not in ("done", "titled", "listing", TOOK), -row.like))
    late = late_standing(looked, KEPT, lambda one: one.fused)
    return [*looked[: KEPT - len(late)], *late]


def late_standing(rows: Sequence[T], most: int, fused: Callable[[T], Fused]) -> list[T]:
    """What says how things are and is not among the first *most* of *rows*, where few of those do."""
    if len(rows) <= most:
        return []
    among = sum(fused(one).row.type in STANDING for one in rows[:most])
    room = max(0, STANDING_KEPT - among)
    return [one for one in rows[most:] if fused(one).row.type in STANDING][:room] if room else []


def _about_named(question: Question, fused: Sequence[Fused]) -> Sequence[Fused]:
    """Only what a question lists, or the threads it names with their links when it asks only where they stand."""
    if listed := [one for one in fused if one.relation == "listed"]:
        return listed
    first = asked_relation(question)
    threads = {(one.row.source_id, one.row.about) for one in fused if one.relation == "named"}
    where_it_stands = question.told or (question.numbers and not question.rest)
    if not where_it_stands or not threads:
        return fused
    related = [
        one if one.relation else one._replace(relation="decided in")
        for one in fused
        if one.relation
        or (first == "decided in" and (one.row.source_id, one.row.about) in threads and decides(one.row.text))
    ]
    return [one._replace(score=one.score * (2 if one.relation == first else 1)) for one in related]


def asks_for_fix(question: Question) -> bool:
    """Whether what fixed a thread is asked for, which it names."""
    return bool(question.numbers) and _FIX.search(question.text) is not None


def asks_for_fixed(question: Question) -> bool:
    """Whether it asks which issue was fixed by what it names."""
    return bool(question.numbers) and _FIXED.search(question.text) is not None


def asked_relation(question: Question) -> str:
    """Of a thread that is named, what is asked for: that, or what fixed or decided it, or was said last."""
    if question.numbers and LATEST.search(question.text):
        return "said last"
    if asks_for_fix(question) or "fix" in question.weights:
        return "fixed by"
    return "decided in" if question.numbers and not DECIDED.isdisjoint(question.weights) else "named"

"""Typed queries over metadata: which issues are open, whose pull requests were merged in a month, who owns a path."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.changes import find_changes
from cortex.composer.retrieve.decided import find_became
from cortex.composer.retrieve.filter_words import EVERY
from cortex.composer.retrieve.filters import MOST, Filter, read_filter
from cortex.composer.retrieve.history import find_commits
from cortex.composer.retrieve.kept import compares, find_kept
from cortex.composer.retrieve.list_wording import asks_uncounted
from cortex.composer.retrieve.listing import listed
from cortex.composer.retrieve.owners import OVERRIDDEN, find_owners
from cortex.composer.retrieve.people import find_decided
from cortex.composer.retrieve.releases import find_releases
from cortex.composer.retrieve.said import find_said, reviewers, speakers
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_LISTS: Final = (find_commits, find_changes, find_became, find_kept, find_decided, find_releases)
_LEADING: Final[Mapping[str, str]] = MappingProxyType(
    {"created": "author", "merged": "merged_by", "closed": "closed_by"}
)
_REVIEWING: Final = re.compile(r"\b(?:approv|review)\w*", re.I)
_NEGATED: Final = re.compile(r"\b(?:not|never|nobody|no one|without|yet to)\b|n[’']t\b", re.I)
_REVIEWED: Final = re.compile(
    r"\b(?:who|whom|by|was|were|is|has|have|did)\b[^?]{0,80}?"
    r"\b(?:(?P<approved>approv\w*)|(?P<changes>request\w* changes|changes requested)|review\w*)\b",
    re.I,
)


class Listed(NamedTuple):
    """Records that a question asks for by what is known of them, best first; none where it asks by what they say.

    Attributes:
        filter: what it asks of records; None where it asks for none.
        known: what it asks for is known as a list of its own, be it empty.
        unsure: what was found is of more than is asked, or tells one of all that are asked for.
    """

    found: list[Fused]
    filter: Filter | None = None
    known: bool = False
    unsure: bool = False

    def is_whole(self, question: Question) -> bool | None:
        """Whether nothing but what is known of records is asked; None where it asks for no records.

        Where it asks for those of a time that is not understood no words tell which.
        """
        if self.known or asks_uncounted(question.text):
            return True
        return None if self.filter is None else bool(self.filter.untimely) or not self.filter.unexplained

    def of_its_time(self, fused: Sequence[Fused]) -> list[Fused]:
        """Of *fused* what is of the time that the question asks for, where it asks for records of one; else all."""
        return [one for one in fused if self.filter is None or self.filter.is_of_its_time(one.row.day)]


def find_by_metadata(brain: Brain, question: Question, *, sources: Sequence[int]) -> Listed:
    """The records that the question asks for by what is known of them."""
    for find in _LISTS:
        told = find(brain, question, sources=sources)
        if told is not None:
            return Listed(told, known=True, unsure=any(not one.covered for one in told))
    owning = find_owners(brain, question, sources=sources)
    if owning.relation == OVERRIDDEN:
        return Listed([], known=True)
    of_threads = [*owning.found, *_reviews(brain, question, sources)]
    found: list[tuple[int, int | None, int]] = [(*one, 0) for one in of_threads]
    filter_ = read_filter(brain, question, sources)
    if filter_ and not filter_.unexplained and not filter_.unclear:
        found += _listed(brain, question, filter_)
    said = [] if reviewers(question) and of_threads else find_said(brain, question, sources=sources)
    by = "reviews on GitHub" if filter_ and _verdict(filter_) else ""
    of = _LEADING.get(filter_.most, "") if filter_ else ""
    told = listed(brain, found, as_of=question.as_of, relation=owning.relation)
    told = [one._replace(total_by=by, total_of=of) for one in told]
    told = told or ([] if said else _none(brain, question, filter_))
    return Listed(said + told, filter_, unsure=owning.wider or (not told and compares(question)))


def not_reviewed(text: str) -> bool:
    """Whether *text* asks who has not reviewed."""
    return _REVIEWING.search(text) is not None and _NEGATED.search(text) is not None


def asks_who_reviewed(question: Question) -> bool:
    """Whether it asks who reviewed something, or approved it."""
    return question.type == "person" and _REVIEWED.search(question.text) is not None


def _listed(brain: Brain, question: Question, filter_: Filter) -> list[tuple[int, int | None, int]]:
    """The records that *filter_* leaves; how many there are where the question asks it, else 0."""
    values = filter_._asdict() | {"as_of": min(filter(None, (question.as_of, filter_.at)), default="")}
    for told, whom in (("", filter_.people), ("not_", filter_.others)):
        values |= {
            f"{told}{role}": json.dumps(whom.get(role, ())) for role in ("created", "merged", "closed", "assigned")
        }
    values |= {f"any_{one}": filter_.has.get(one) for one in ("assigned", "labelled", "fixed")}
    verdict = _verdict(filter_)
    reviewers = json.dumps(filter_.people.get(verdict, ()))
    values |= {"verdict": verdict, "reviewers": reviewers, "given": filter_.has.get(verdict, True)}
    values |= {name: json.dumps(values[name]) for name in ("states", "labels", "unlabelled", "sources")}
    values = {
        name: value
        for name, value in values.items()
        if name not in ("people", "others", "has", "unexplained", "unclear", "untimely", "at")
    }
    rows = brain.db.execute(sql("records_by_metadata"), values).fetchall()
    counted = bool(question.counted or filter_.most)
    return [(record, fact, total * counted) for record, fact, total in rows]


def _none(brain: Brain, question: Question, filter_: Filter | None) -> list[Fused]:
    """The newest record of a type, where it is sure that none of it is as it is counted; else nothing.

    That is by state, by who made it and by a time of which the brain tells: who closed it no export need tell.
    """
    if filter_ is None or not question.counted or filter_.unexplained or filter_.unclear or not _is_plain(filter_):
        return []
    every = filter_._replace(states=(), people={}, since="", until="", dated="", oldest=False, limit=1)
    known = _listed(brain, question, every) if _listed(brain, question, every._replace(until=filter_.until)) else []
    newest = listed(brain, [(record, fact, 0) for record, fact, _ in known], as_of=question.as_of)
    return [one._replace(none=True) for one in newest if one.row.day >= filter_.since]


def _is_plain(filter_: Filter) -> bool:
    """Whether it asks by state, by who made it and when, and by nothing else."""
    more = (filter_.others, filter_.labels, filter_.unlabelled, filter_.has, filter_.most, filter_.each, filter_.at)
    plain = EVERY.issuperset(filter_.states) and {"created"}.issuperset(filter_.people)
    return plain and filter_.reverted is None and not any(more)


def _verdict(filter_: Filter) -> str:
    """The verdict of reviews by which it asks; '' where it does not."""
    asked = (*filter_.people, *filter_.has)
    return next((one for one in ("changes_requested", "approved", "reviewed") if one in asked), "")


def _reviews(brain: Brain, question: Question, sources: Sequence[int]) -> list[tuple[int, int | None]]:
    """Verdicts on the pull requests that the question names, the latest first, then reviews; each reviewer's last."""
    asked = _REVIEWED.search(question.text) if question.numbers else None
    if asked is None or question.type == "reason" or not_reviewed(question.text):
        return []
    values = {
        "refs": json.dumps([f"pull:{number}" for number in question.numbers]), "sources": json.dumps([*sources]),
        "state": "approved" if asked["approved"] else "changes_requested" if asked["changes"] else "",
        "who": json.dumps([*(reviewers(question) or speakers(question))]), "as_of": question.as_of, "limit": MOST,
    }  # fmt: skip
    return brain.db.execute(sql("reviews_of_pulls"), values).fetchall()

"""Typed queries over metadata: which issues are open, whose pull requests were merged in a month, who owns a path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import MONTHS, Question
from cortex.composer.rows import load_facts, load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.owners import owners_of
from cortex.substrate.statements import sql
from cortex.substrate.stems import split

MOST: Final = 6

_LISTED: Final = re.compile(
    r"\b(?:which|what|list|show|any|how many)\b.*?\b(?P<type>issues|bugs|tickets|pull requests|pulls|prs)\b",
    re.I,
)
_STATES: Final = {
    "open": ("open",),
    "closed": ("closed", "merged"),
    "merged": ("merged",),
    "unmerged": ("open", "closed"),
}
_ASSIGNED: Final = re.compile(r"\bassigned\b", re.I)
_FILLER: Final = frozenset(
    """which what list show any how many are is were was have has been the of in on by to with labelled labeled label
    assigned there still that still did do does project repository all me we our currently now write written wrote
    author authored report reported opened made filed""".split()
)
_WORD: Final = re.compile(r"[^\W_](?:[\w-]*[^\W_])?")  # a login may hold hyphens
_OWN: Final = re.compile(r"['’]s\b")
_PATH: Final = re.compile(r"(?<![\w/])(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.[a-z]{1,4}\b")
_OWNED: Final = re.compile(r"\b(?:own|owns|owner|owners|maintain|maintains|maintainers?|responsible)\b", re.I)


_REVIEWED: Final = re.compile(
    r"\b(?:who|whom|by)\b.*?"
    r"\b(?:(?P<approved>approv\w*)|(?P<changes>request\w* changes|changes requested)|review\w*)\b",
    re.I,
)


class Filter(NamedTuple):
    """What records are asked for, and the words of the question that no part of it explains."""

    type: str
    states: tuple[str, ...]
    authors: tuple[str, ...]
    assignees: tuple[str, ...]
    labels: tuple[str, ...]
    day: str
    unexplained: tuple[str, ...]


def find_by_metadata(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """Records that the question asks for by what is known of them, best first; none where it asks by what they say."""
    told = [*_owners(brain, question, sources), *_reviews(brain, question, sources)]
    found: list[tuple[int, int | None, int]] = [(*one, 0) for one in told]
    filter_ = read_filter(brain, question, sources)
    if filter_ and not filter_.unexplained:
        values = filter_._asdict() | {"sources": json.dumps(list(sources)), "limit": MOST, "as_of": question.as_of}
        for name in ("states", "authors", "assignees", "labels"):
            values[name] = json.dumps(values[name])
        found += brain.db.execute(sql("records_by_metadata"), values)
    firsts = load_firsts(brain, [record for record, *_ in found], as_of=question.as_of)
    facts = load_facts(brain, [fact for _, fact, _ in found if fact is not None], as_of=question.as_of)
    return [
        Fused(0.0, 1.0, firsts[record], facts.get(fact) if fact is not None else None, "listed", total)
        for record, fact, total in found
        if record in firsts
    ]


def read_filter(brain: Brain, question: Question, sources: Sequence[int]) -> Filter | None:
    """The filter a question like 'which issues by ada are open?' describes; None when it is no such question."""
    match = _LISTED.search(question.text)
    if not match or question.numbers:
        return None
    said = _WORD.findall(_OWN.sub("", question.text.lower()))
    words = [word for word in said if word not in _FILLER and word not in split(match["type"])]
    known = _known(brain, words, sources)
    done = {"open"} if "did" in said else set()  # 'which did ada open' asks who opened them
    states = tuple(state for word in words if word not in done for state in _STATES.get(word, ()))
    people = tuple(name for word in words for name in known.get(("person", word), ()))
    labels = tuple(name for word in words for name in known.get(("label", word), ()))
    dates = {part for day in question.days for part in (day, *day.split("-"))} | set(_months(question))
    explained = {*_STATES, *dates, *(word for kind, word in known)}
    assigned = bool(_ASSIGNED.search(question.text))
    return Filter(
        type="issue" if match["type"].lower() in ("issues", "bugs", "tickets") else "pull",
        states=states,
        authors=() if assigned else people,
        assignees=people if assigned else (),
        labels=labels,
        day=question.days[0] if question.days else "",
        unexplained=tuple(word for word in words if word not in explained) if words or question.days else ("",),
    )


def _owners(brain: Brain, question: Question, sources: Sequence[int]) -> list[tuple[int, int | None]]:
    if not _OWNED.search(question.text):
        return []
    paths = [path.strip("/") for path in _PATH.findall(question.text)]
    owners = [owner for path in paths for owner in owners_of(brain, path, sources=sources)]
    owners.sort(key=lambda owner: not owner.of.strip("*/"))  # last whose everything is
    handles = [owner.handle for owner in owners]
    found = brain.db.execute(sql("facts_by_handle"), {"handles": json.dumps(handles)})
    by_handle = {handle: (record, fact) for handle, record, fact in found}
    return [by_handle[handle] for handle in handles if handle in by_handle]


def _reviews(brain: Brain, question: Question, sources: Sequence[int]) -> list[tuple[int, int | None]]:
    """Verdicts on the pull requests that the question names, the latest first; each reviewer's last."""
    asked = _REVIEWED.search(question.text) if question.numbers else None
    if asked is None:
        return []
    values = {
        "refs": json.dumps([f"pull:{number}" for number in question.numbers]), "sources": json.dumps([*sources]),
        "state": "approved" if asked["approved"] else "changes_requested" if asked["changes"] else "",
        "as_of": question.as_of, "limit": MOST,
    }  # fmt: skip
    return brain.db.execute(sql("reviews_of_pulls"), values).fetchall()


def _known(brain: Brain, words: Iterable[str], sources: Sequence[int]) -> dict[tuple[str, str], list[str]]:
    """Which of *words* are people or labels of the sources, as these write them."""
    asked = {"words": json.dumps([*words]), "sources": json.dumps(list(sources))}
    known: dict[tuple[str, str], list[str]] = {}
    for kind, word, name in brain.db.execute(sql("known_names"), asked):
        known.setdefault((kind, word), []).append(name)
    return known


def _months(question: Question) -> list[str]:
    named = any("-" in day for day in question.days)
    return [word for word in split(question.text) if named and word in MONTHS]

"""Typed queries over metadata: which issues are open, whose pull requests were merged in a month, who owns a path."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.filters import MOST, Filter, read_filter
from cortex.composer.retrieve.said import find_said
from cortex.composer.rows import load_facts, load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.owners import Owner, owner_lines
from cortex.substrate.paths import owners_at
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.statements import sql
from cortex.substrate.stems import split

MOST_OF_TOPIC: Final = 2
"""Owners of a topic beside what else tells of it."""

_PATH: Final = re.compile(r"(?<![\w/])/?(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.[a-z]{1,4}\b")
_OWNED: Final = re.compile(r"\b(?:own|owns|owner|owners|maintain|maintains|maintainers?|responsible)\b", re.I)


_OWNS: Final = re.compile(r"\b(?:owns|owned by|owners?|maintain(?:s|ed by|ers?)|responsible for)\b", re.I)
_GENERIC: Final = frozenset(
    """folder folders directory directories code codebase module package component file files path area part subsystem
    project repository repo currently now""".split()
)
_REVIEWED: Final = re.compile(
    r"\b(?:who|whom|by)\b[^?]{0,80}?"
    r"\b(?:(?P<approved>approv\w*)|(?P<changes>request\w* changes|changes requested)|review\w*)\b",
    re.I,
)


def find_by_metadata(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """Records that the question asks for by what is known of them, best first; none where it asks by what they say."""
    owners, relation = _owners(brain, question, sources)
    told = [*owners, *_reviews(brain, question, sources)]
    found: list[tuple[int, int | None, int]] = [(*one, 0) for one in told]
    filter_ = read_filter(brain, question, sources)
    if filter_ and not filter_.unexplained and not filter_.unclear:
        found += _listed(brain, question, filter_)
    said = find_said(brain, question, sources=sources)
    firsts = load_firsts(brain, [record for record, *_ in found], as_of=question.as_of)
    facts = load_facts(brain, [fact for _, fact, _ in found if fact is not None], as_of=question.as_of)
    return said + [
        Fused(0.0, 1.0, firsts[record], facts.get(fact) if fact is not None else None, relation, total)
        for record, fact, total in found
        if record in firsts
    ]


def only_owning(brain: Brain, question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """Of *fused*, where owners of a topic are among them, these and what else tells of owning it."""
    if all(one.relation != "owns" for one in fused):
        return list(fused)
    topic = _topic(brain, question)
    told = [one for one in fused if one.relation != "owns" and _OWNS.search(one.row.text)]
    told = [one for one in told if topic <= brain.stemmer.among(topic, f"{one.row.title} {one.row.text}")]
    return [*(one for one in fused if one.relation == "owns"), *told]


def _listed(brain: Brain, question: Question, filter_: Filter) -> list[tuple[int, int | None, int]]:
    """The records that *filter_* leaves; how many there are where the question asks it, else 0."""
    values = filter_._asdict() | {"as_of": question.as_of}
    for told, whom in (("", filter_.people), ("not_", filter_.others)):
        values |= {
            f"{told}{role}": json.dumps(whom.get(role, ())) for role in ("created", "merged", "closed", "assigned")
        }
    values |= {f"any_{one}": filter_.has.get(one) for one in ("assigned", "labelled")}
    values |= {name: json.dumps(values[name]) for name in ("states", "labels", "unlabelled", "sources")}
    values = {
        name: value
        for name, value in values.items()
        if name not in ("people", "others", "has", "unexplained", "unclear", "untimely")
    }
    rows = brain.db.execute(sql("records_by_metadata"), values).fetchall()
    counted = bool(question.counted or filter_.most)
    return [(record, fact, total * counted) for record, fact, total in rows]


def _owners(brain: Brain, question: Question, sources: Sequence[int]) -> tuple[list[tuple[int, int | None]], str]:
    """Who owns the path that is asked for, or the topic, and what they are to the question.

    'owns' where it names a topic, of which other rows may tell more.
    """
    if not _OWNED.search(question.text):
        return [], "listed"
    paths = [path.strip("/") for path in _PATH.findall(question.text)]
    owners = [owner for path in paths for owner in owners_at(brain, path, sources=sources)]
    owners = owners if paths else _owners_of_topic(brain, question, sources)
    owners.sort(key=lambda owner: not owner.of.strip("*/"))  # last whose everything is
    handles = [owner.handle for owner in owners]
    found = brain.db.execute(sql("facts_by_handle"), {"handles": json.dumps(handles)})
    by_handle = {handle: (record, fact) for handle, record, fact in found}
    return [
        by_handle[handle] for handle in handles if handle in by_handle
    ], "listed" if paths or not handles else "owns"


def _owners_of_topic(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """Lines whose pattern or area has every word of what the question asks about; those that have little else first."""
    topic = _topic(brain, question)
    if not topic:
        return []
    lines = [
        (frozenset(brain.stemmer.sequence(" ".join(split(one.of)))), one) for one in owner_lines(brain, sources=sources)
    ]
    found = [(len(stems), one) for stems, one in lines if topic <= stems]
    return [one for _, one in sorted(found, key=lambda row: row[0])][:MOST_OF_TOPIC]


def _topic(brain: Brain, question: Question) -> frozenset[str]:
    words = [word for word in split(_OWNED.sub(" ", question.text)) if word not in STOP_WORDS | _GENERIC]
    return frozenset(brain.stemmer.sequence(" ".join(words)))


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

"""Typed queries over metadata: which issues are open, whose pull requests were merged in a month, who owns a path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
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
    r"\b(?:which|what|list|show|any|how many)\b[^?]{0,80}?\b(?P<type>issues|bugs|tickets|pull requests|pulls|prs)\b",
    re.I,
)
_STATES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "open": frozenset({"open"}),
        "closed": frozenset({"closed", "merged"}),
        "merged": frozenset({"merged"}),
        "unmerged": frozenset({"open", "closed"}),
        "reverted": frozenset({"merged", "closed"}),
    }
)
"""In which states a record may be that is called so; a question that says two means what is both."""

_UNMERGED: Final = re.compile(r"\b(?:without (?:being |having been )?merg(?:ed|ing)|(?:not|never) merged)\b")
_VERBS: Final = re.compile(
    r"\b(?:(?P<merged>merged?)|(?P<closed>closed?)|(?P<assigned>assigned)"
    r"|(?P<created>opened|open|reported|created|filed|written|wrote|authored|made|submitted))\b"
)
_BY: Final = re.compile(r"\b(?:by|to)\b")
_DID: Final = re.compile(r"\bdid\b")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_FILLER: Final = frozenset(
    """which what list show any how many are is were was have has been the of in on by to with labelled labeled label
    assigned there still that still did do does project repository all me we our currently now write written wrote
    author authored report reported opened made filed created submitted open merge close without being been
    not never""".split()
)
_WORD: Final = re.compile(r"[^\W_](?:[\w-]*[^\W_])?")  # a login may hold hyphens
_OWN: Final = re.compile(r"['’]s\b")
_PATH: Final = re.compile(r"(?<![\w/])/?(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.[a-z]{1,4}\b")
_OWNED: Final = re.compile(r"\b(?:own|owns|owner|owners|maintain|maintains|maintainers?|responsible)\b", re.I)


_REVIEWED: Final = re.compile(
    r"\b(?:who|whom|by)\b[^?]{0,80}?"
    r"\b(?:(?P<approved>approv\w*)|(?P<changes>request\w* changes|changes requested)|review\w*)\b",
    re.I,
)


class Filter(NamedTuple):
    """What records are asked for, and the words of the question that no part of it explains.

    Attributes:
        dated: what happened on that day: 'created', 'merged' or 'closed'; '' the last of these.
    """

    type: str
    states: tuple[str, ...]
    reverted: bool
    people: Mapping[str, tuple[str, ...]]
    labels: tuple[str, ...]
    day: str
    dated: str
    unexplained: tuple[str, ...]


def find_by_metadata(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """Records that the question asks for by what is known of them, best first; none where it asks by what they say."""
    told = [*_owners(brain, question, sources), *_reviews(brain, question, sources)]
    found: list[tuple[int, int | None, int]] = [(*one, 0) for one in told]
    filter_ = read_filter(brain, question, sources)
    if filter_ and not filter_.unexplained:
        values = filter_._asdict() | {"sources": json.dumps(list(sources)), "limit": MOST, "as_of": question.as_of}
        values |= {
            role: json.dumps(filter_.people.get(role, ())) for role in ("created", "merged", "closed", "assigned")
        }
        values |= {name: json.dumps(values[name]) for name in ("states", "labels")}
        del values["people"], values["unexplained"]
        found += brain.db.execute(sql("records_by_metadata"), values)
    firsts = load_firsts(brain, [record for record, *_ in found], as_of=question.as_of)
    facts = load_facts(brain, [fact for _, fact, _ in found if fact is not None], as_of=question.as_of)
    return [
        Fused(0.0, 1.0, firsts[record], facts.get(fact) if fact is not None else None, "listed", total)
        for record, fact, total in found
        if record in firsts
    ]


def is_list(brain: Brain, question: Question, *, sources: Sequence[int]) -> bool:
    """Whether the question asks for records by nothing but what is known of them."""
    filter_ = read_filter(brain, question, sources)
    return filter_ is not None and not filter_.unexplained


def read_filter(brain: Brain, question: Question, sources: Sequence[int]) -> Filter | None:
    """The filter a question like 'which issues by ada are open?' describes; None when it is no such question."""
    match = _LISTED.search(question.text)
    if not match or question.numbers:
        return None
    text = _UNMERGED.sub("unmerged", _OWN.sub("", question.text.lower()))
    said = _WORD.findall(text)
    words = [word for word in said if word not in _FILLER and word not in split(match["type"])]
    words += ["open"] if "open" in said and "did" not in said else []  # 'which did ada open' asks who opened them
    known = _known(brain, [*words, "bug"], sources)
    words += ["bug"] if match["type"].lower() == "bugs" and ("label", "bug") in known else []
    named = [_STATES[word] for word in words if word in _STATES]
    people = tuple(name for word in words for name in known.get(("person", word), ()))
    labels = tuple(name for word in words for name in known.get(("label", word), ()))
    dates = {part for day in question.days for part in (day, *day.split("-"))} | set(_months(question))
    explained = {*_STATES, *dates, *(word for kind, word in known)}
    return Filter(
        type="issue" if match["type"].lower() in ("issues", "bugs", "tickets") else "pull",
        states=tuple(frozenset.intersection(*named) or ("none",)) if named else (),
        reverted="reverted" in words,
        people={_role(text): people} if people else {},
        labels=labels,
        day=question.days[0] if question.days else "",
        dated=_dated(text) if question.days else "",
        unexplained=tuple(word for word in words if word not in explained) if words or question.days else ("",),
    )


def _role(text: str) -> str:
    """What those did who are named: in 'merged by ada' and 'did ada merge' they merged."""
    ends = [match.start() for match in _BY.finditer(text)]
    did = _DID.search(text)
    verbs = [*_VERBS.finditer(text, did.end())][:1] if did else [*_VERBS.finditer(text, 0, ends[-1])] if ends else []
    return (verbs[-1].lastgroup if verbs else None) or "created"


def _dated(text: str) -> str:
    """What happened on the day: the verb before it, else the last there is."""
    year = _YEAR.search(text)
    verbs = [match for match in _VERBS.finditer(text) if match.lastgroup != "assigned"]
    before = [match for match in verbs if year and match.end() <= year.start()]
    last = (before or verbs)[-1:]
    return (last[0].lastgroup if last else None) or "created"


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

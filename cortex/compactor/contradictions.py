"""Job 6, on request: pairs of facts that cannot both stand. A report: it changes nothing.

Told apart are a negation, another number, another choice, and what was taken back or replaced and stands all the
same. Rather few and right: two sentences must say the same of the same thing but for the one point, and a sentence
that weighs, asks or proposes disagrees with nothing, as that is how decisions come about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.compactor.sayings import saying
from cortex.substrate.brain import Brain
from cortex.substrate.identity import normalised
from cortex.substrate.model import Value
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.statements import sql

SUBJECT: Final = 0.8
"""Jaccard of what two sentences say beside the point they differ in."""
LEAST_WORDS: Final = 3
COMMON: Final = 300
"""Facts that a word may stand in and still lead to pairs."""

Ground = Literal["negation", "number", "choice", "superseded"]
_GRADE: Final[dict[Ground, float]] = {"superseded": 0.9, "choice": 0.8, "negation": 0.7, "number": 0.6}

_NEGATION: Final = re.compile(r"\b(?:not|never|cannot|no longer)\b|n['’]t\b", re.I)
_NUMBER: Final = re.compile(r"(?<![\w.#/-])\d+(?:[.,]\d+)?(?:\s?%)?(?![\w.-])")
_WEIGHED: Final = re.compile(
    r"\?|\b(?:consider\w*|maybe|perhaps|might|could|propos\w+|suggest\w*|wonder\w*|what if|should we|i think|i guess"
    r"|in my opinion|imho|was|were|used to|until|if|when|unless|once|either|these|this|that|it|such|otherwise)\b",
    re.I,
)
_NAME: Final = r"(?:[A-Z][\w.-]*|`[^`]+`)(?:\s[A-Z][\w.-]*)*"
_INSTEAD: Final = re.compile(
    rf"\b(?:[Uu]se|[Pp]refer|[Aa]dopt|[Ss]witch to)\s+(?P<new>{_NAME})\s+(?:.{{0,60}}?\s)?instead of\s+(?P<old>{_NAME})"
)
_RULING: Final = ("directive", "outcome")
_REQUIRED: Final = re.compile(r"\b(?:use|uses|is|are|must|always|only)\b", re.I)


class Side(Value):
    """One of two facts that disagree."""

    handle: str
    statement: str
    authority: float


class Contradiction(Value):
    """Two facts that cannot both stand."""

    source: str
    ground: Ground
    grade: float = Field(description="how sure that they disagree, 0 to 1")
    stands: Side = Field(description="the one that outranks: of higher authority, else the later, else what replaced")
    outranked: Side


class _Claim(NamedTuple):
    side: Side
    ref: str
    since: str
    sentence: str
    subject: frozenset[str]
    negated: bool
    numbers: frozenset[str]
    rules: bool


def contradictions(brain: Brain, sources: dict[int, str]) -> list[Contradiction]:
    """The contradictions within each of *sources*, the surest first."""
    found = []
    for source_id, source in sources.items():
        claims = [*_claims(brain.db.execute(sql("claims"), {"source_id": source_id}))]
        found += [*_superseded(brain, source_id, source), *_disagreeing(claims, source), *_choices(claims, source)]
    return sorted(found, key=lambda one: (-one.grade, one.stands.handle, one.outranked.handle))


def _claims(rows: Iterable[tuple[Any, ...]]) -> Iterator[_Claim]:
    for _, handle, statement, excerpt, authority, since, type_, author, thread, ref in rows:
        sentence = saying(statement, excerpt, type_, author, thread).sentence
        side = Side(handle=handle, statement=statement, authority=authority)
        numbers = frozenset(_NUMBER.findall(sentence))
        subject = frozenset(_subject(_NUMBER.sub(" ", _NEGATION.sub(" ", sentence))))
        negated = len(_NEGATION.findall(sentence)) % 2 == 1
        rules = type_ in _RULING and bool(_REQUIRED.search(sentence))
        yield _Claim(side, ref, since or "", sentence, subject, negated, numbers, rules)


def _subject(sentence: str) -> Iterator[str]:
    yield from (word for word in normalised(sentence).split() if word not in STOP_WORDS)


def _disagreeing(claims: list[_Claim], source: str) -> Iterator[Contradiction]:
    firm = [claim for claim in claims if len(claim.subject) >= LEAST_WORDS and not _WEIGHED.search(claim.sentence)]
    for one, other in _pairs(firm):
        if one.negated != other.negated and one.numbers == other.numbers:
            yield _contradiction("negation", one, other, source)
        elif (
            one.negated == other.negated
            and len(one.numbers) == len(other.numbers) == 1
            and one.numbers != other.numbers
        ):
            yield _contradiction("number", one, other, source)


def _pairs(claims: list[_Claim]) -> Iterator[tuple[_Claim, _Claim]]:
    """Claims of two records about the same thing."""
    having: defaultdict[str, list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        met = Counter(other for word in claim.subject if len(having[word]) <= COMMON for other in having[word])
        for other in met:
            common = len(claim.subject & claims[other].subject)
            if common >= SUBJECT * len(claim.subject | claims[other].subject) and claim.ref != claims[other].ref:
                yield claims[other], claim
        for word in claim.subject:
            having[word].append(place)


def _choices(claims: list[_Claim], source: str) -> Iterator[Contradiction]:
    """Who wants another thing instead of the named one that a weightier rule requires."""
    required = [claim for claim in claims if claim.rules and not _INSTEAD.search(claim.sentence)]
    for claim in claims:
        if not (wanted := _INSTEAD.search(claim.sentence)):
            continue
        old, new = (f" {normalised(wanted[name])} " for name in ("old", "new"))
        for rule in required:
            said = f" {normalised(rule.sentence)} "
            if rule.side.authority > claim.side.authority and old in said and new not in said:
                yield _contradiction("choice", rule, claim, source)


def _superseded(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    for old, said, new, says, _, weight, other in brain.db.execute(sql("still_standing"), {"source_id": source_id}):
        yield Contradiction(
            source=source, ground="superseded", grade=_GRADE["superseded"],
            stands=Side(handle=new, statement=says, authority=other),
            outranked=Side(handle=old, statement=said, authority=weight),
        )  # fmt: skip


def _contradiction(ground: Ground, one: _Claim, other: _Claim, source: str) -> Contradiction:
    low, high = sorted((one, other), key=lambda claim: (claim.side.authority, claim.since))
    return Contradiction(source=source, ground=ground, grade=_GRADE[ground], stands=high.side, outranked=low.side)

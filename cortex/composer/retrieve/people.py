"""What a question asks of somebody it names: whether they did something to a thread, and what they decided."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import tells_decision
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.retrieve.listing import told_by
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

MOST: Final = 6

_LOGIN: Final = r"@?(?P<{}>[^\W_](?:[\w-]*[^\W_])?)"
_DID: Final = re.compile(
    rf"^\W*(?:did|has|have|had)\s+{_LOGIN.format('did')}\s+(?:ever\s+|already\s+)?(?P<verb>\w+)\b"
    rf"|^\W*(?:was|is|has)\b[^?]*\b(?P<done>\w+)\s+(?:by|to)\s+{_LOGIN.format('by')}\W*$"
    rf"|^\W*(?:is|was)\s+{_LOGIN.format('is')}\s+(?P<being>assigned)\b",
    re.I,
)
_WHO_IS: Final = re.compile(r"^\W*[Ww]ho(?:['’]s| is| was)\s+@?(\w+-[\w-]+|[A-ZÀ-Þ]\w+(?:\s+[A-ZÀ-Þ]\w+)+)\W*$")

_WHO_OPENED: Final = re.compile(r"^\W*who (?:first |has )?(?:opened|reported|filed|raised)\b", re.I)
_DECIDED: Final = re.compile(
    rf"\bwhat\s+(?:did|has|have)\s+{_LOGIN.format('did')}\s+(?:ever\s+|already\s+)?decided?\W*$"
    rf"|\bwhat\s+(?:was|has been|were)\s+decided\s+by\s+{_LOGIN.format('by')}\W*$"
    rf"|\b(?:which|what)\s+decisions\s+(?:did|has|have)\s+{_LOGIN.format('took')}\s+(?:take|taken|make|made)\W*$",
    re.I,
)


def with_people(brain: Brain, question: Question, *, sources: Sequence[int]) -> Question:
    """*question* asking who did it, where it asks whether somebody did it whom the brain knows: 'did ada merge #4?'."""
    match = _DID.search(question.text) if question.numbers and question.rest else None
    if match is None or VERBS.get((match["verb"] or match["done"] or match["being"]).lower()) not in _TOLD:
        return question
    who = match["did"] or match["by"] or match["is"]
    if question.rest <= {*brain.stemmer.sequence(who)} and are_known(brain, [who.lower()], sources):
        return replace(question, type="person", rest=frozenset(), told=True)
    return question


_TOLD: Final = ("created", "merged", "closed", "assigned")


def asked_person(text: str) -> str:
    """Whom *text* names and asks who that is; '' where it asks for no such thing: nobody is called 'on-call'."""
    match = _WHO_IS.search(text)
    return match[1] if match and STOP_WORDS.isdisjoint(match[1].lower().split("-")) else ""


def is_not_told(question: Question, fused: Iterable[Fused]) -> bool:
    """Whether it asks who somebody is, and nothing of *fused* says that: that they are mentioned is no answer."""
    name = re.escape(asked_person(question.text))
    if not name:
        return False
    tells = re.compile(
        rf"@?{name}\b\W{{0,3}}\s*(?:is|was|leads?|runs?|maintains?|owns?|works?|\w+s\b|,|\(|:|–|—)"
        rf"|\b(?:is|was|are|lead|maintainer|owner|author|contact|engineer|manager|founder)s?:?\s+@?{name}\b",
        re.I,
    )
    texts = (one.row.text for one in fused if one.row.type not in ("pull", "issue", "commit", "event"))
    return not any(map(tells.search, texts))


def find_decided(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """Where somebody said what was decided, the latest first; None where that is not asked of one who is known."""
    match = _DECIDED.search(question.text)
    who = next(filter(None, match.groups()), "") if match else ""
    if not who or not are_known(brain, [who.lower()], sources):
        return None
    asked = {"who": who.lower(), "sources": json.dumps([*sources]), "as_of": question.as_of}
    said = brain.db.execute(sql("said_by"), asked)
    found = [record for record, body, noted in said if noted or tells_decision(body)][:MOST]
    return told_by(brain, found, as_of=question.as_of)


def are_known(brain: Brain, names: Iterable[str], sources: Sequence[int]) -> bool:
    """Whether somebody is called by one of *names*, in lower case."""
    asked = {"words": json.dumps([*names]), "sources": json.dumps([*sources])}
    return any(kind == "person" for kind, *_ in brain.db.execute(sql("known_names"), asked))


def asks_who_opened(text: str) -> bool:
    """Whether *text* asks who opened a thread, which its record tells, and nobody who speaks there.

    >>> asks_who_opened("Who reported that tills open?"), asks_who_opened("Who opens the tills?")
    (True, False)
    """
    return _WHO_OPENED.search(text) is not None

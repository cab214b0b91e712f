"""What somebody said, where a question asks for that: their own comments in a thread, and their words on a matter."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question, coverage, stands_in
from cortex.composer.retrieve.people import are_known
from cortex.composer.rows import load_firsts
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

MOST: Final = 6

_LOGIN: Final = r"@?(?P<{}>[^\W_](?:[\w-]{{0,60}}[^\W_])?)"  # of a bounded length: each place of a word is tried
_SAID: Final = re.compile(
    rf"\b(?:did|does|has|had)\s+{_LOGIN.format('did')}\s+(?:ever\s+)?(?:say|said|think|thought|argued?|suggest(?:ed)?"
    r"|proposed?|comment(?:ed)?|repl(?:y|ied)|answer(?:ed)?|object(?:ed)?|recommend(?:ed)?|mention(?:ed)?|explain(?:ed)?"
    r"|respond(?:ed)?|prefer(?:red)?)\b"
    rf"|\baccording to\s+{_LOGIN.format('as')}"
    rf"|\b(?:said|argued|suggested|proposed|commented|explained|mentioned|recommended)\s+by\s+{_LOGIN.format('by')}"
    rf"|{_LOGIN.format('own')}['’]s\s+(?:comment|opinion|view|argument|objection|suggestion|proposal|answer|reply|remark)"
    r"s?\b",
    re.I,
)


_REVIEWED: Final = re.compile(
    rf"\b(?:did|does|has|have|had)\s+{_LOGIN.format('did')}\s+(?:(?:and|or)\s+{_LOGIN.format('also')}\s+)?"
    r"(?:ever\s+|already\s+)?(?:(?:give|given)\s+(?:an?\s+)?)?"
    r"(?:re-?)?(?:review(?:ed)?|approv(?:e|ed|al)|n?acked|n?ack|request(?:ed)?\s+changes)\b"
    rf"|\b(?:reviewed|approved|n?acked|requested)\s+by\s+{_LOGIN.format('by')}(?:\s+(?:and|or)\s+{_LOGIN.format('too')})?",
    re.I,
)
_LOOKED: Final = re.compile(
    r"\b\w{0,3}ACK\b|\b(?:LGTM|lgtm|[Ll]ooks good|[Cc]ode[- ]review)\b"
    r"|\bI(?:['’]ve| have)?(?: \w+)? (?:reviewed|approved?)\b|^\W*(?:[Rr]eviewed|[Aa]pproved?)\b"
)
"""What a comment has whose author looked at the change, as people told it before there were reviews."""

_NOBODY: Final = frozenset("anyone anybody someone somebody everyone everybody people team bot".split())


def reviewers(question: Question) -> frozenset[str]:
    """Whose review of a thread it asks about, in lower case; they need not be known."""
    asks = question.numbers and question.type in ("yes/no", "date", "person")  # why they did their words tell
    found = _REVIEWED.finditer(question.text) if asks else ()
    return frozenset(name.lower() for match in found for name in match.groups() if name) - STOP_WORDS - _NOBODY


def speakers(question: Question) -> frozenset[str]:
    """Who it asks to hear, in lower case; they need not be known."""
    names = (name.lower() for match in _SAID.finditer(question.text) for name in match.groups() if name)
    return frozenset(names) - STOP_WORDS


def find_said(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """What they said in the threads that the question names; what bears on it first, then in its order."""
    looked = reviewers(question)
    names = looked or speakers(question)
    if not names or not question.numbers:
        return []
    asked = {"sources": [*sources], "refs": question.refs, "authors": [*names]}
    values = {name: json.dumps(one) for name, one in asked.items()}
    found = [record for (record,) in brain.db.execute(sql("said_in_threads"), values | {"as_of": question.as_of})]
    rows = load_firsts(brain, found, as_of=question.as_of)
    said = [rows[record] for record in found if record in rows]
    own = {(row.source_id, row.ref) for row in said}  # of their own change nobody's word is a review
    said = [row for row in said if not looked or ((row.source_id, row.about) not in own and _LOOKED.search(row.text))]
    placed = {number: places for number, places in question.places.items() if places}
    said = [row for row in said if row.source_id in placed.get(int(row.about.partition(":")[2]), (row.source_id,))]
    weights = {stem: question.weights[stem] for stem in question.rest}
    said.sort(key=lambda row: -coverage(weights, stands_in(question, row.text, brain.stemmer)))
    return [Fused(0.0, 1.0, row, None, "listed") for row in said[:MOST]]


def only_said(brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]) -> list[Fused]:
    """Of *fused* what those said whom the question asks to hear, none where they are known and said none of it."""
    if reviewers(question):
        return []  # no review of theirs, and no word of one
    names = speakers(question)
    if not names:
        return list(fused)
    own = [] if question.numbers else [one for one in fused if one.row.author.lower() in names]
    own = _on_the_matter(brain, question, own, names)
    return own if own or are_known(brain, names, sources) else list(fused)


def _on_the_matter(brain: Brain, question: Question, own: Sequence[Fused], names: frozenset[str]) -> list[Fused]:
    """Those of *own* that have all it is about, listed, first those that say it themselves; else those with some."""
    spoken = " ".join([*names, *(match[0] for match in _SAID.finditer(question.text))])
    topic = question.rest - frozenset(brain.stemmer.sequence(spoken))
    if not topic:
        return list(own)
    said, has = [], []
    for one in own:
        text = stands_in(question, one.row.text, brain.stemmer)
        has.append(topic & (text | stands_in(question, one.row.title, brain.stemmer)))
        said.append(topic <= text)
    whole = [(not said_, one) for one, said_, held in zip(own, said, has, strict=True) if held == topic and one.passage]
    if not whole:
        return [one for one, held in zip(own, has, strict=True) if held]
    listed = [one for _, one in sorted(whole, key=lambda row: row[0])][:MOST]
    return [one._replace(score=1.0 - place / 100, fact=None, relation="listed") for place, one in enumerate(listed)]

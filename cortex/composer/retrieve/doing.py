"""Who made a change that a question calls by its title, or when: what is known of the pull request or the commit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from cortex.composer.fuse import NAMED, Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.aside import ASIDE
from cortex.composer.retrieve.merge_titles import TAKES, tells_bringing, tells_taking
from cortex.composer.rows import Row, load_facts, load_firsts
from cortex.indexers.distill.deciding import decides
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

LOOKED_AT: Final = 20
MOST: Final = 2

_DOING: Final = (
    "wrote written write add added remove removed introduce introduced implement implemented create created make made "
    "fix fixed merge merged drop dropped replace replaced port ported switch switched land landed build built change "
    "changed"
)
_ADDING: Final = "add adds added implement implements implemented introduce introduces introduced new"
_DECIDING: Final = "choose chose chosen pick picked adopt adopted decide decided select selected"
_MADE: Final = re.compile(
    r"^\W*(?:who|when)(?:\s+[\w-]+){0,12}?\s+"
    rf"(?:(?P<decided>{'|'.join(_DECIDING.split())})|(?P<did>{'|'.join(_DOING.split())}))\b",
    re.I,
)

AREA: Final = re.compile(r"^[\w()/., -]{1,40}:\s+")
"""What a title begins with that tells where it is: 'docs: '."""

_TAKES_OUT: Final = re.compile(rf"\W*{TAKES}\b", re.I)
_DECISION: Final = re.compile(
    r"^[^\w\n]*+(?:decision|decided|agreed|resolved|conclusion)\b[^.\n]{0,40}:"
    r"|\bwe(?:['’]ll| will)? (?:go|went) with\b",
    re.I | re.M,
)


def tells_decision(text: str) -> bool:
    """Whether somebody says what was decided, also in words that tell so only where one asks who did, when or why."""
    return decides(text) or _DECISION.search(text) is not None


def put_done_first(brain: Brain, question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """*fused*, where it asks who did something or when, after the change whose title says all of it, as 'done'."""
    if question.type not in ("person", "date") or question.numbers or question.hashes or question.latest:
        return [*fused]
    match = _MADE.search(question.text)
    if match is None or any(one.relation in ("listed", "owns", "done") for one in fused):
        return [*fused]
    if "merg" in question.stems:  # told of what brought the thing, and of no other change of it
        return [*fused]
    topic = question.stems - {*brain.stemmer.sequence(f"{_DOING} {_DECIDING}")} - question.dates
    tells = _decides if match["decided"] else _does
    who = question.type == "person"
    done = [one for one in fused[:LOOKED_AT] if tells(one.row) and (one.row.author if who else one.row.day)]
    done = [one for one in done if topic and _is_of(one.row, topic, brain.stemmer)]
    done = [one for one in done if not match["did"] or _may_do(one.row.title, match["did"])]
    if not match["decided"]:
        adds = {*brain.stemmer.sequence(_ADDING)} | (question.stems - topic)
        done.sort(key=lambda one: not brain.stemmer.among(adds, one.row.title))
    if not done or (len(topic) == 1 and len(done) > 1 and not match["decided"]):
        return [*fused]
    return as_done(brain, question, done[:MOST], fused)


def after_done(
    brain: Brain, question: Question, told: Sequence[int], fused: Sequence[Fused], known: Mapping[int, Fused]
) -> list[Fused]:
    """*fused* after the records *told*, as 'done', in their order, scored as what is named; a *known* one as it is."""
    rows = load_firsts(brain, told, as_of=question.as_of)
    first = [known.get(id_, Fused(0.0, 0.0, rows[id_], None)) for id_ in told if id_ in rows]
    top = NAMED * max((one.score for one in fused), default=1.0)
    scored = [one._replace(score=top * (len(first) - place)) for place, one in enumerate(first)]
    return as_done(brain, question, scored, fused) if scored else [*fused]


def as_done(brain: Brain, question: Question, done: Sequence[Fused], fused: Sequence[Fused]) -> list[Fused]:
    """*fused* after *done*, each of these with the fact that tells where it stands."""
    told = {one.row.record_id: one for one in done}
    asked = {"ids": json.dumps([record for record, one in told.items() if _does(one.row)])}
    standing = {record: fact for record, fact in brain.db.execute(sql("standing_facts"), asked) if fact is not None}
    facts = load_facts(brain, [*standing.values()], as_of=question.as_of)
    first = [one._replace(relation="done", fact=facts.get(standing.get(record, 0))) for record, one in told.items()]
    return [*first, *(one for one in fused if one.row.record_id not in told)]


def _does(row: Row) -> bool:
    """Whether a row is of a change that was made."""
    return row.type == "commit" or (row.type, row.state) == ("pull", "merged")


def _may_do(title: str, verb: str) -> bool:
    """Whether a change titled so may be what *verb* says: who took a thing out did not bring it."""
    if tells_taking(verb):
        return tells_taking(title)
    return not tells_bringing(verb) or _TAKES_OUT.match(AREA.sub("", title)) is None


def _decides(row: Row) -> bool:
    """Whether a row is a decision that stands, or tells of one."""
    stands = row.type in ("doc", "directive") and row.state == "accepted"
    return stands or (row.type == "comment" and tells_decision(row.text))


def _is_of(row: Row, topic: AbstractSet[str], stemmer: Stemmer) -> bool:
    """Whether a decision has all of *topic*, or the title of a change has it as what it does that to.

    'Add the LoRa driver' is of the driver, 'Add tests of the LoRa driver' is not.
    """
    if not _does(row):
        return topic <= stemmer.among(topic, f"{row.title} {row.text}")
    if ASIDE.search(row.title):
        return False
    words = (word for word in split(AREA.sub("", row.title)) if word not in STOP_WORDS)
    stems = stemmer.sequence(" ".join(words))
    return any(topic == {*stems[at : at + len(topic)]} for at in (0, 1))

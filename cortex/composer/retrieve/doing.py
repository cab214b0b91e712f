"""Who made a change that a question calls by its title, or when: what is known of the pull request or the commit."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import Row, load_facts
from cortex.indexers.distill.deciding import decides
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

LOOKED_AT: Final = 20
MOST: Final = 2

_DOING: Final = (
    "wrote written write add added remove removed introduce introduced implement implemented create created make made "
    "fix fixed merge merged drop dropped replace replaced port ported switch switched land landed build built change "
    "changed"
)
_DECIDING: Final = "choose chose chosen pick picked adopt adopted decide decided select selected"
_MADE: Final = re.compile(
    r"^\W*(?:who|when)(?:\s+[\w-]+){0,12}?\s+"
    rf"(?:(?P<decided>{'|'.join(_DECIDING.split())})|{'|'.join(_DOING.split())})\b",
    re.I,
)


_DECISION: Final = re.compile(
    r"^\W*(?:decision|decided|agreed|resolved|conclusion)\b[^.\n]{0,40}:|\bwe(?:['’]ll| will)? (?:go|went) with\b",
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
    if match is None or any(one.relation in ("listed", "owns") for one in fused):
        return [*fused]
    topic = question.stems - {*brain.stemmer.sequence(f"{_DOING} {_DECIDING}")} - question.dates
    tells = _decides if match["decided"] else _does
    who = question.type == "person"
    done = [one for one in fused[:LOOKED_AT] if tells(one.row) and (one.row.author if who else one.row.day)]
    done = [one for one in done if topic and topic <= brain.stemmer.among(topic, _of(one.row))]
    if not done or (len(topic) == 1 and len(done) > 1 and not match["decided"]):
        return [*fused]
    told = {one.row.record_id: one for one in done[:MOST]}
    asked = {"ids": json.dumps([record for record, one in told.items() if _does(one.row)])}
    standing = {record: fact for record, fact in brain.db.execute(sql("standing_facts"), asked) if fact is not None}
    facts = load_facts(brain, [*standing.values()], as_of=question.as_of)
    first = [one._replace(relation="done", fact=facts.get(standing.get(record, 0))) for record, one in told.items()]
    return [*first, *(one for one in fused if one.row.record_id not in told)]


def _does(row: Row) -> bool:
    """Whether a row is of a change that was made."""
    return row.type in ("pull", "commit") and row.state in ("merged", "")


def _decides(row: Row) -> bool:
    """Whether a row is a decision that stands, or tells of one."""
    stands = row.type in ("doc", "directive") and row.state == "accepted"
    return stands or (row.type == "comment" and tells_decision(row.text))


def _of(row: Row) -> str:
    """What a row is about: of a change its title, of a decision also what it says."""
    return row.title if _does(row) else f"{row.title} {row.text}"

"""Who made a change that a question calls by its title, or when: what is known of the pull request or the commit."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import load_facts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

LOOKED_AT: Final = 20
MOST: Final = 2

_DOING: Final = (
    "wrote written write add added remove removed introduce introduced implement implemented create created make made "
    "fix fixed merge merged drop dropped replace replaced port ported switch switched land landed choose chose chosen "
    "pick picked adopt adopted build built change changed"
)
_MADE: Final = re.compile(
    rf"^\W*(?:who|when)\b(?:\s+(?:was|were|did|has|have|been|we|the|an?)\b|\s+[\w-]+)*?\s+\b(?:{'|'.join(_DOING.split())})\b",
    re.I,
)


def put_done_first(brain: Brain, question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """*fused*, where it asks who did something or when, after the change whose title says all of it, as 'done'."""
    if question.type not in ("person", "date") or question.numbers or question.hashes or question.latest:
        return [*fused]
    if any(one.relation in ("listed", "owns") for one in fused) or not _MADE.search(question.text):
        return [*fused]
    topic = question.stems - {*brain.stemmer.sequence(_DOING)} - question.dates
    done = [one for one in fused[:LOOKED_AT] if one.row.type in ("pull", "commit") and one.row.state in ("merged", "")]
    done = [one for one in done if topic and topic <= brain.stemmer.among(topic, one.row.title)]
    if not done or (len(topic) == 1 and len(done) > 1):
        return [*fused]
    told = {one.row.record_id: one for one in done[:MOST]}
    asked = {"ids": json.dumps([*told])}
    standing = dict(brain.db.execute(sql("standing_facts"), asked).fetchall())
    facts = load_facts(brain, [*standing.values()], as_of=question.as_of)
    first = [
        one._replace(relation="done", fact=facts[standing[record]]) if standing.get(record) in facts else one
        for record, one in told.items()
    ]
    return [*first, *(one for one in fused if one.row.record_id not in told)]

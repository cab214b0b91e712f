"""What the first row tells of how a thing is, and since when."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from cortex.composer.amounts import bare, values
from cortex.composer.changed import new_words
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.rows import STANDING, Row, is_opinion
from cortex.composer.settings import settings
from cortex.composer.updated import LATER, section_day
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

FOUND: Final = ("", LATER, "fixed by", "closed with", "addressed by")
"""How a row came that is there for its text, and not for what is known of its record."""

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


class Then(NamedTuple):
    """What the first row tells, by its best sentence, and the day since which it does; '' where that is not known.

    Attributes:
        sets: the one setting that it gives the number which its sentence has.
        fixed_by: the records that fixed the issue that it is, or that tells the same value.
    """

    row: Row
    sentence: str
    values: AbstractSet[tuple[str, str]]
    since: str
    holds: AbstractSet[str]
    sets: Mapping[str, str]
    fixed_by: AbstractSet[int]


def told_then(
    brain: Brain, question: Question, rows: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> Then | None:
    """What the first of *rows* tells; None where what is known of records put it there."""
    first, row = rows[0], rows[0].fused.row
    if first.fused.relation not in FOUND or records[row.record_id]["replaces"]:  # a link tells what is in force
        return None
    sentence = sentence_of(first, records)
    told = values(sentence) or (values(row.text) if is_opinion(row) else frozenset())
    asks_for_value = values(question.text) or question.type in ("number", "date")
    if not asks_for_value and new_words(bare(sentence), f"{question.text} {row.title}"):
        told = frozenset()
    is_asked = told and (asks_for_value or question.term)
    numbers = numbers_in(sentence)
    given = settings(sentence if row.type in STANDING else records[row.record_id]["body"]) if is_asked else {}
    sets = {name: number for name, number in given.items() if number in numbers}
    near = (one.fused.row for one in rows[:CITED])
    issues = [one for one in near if is_asked and one.type == "issue" and one.source_id == row.source_id]
    fixed_by: set[int] = set()
    for one in issues:
        if one is row or not told.isdisjoint(values(one.text)):
            asked = {"source_id": row.source_id, "ref": one.ref, "relation": "fixes", "as_of": question.as_of}
            fixed_by |= {record for record, *_ in brain.db.execute(sql("merged_linking_to"), asked)}
    sets = sets if len(sets) == 1 else {}
    return Then(row, sentence, told, since(brain, question, row, records), first.holds, sets, fixed_by)


def since(brain: Brain, question: Question, row: Row, records: Mapping[int, Mapping[str, Any]]) -> str:
    """The day since which a row says what it does: of a file that of its last change."""
    if row.type not in STANDING or section_day(row):
        return day_of(row)
    asked = {"source_id": row.source_id, "path": records[row.record_id]["path"], "as_of": question.as_of}
    return str(brain.db.execute(sql("last_touched"), asked).fetchone()[0] or row.day)


def numbers_in(sentence: str) -> frozenset[str]:
    """As they are written."""
    return frozenset(_NUMBER.findall(sentence))


def day_of(row: Row) -> str:
    """The day in the heading of a document's section, or that of the record."""
    return section_day(row) or row.day


def sentence_of(one: Ordered, records: Mapping[int, Mapping[str, Any]]) -> str:
    """What a row says of it: a pull request its title."""
    row = one.fused.row
    return row.title if row.type == "pull" else str(records[row.record_id]["body"][slice(*one.quote.best)])

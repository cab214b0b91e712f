"""What was said later of the same thing: 'Update: back to 500 hours', a newer section of a changelog."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.question import Question, asks
from cortex.composer.rows import Row

AMONG: Final = 10
"""Rows among which what was said later is looked for."""

SECTION_WORTH: Final = 0.8
"""What a later section says of the question, beside what the first says of it, for it to be of the same thing."""

_TYPES: Final = ("number", "name", "text", "yes/no")
_THEN: Final = re.compile(
    r"\b(?:was|were|did|had|used to|original(?:ly)?|initial(?:ly)?|first|former(?:ly)?|previous(?:ly)?|before|until"
    r"|ever|old|history|since when)\b|\b(?:19|20)\d\d\b|\bv?\d+\.\d+",
    re.I,
)
_UPDATES: Final = re.compile(
    r"^\W*(?:(?:update|correction|erratum|edit)d?\b[^.\n]{0,30}?[:,—–-]"
    r"|(?:(?:it\s+(?:is|was)|we(?:['’]ve|\s+have)?|i(?:['’]ve|\s+have)?)\s+)?(?:now\s+|since\s+|finally\s+)?"
    r"(?:lowered|raised|changed|reduced|increased|decreased|shortened|extended|doubled|halved|cut|set|back)\b[^.\n?]{0,60}?\bto\s+\d)",
    re.I,
)
_AMOUNT: Final = re.compile(r"(?<![\w.#])(\d+(?:[.,]\d+)*)\s?(%|[A-Za-zµ°]+)(?![\w(])")
_DAY: Final = re.compile(r"(?<![\d-])(?:19|20)\d\d-\d\d-\d\d(?![\d-])")


def updated(question: Question, rows: Sequence[tuple[Row, float]]) -> int:
    """Which of *rows* says later how the thing of the first is now, where a question asks how it is; 0 where none does.

    Args:
        rows: best first, each with how much it says of the question.
    """
    if not rows or question.type not in _TYPES or question.told or question.numbers or _THEN.search(question.text):
        return 0
    first, said = rows[0]
    near = [row for row, _ in rows[:AMONG]]
    days = {}
    for at, (row, also) in enumerate(rows[1:AMONG], 1):
        if row.source_id != first.source_id or row.about != first.about:
            continue
        if row.type == first.type == "doc":
            if 0 < SECTION_WORTH * said <= also and _section_day(row) > _section_day(first) > "":
                days[at] = _section_day(row)
        elif first.type in ("issue", "comment") and row.day > first.day and _updates(row, near):
            days[at] = row.day
    return max(days, key=days.__getitem__, default=0)


def _updates(row: Row, near: Sequence[Row]) -> bool:
    """Whether a comment says that it changed: to another number of what its thread counted last."""
    if row.type != "comment" or row.unverified or asks(row.text) or not _UPDATES.search(row.text):
        return False
    before = sorted((one for one in near if one.about == row.about and one.day < row.day), key=lambda one: one.day)
    if row.authority < min((one.authority for one in before if one.type == "comment"), default=0.0):
        return False
    now, then = _amounts(row), {unit: amounts for one in before for unit, amounts in _amounts(one).items()}
    return any(amounts.isdisjoint(then.get(unit, amounts)) for unit, amounts in now.items())


def _amounts(row: Row) -> dict[str, set[str]]:
    """The numbers in a text, by what they count."""
    found: dict[str, set[str]] = {}
    for amount, unit in _AMOUNT.findall(row.text):
        found.setdefault(unit.casefold(), set()).add(amount)
    return found


def _section_day(row: Row) -> str:
    """The one day in the heading of a document's section; '' where there is none."""
    days = _DAY.findall(row.title) if row.type == "doc" else []
    return days[0] if len(days) == 1 else ""

"""A row as it is ordered: what it is worth, and the window of it that answers best."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.quote import Quote

HEADED: Final = 4.0
"""What a heading is worth that is what is asked; of this, the square of what they have of each other."""

CITED: Final = 6
"""Rows that are judged: as many as an answer cites."""


TAKEN_BACK: Final = "takes back"
"""Why a row is first: it took back what the question takes to be so, which the second tells."""


class Ordered(NamedTuple):
    """A row with the window of it that answers best.

    Attributes:
        values: by the `FEATURES` of `order`, what its model weighs, each 0 to 1.
        holds: stems of the question, and of what says the same, in its title, its passage and the window.
        rule: what it is worth for being a directive.
        headed: what it is worth for a heading that is what is asked, or loses for being but a document's head.
        read: sentence by sentence; else the window is where its passage begins.
        now: what it is worth for how new it is, where a question asks how things are.
        titled: stems of the question, and of what says the same, in its title.
        moved: why it stands before what is worth more: 'rules', 'steps', 'told again', 'told later', 'supersedes', …;
            or after what is worth less: 'unread', 'beside the point'.
        kind: what it is worth for being a record of the type that is asked for.
        more: a second window, of the first rows where their records go on.
    """

    fused: Fused
    quote: Quote
    worth: float
    values: Mapping[str, float]
    holds: AbstractSet[str]
    rule: float = 0.0
    headed: float = 0.0
    read: bool = True
    now: float = 0.0
    titled: AbstractSet[str] = frozenset()
    moved: str = ""
    kind: float = 0.0
    more: Quote | None = None


def is_beside(question: Question, row: Ordered) -> bool:
    """Whether a row has no word of what the question is about, and came in by its everyday words alone."""
    return bool(question.about) and not row.fused.relation and question.about.isdisjoint(row.holds)


def names_of(row: Ordered, records: Mapping[int, Mapping[str, Any]]) -> tuple[str, str]:
    """By which a link may call a row: its ref, and that of the document it is a part of."""
    return row.fused.row.ref, f"doc:{records[row.fused.row.record_id]['path']}"


def is_of_day(question: Question, row: Ordered) -> bool:
    """Whether a row is of a date that the question names, or tells one; any is where it names none."""
    return not question.days or row.values["dated"] == 1 or question.dates <= row.holds

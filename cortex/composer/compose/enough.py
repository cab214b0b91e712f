"""Where an answer ends: a lookup that one sentence answers needs no more of what shares some word with the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cortex.composer.compose.extractive import Statement
from cortex.composer.holding import asked_value
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question, likeness, stands_in
from cortex.composer.rows import is_opinion
from cortex.composer.saying import said_by_each
from cortex.language.stems import Stemmer

ANYWAY: Final = 2
"""Rows that are told whatever else answers: of the second something may be otherwise."""

ALL: Final = 0.999
"""Likeness to the question of what has all of it."""


def enough(
    question: Question, statements: Sequence[Statement], rows: Mapping[tuple[str, str], Ordered], stemmer: Stemmer
) -> list[Statement]:
    """*statements*, of a lookup without those after `ANYWAY` that have less than all, where one sentence has that.

    Told anyway is what came in by a link, was moved for what it tells, is outranked, or has more authority than the
    first.

    Args:
        rows: that are cited, by source and ref.
    """
    if question.class_ != "A" or not statements or not _answers(question, statements[0], rows, stemmer):
        return [*statements]
    authority = rows[_name(statements[0])].fused.row.authority
    kept: list[Statement] = []
    told, is_kept = 0, True
    for one in statements:
        if not one.goes_on:
            told += 1
            row = rows.get(_name(one))
            apart = row is None or row.fused.relation or row.moved or row.fused.row.authority > authority
            is_kept = (
                told <= ANYWAY
                or bool(apart or one.led_by)
                or likeness(question, stands_in(question, one.text, stemmer)) >= ALL
            )
        if is_kept:
            kept.append(one)
    return kept


def _answers(question: Question, first: Statement, rows: Mapping[tuple[str, str], Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence of the row that is told first, no opinion, has all of it and gives what is asked."""
    row, value = rows.get(_name(first)), asked_value(question)
    if row is None or is_opinion(row.fused.row) or (value and not value.given.search(first.text)):
        return False
    return any(likeness(question, held) >= ALL for held in said_by_each(question, row, stemmer, giving=True))


def _name(one: Statement) -> tuple[str, str]:
    return one.citation.source, one.citation.record.ref

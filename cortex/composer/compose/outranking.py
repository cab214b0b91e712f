"""What rules over what somebody says: statements that a rule, or what was decided, outranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cortex.composer.choices import choice, is_another_number
from cortex.composer.compose.wording import window_of
from cortex.composer.fuse import Fused
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.quote import Quote
from cortex.composer.rows import Row, are_of_one_thread, is_opinion, thread_named
from cortex.composer.rulings import binds, is_against, lets
from cortex.composer.trust import OF_PROJECT
from cortex.indexers.distill.deciding import decides
from cortex.substrate.model import Citation

OUTRANKED: Final = "Outranked: "
"""What begins a statement that wants another thing than what rules."""

SAID: Final = ("comment", "event")
"""Types of records that a document outranks which forbids what they allow."""


def is_mere_opinion(question: Question, row: Row, first: Citation) -> bool:
    """Whether a rule answers and this is only what somebody said of the matter, by no member of why it rules.

    Nor where it asks who: a rule names nobody.
    """
    tells_why = question.type == "reason" and row.type == "comment" and row.association in OF_PROJECT
    tells_more = tells_why or question.type == "person" or decides(row.text)
    return first.record.type == "directive" and row.type in SAID and not tells_more


def is_outranked(row: Row, first: Citation) -> bool:
    """Whether this wants another thing than the rule, or the decision of its thread, that answers."""
    rules = first.record.type == "directive" or decides(first.excerpt)
    if not rules or not is_opinion(row):
        return False
    if is_another_number(row.text, first.statement):
        return True
    if own := choice(row.text):
        return own.is_against(first.excerpt)
    of_thread = choice(row.title)
    return of_thread is not None and of_thread.is_for(row.text) and of_thread.is_against(first.excerpt)


def ruled_first(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> Sequence[Ordered]:
    """What rules before what somebody says against it, where that came first."""
    best = ordered[0] if ordered else None
    if best is None or best.fused.relation or question.told or not _advises(best.fused.row):
        return ordered
    rules = [one for one in ordered[1:] if one.fused.row.type == "directive"]
    if best.fused.row.type in SAID:
        rules += [one for one in ordered[1:CITED] if one.fused.row.type == "doc"]
    said = window_of(best.fused, best.quote, records) if rules else ""
    for one in rules if lets(said) else ():
        rule = one.fused.row
        if binds(rule.text) and is_against(said, rule.text, _around(best.fused, ordered)):
            return [one, *(other for other in ordered if other is not one)]
    return ordered


def is_overruled(
    one: Fused,
    found: Quote,
    first: Citation,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
) -> bool:
    """Whether what is quoted allows what the rule that answers forbids, and nobody settled that in its thread since."""
    if not _advises(one.row) or not binds(first.statement):
        return False
    kept = first.record.type == "directive" or (first.record.type == "doc" and one.row.type in SAID)
    if not kept and not decides(first.excerpt):
        return False
    if not is_against(window_of(one, found, records), first.statement, _around(one, ordered)):
        return False
    later = (other.fused.row for other in ordered if are_of_one_thread(other.fused.row, one.row))
    return not any(row.day > one.row.day and (decides(row.text) or binds(row.text)) for row in later)


def _advises(row: Row) -> bool:
    """Whether what may be done is told there: an issue tells what goes wrong."""
    return is_opinion(row) and row.type != "issue"


def _around(one: Fused, ordered: Sequence[Ordered]) -> str:
    """The title of a row's thread, and what else was found of that thread or names it."""
    named = thread_named(one.row)
    rows = [other.fused.row for other in ordered if other.fused.row.record_id != one.row.record_id]
    near = [
        row.text
        for row in rows
        if are_of_one_thread(row, one.row) or (row.type != "directive" and named.search(row.text))
    ]
    return " ".join((one.row.title, *near))

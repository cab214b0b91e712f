"""What replaced what was agreed, where no text of its thread says so: work that replaced its work, a later decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.candidates import look
from cortex.composer.fuse import Fused
from cortex.composer.order import order
from cortex.composer.ordered import Ordered, names_of
from cortex.composer.question import Question
from cortex.composer.rows import STANDING, Row, load_firsts
from cortex.composer.updated import asks_how_it_is
from cortex.substrate.brain import Brain
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer

SHARED: Final = 2
"""Words of a pull request's title that what was agreed has too, where it did that and no other thing of the thread."""


class Outdone(NamedTuple):
    """What replaced the work of the first row's thread: its record, and the row that speaks for it."""

    ref: str
    row: Row


def find_outdone(brain: Brain, question: Question, ordered: Sequence[Ordered]) -> Outdone | None:
    """What replaced the work that did what the first row says, where it asks how things are."""
    first = ordered[0].fused.row if ordered else None
    if first is None or first.type not in ("issue", "comment") or not asks_how_it_is(question):
        return None
    asked = {"source_id": first.source_id, "ref": first.about, "day": first.day, "as_of": question.as_of}
    said = _words(f"{first.title} {first.text}", brain.stemmer)
    for title, record, ref in brain.db.execute(sql("replaced_work"), asked).fetchall():
        if len(said & _words(title, brain.stemmer)) >= SHARED:
            row = load_firsts(brain, [record], as_of=question.as_of).get(record)
            return row and Outdone(ref, row)
    return None


def outdone_first(
    question: Question,
    ordered: Sequence[Ordered],
    newer: Outdone,
    records: Mapping[int, dict[str, Any]],
    stemmer: Stemmer,
) -> list[Ordered]:
    """*ordered* after what is *newer*, by which *records* tell then that the comment was superseded which was first.

    Args:
        records: by id, the columns of `cited_records.sql`, also of what is *newer*.
    """
    first = records[ordered[0].fused.row.record_id]
    if first["type"] == "comment":
        first["superseded_by"] = newer.ref
    known = [one for one in ordered if one.fused.row.record_id == newer.row.record_id]
    fused = known[0].fused if known else Fused(0.0, 0.0, newer.row, None)
    fused = fused._replace(relation=fused.relation or "superseded by")
    its = known or order(question, look(question, [fused], stemmer), records, stemmer)
    return [its[0]._replace(fused=fused, moved="supersedes"), *(one for one in ordered if one not in known)]


def decided_first(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """*ordered* after the decision that replaced one on all that is asked, where a change that took it out is first."""
    if not ordered or ordered[0].fused.relation != "done":
        return list(ordered)
    old = {records[one.fused.row.record_id]["superseded_by"] for one in ordered if question.content <= one.holds}
    rules = [one for one in ordered if one.fused.row.type in STANDING and not old.isdisjoint(names_of(one, records))]
    if not rules:
        return list(ordered)
    plain = (one._replace(fused=one.fused._replace(relation="")) for one in ordered if one.fused.relation == "done")
    others = [one for one in ordered if one.fused.relation != "done" and one is not rules[0]]
    return [rules[0], *plain, *others]


def _words(text: str, stemmer: Stemmer) -> frozenset[str]:
    return frozenset(stemmer.sequence(text)).difference(stemmer.sequence(" ".join(STOP_WORDS)))

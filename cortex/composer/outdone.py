"""What replaced what was agreed, where no text of its thread says so: work that replaced its work, a later decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.candidates import look
from cortex.composer.fuse import Fused
from cortex.composer.order import order
from cortex.composer.ordered import TAKEN_BACK, Ordered
from cortex.composer.question import Question, stands_in
from cortex.composer.rows import STANDING, Row, load_firsts
from cortex.composer.told_then import FOUND
from cortex.composer.updated import LATER, asks_how_it_is, takes_as_so
from cortex.language.stems import Stemmer
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

SHARED: Final = 2
"""Words of a pull request's title that what was agreed has too, where it did that and no other thing of the thread."""


class Outdone(NamedTuple):
    """What replaced what the first row tells: its record, and the row that speaks for it.

    Attributes:
        old: the decision that it replaced; None where it replaced the work of the first row's thread.
        moved: why it stands first.
    """

    ref: str
    row: Row
    old: Ordered | None = None
    moved: str = "supersedes"


def find_outdone(
    brain: Brain, question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> Outdone | None:
    """What replaced a decision on all that is asked, or the work that did what the first row says.

    Where a question asks how things are: 'We will use Lua, see ADR 2' tells nothing once ADR 2 is superseded. And what
    took back what the first row tells, where a question takes that to be so, or asks how it is: 'Why is it 8 s?'
    """
    first = ordered[0].fused if ordered else None
    is_found = first is not None and first.row.type in ("pull", "commit") and first.relation in FOUND
    if first and is_found and (takes_as_so(question) or asks_how_it_is(question)):
        return _reverter(brain, question, first.row, records[first.row.record_id])
    if first is None or first.row.type in STANDING or not asks_how_it_is(question):
        return None
    is_new = ordered[0].moved == LATER and first.row.type == "pull"  # it tells by itself what became of the thing
    if first.relation in (*FOUND, "done") and not is_new and question.type == "yes/no" and question.content:
        found = _decision_in_force(brain, question, ordered, records)
        if found and (first.relation == "done" or found.row.day > first.row.day):
            return found
    return _work(brain, question, first.row) if first.row.type in ("issue", "comment") else None


def _reverter(brain: Brain, question: Question, first: Row, record: Mapping[str, Any]) -> Outdone | None:
    """What took back the change that the *first* row tells of, or a part of it; None where nothing did."""
    ref = record["reverted_by"] or record["reverted_in_part_by"]
    asked = "select id from records where source_id = ? and ref = ?"
    ids = [id_ for (id_,) in brain.db.execute(asked, (first.source_id, ref))] if ref else []
    known = load_firsts(brain, ids, as_of=question.as_of)
    return next((Outdone(ref, row, moved=TAKEN_BACK) for row in known.values()), None)


def _decision_in_force(
    brain: Brain, question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> Outdone | None:
    """What replaced in the end the first decision that is titled by all that is asked; None where none was replaced."""
    source = ordered[0].fused.row.source_id
    for old in ordered:
        row, record = old.fused.row, records[old.fused.row.record_id]
        if not record["superseded_by"] or row.type not in STANDING or row.source_id != source or row.nested:
            continue
        if question.content <= stands_in(question, row.title, brain.stemmer):
            asked = {"source_id": source, "ref": f"doc:{record['path']}"}
            found = brain.db.execute(sql("in_force"), asked).fetchall()
            known = load_firsts(brain, [id_ for id_, _ in found], as_of=question.as_of)
            return next((Outdone(ref, known[id_], old) for id_, ref in found if id_ in known), None)
    return None


def _work(brain: Brain, question: Question, first: Row) -> Outdone | None:
    """What replaced the work that did what the *first* row says."""
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
    if first["type"] == "comment" and newer.old is None:
        first["superseded_by"] = newer.ref
    known = [one for one in ordered if one.fused.row.record_id == newer.row.record_id]
    fused = known[0].fused if known else Fused(0.0, 0.0, newer.row, None)
    fused = fused._replace(
        relation=fused.relation or ("superseded by" if newer.moved == "supersedes" else "reverted by")
    )
    its = known or order(question, look(question, [fused], stemmer), records, stemmer)
    old = [newer.old] if newer.old else []
    rest = [_plain(one) if old else one for one in ordered if one not in known and one is not newer.old]
    return [its[0]._replace(fused=fused, moved=newer.moved), *old, *rest]


def _plain(one: Ordered) -> Ordered:
    """A row that tells no more what became of a thing."""
    return one._replace(fused=one.fused._replace(relation="")) if one.fused.relation == "done" else one


def _words(text: str, stemmer: Stemmer) -> frozenset[str]:
    return frozenset(stemmer.sequence(text)).difference(stemmer.sequence(" ".join(STOP_WORDS)))

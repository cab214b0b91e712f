"""What amended a decision that still stands, told with it: 'Amends: ADR 6'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from cortex.composer.amounts import bare, by_kind
from cortex.composer.candidates import look
from cortex.composer.fuse import Fused
from cortex.composer.order import order
from cortex.composer.ordered import CITED, Ordered, names_of
from cortex.composer.overtaken import DOUBTED
from cortex.composer.question import Question
from cortex.composer.records import load_records
from cortex.composer.rows import load_firsts
from cortex.composer.told_then import sentence_of
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

AMENDS: Final = "amends"
"""Why a row stands beside the decision it amended."""

AS_MUCH: Final = 0.75
"""What it has of the question, beside what the decision has that it amended, to be told before that."""


def amended_told(
    brain: Brain,
    question: Question,
    ordered: Sequence[Ordered],
    records: dict[int, dict[str, Any]],
    names: Mapping[int, str],
    stemmer: Stemmer,
) -> list[Ordered]:
    """*ordered* with what amended the first decision of it that was amended, before that if it sets the same anew.

    Args:
        records: by id, the columns of `cited_records.sql`; the amending one is added.
        names: of the sources, by id.
    """
    rows = list(ordered)
    place = next((at for at, one in enumerate(rows[:CITED]) if records[one.fused.row.record_id]["amended_by"]), None)
    if place is None:
        return rows
    old = rows[place]
    if old.fused.relation == "listed" and not question.decisions:  # a list has what was asked for
        return rows
    newer = _amending(brain, question, old, rows, records, names, stemmer)
    if newer is None or any(one is newer for one in rows[:place]):
        return rows
    rest = [one for one in rows if one is not newer]
    place = next(at for at, one in enumerate(rest) if one is old)
    asked = frozenset(stemmer.sequence(bare(question.text)))
    is_before = not question.decisions and _sets_anew(question, old, newer, records, asked)
    rest.insert(place + (not is_before), newer._replace(moved=AMENDS if is_before else DOUBTED))
    return rest


def _amending(
    brain: Brain,
    question: Question,
    old: Ordered,
    rows: Sequence[Ordered],
    records: dict[int, dict[str, Any]],
    names: Mapping[int, str],
    stemmer: Stemmer,
) -> Ordered | None:
    """The best row of the decision that amended an *old* one; where none was found what it decided."""
    source, ref = old.fused.row.source_id, records[old.fused.row.record_id]["amended_by"]
    own = (one for one in rows if one.fused.row.source_id == source and ref in names_of(one, records))
    if known := next(own, None):
        return known
    found = [id_ for (id_,) in brain.db.execute(sql("amending"), {"source_id": source, "ref": ref})]
    row = next(iter(load_firsts(brain, found, as_of=question.as_of).values()), None)
    if row is None:
        return None
    records |= load_records(brain, [row.record_id], names, as_of=question.as_of)
    fused = Fused(0.0, 0.0, row, None, old.fused.relation)
    return order(question, look(question, [fused], stemmer), records, stemmer)[0]


def _sets_anew(
    question: Question,
    old: Ordered,
    newer: Ordered,
    records: Mapping[int, Mapping[str, Any]],
    asked: AbstractSet[str],
) -> bool:
    """Whether the *newer* tells another amount of a kind that the *old* one has, and as much of what is *asked*."""
    then, now = by_kind(sentence_of(old, records)), by_kind(sentence_of(newer, records))
    anew = any(now[kind] - then[kind] for kind in then.keys() & now.keys())
    weigh = question.weights.get
    told, said = (sum(weigh(stem, 0.0) for stem in asked & one.holds) for one in (old, newer))
    return anew and said >= AS_MUCH * told

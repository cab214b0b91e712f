"""What was said before what its author, or somebody of no less authority, took back in the same thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cortex.composer.candidates import look
from cortex.composer.fuse import Fused
from cortex.composer.order import order
from cortex.composer.ordered import Ordered
from cortex.composer.overtaken import PERHAPS_BACK
from cortex.composer.question import Question, stands_in
from cortex.composer.retracting import TELLING, Later, Said, may_take_back, own_text, says_decided, taken_back
from cortex.composer.rows import Row, load_firsts
from cortex.composer.updated import LATER, asks_how_it_was
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

FIRST: Final = 4
"""Rows of which it is looked for."""

SHORT: Final = 300
"""Characters of a comment that says one thing, all of which is taken back with it."""

_KNOWN: Final = ("listed", "owns", "named", "titled")
"""How a row came of which what is known of its record is told."""

Load = Callable[[Sequence[int]], dict[int, dict[str, Any]]]


def taken_back_first(
    brain: Brain, question: Question, ordered: Sequence[Ordered], records: dict[int, dict[str, Any]], load: Load
) -> list[Ordered]:
    """*ordered* with what takes back what one of the first rows says before that; right after that where in doubt.

    Args:
        records: by id, the columns of `cited_records.sql`; given what takes something back, and told of what that was.
        load: records as they are cited, by their ids.
    """
    rows = list(ordered)
    threads: dict[tuple[int, str], list[Said]] = {}
    for one in ordered[:FIRST]:
        row = one.fused.row
        if row.type not in ("comment", "issue") or one.fused.relation in _KNOWN:
            continue
        if (len(row.text) > SHORT and not says_decided(row.text)) or not _is_doubtful(brain, question, row):
            continue
        key = (row.source_id, row.about)
        if key not in threads:
            threads[key] = _thread(brain, question, row)
        thread = threads[key]
        at = next((at for at, said in enumerate(thread) if said.record_id == row.record_id), -1)
        later = taken_back(thread, at) if at >= 0 else None
        if later:
            rows = _with(brain, question, rows, one, later, records, load)
    return rows


def _is_doubtful(brain: Brain, question: Question, row: Row) -> bool:
    """Whether any later comment of its thread begins as one that takes something back."""
    asked = {
        "source_id": row.source_id, "ref": row.about, "day": row.day, "author": row.author, "as_of": question.as_of,
        "anybody": says_decided(row.text),
    }  # fmt: skip
    return any(may_take_back(body) for (body,) in brain.db.execute(sql("said_later"), asked))


def _thread(brain: Brain, question: Question, row: Row) -> list[Said]:
    asked = {"source_id": row.source_id, "ref": row.about, "as_of": question.as_of}
    return [Said(*said) for said in brain.db.execute(sql("said_in_thread"), asked)]


def _with(
    brain: Brain,
    question: Question,
    rows: list[Ordered],
    old: Ordered,
    later: Later,
    records: dict[int, dict[str, Any]],
    load: Load,
) -> list[Ordered]:
    """*rows* with the *later* comment beside the *old* row."""
    record = records[old.fused.row.record_id]
    text, own = own_text(later.said.body), own_text(record["body"])
    about = question.content and stands_in(question, text, brain.stemmer)
    is_sure = later.is_sure and (len(own) <= SHORT or bool(about & question.content))
    if is_sure and not later.stands:
        record["superseded_by"] = record["superseded_by"] or later.said.ref
    place = next(at for at, one in enumerate(rows) if one.fused.row.record_id == old.fused.row.record_id)
    its = next((one for one in rows if one.fused.row.record_id == later.said.record_id), None)
    if its in rows[:place]:
        return rows
    if old.fused.relation == "done":  # it tells who did it, and stays where it is
        return rows
    leads = is_sure and not asks_how_it_was(question) and not (later.stands and len(split(text)) < TELLING)
    if its is None:
        if not (row := load_firsts(brain, [later.said.record_id], as_of=question.as_of).get(later.said.record_id)):
            return rows
        records |= load([row.record_id])
        found = look(question, [Fused(0.0, 0.0, row, None)], brain.stemmer)
        its = order(question, found, records, brain.stemmer)[0]
    rest = [one for one in rows if one.fused.row.record_id != its.fused.row.record_id]
    if leads:
        its = its._replace(fused=its.fused._replace(relation="superseded by"), moved="supersedes")
        rest.insert(place, its)
    else:
        rest.insert(place + 1, its._replace(fused=its.fused._replace(relation=LATER), moved=PERHAPS_BACK))
    return rest

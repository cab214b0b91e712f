"""Rows: what retrieval hands to the judge and the composer, with all they need to weigh it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import Final, NamedTuple

from cortex.composer.hindsight import read_hindsight, says_anything, without_hindsight
from cortex.indexers.distill.machines import is_machine
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

STANDING: Final = ("doc", "directive", "ownership")
"""Types of records that say how things are, and are kept so."""

_DATE: Final = re.compile(r"(?<![\d-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])")
_NAMED: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_]?(0[1-9]|1[0-2])[-_]?(0[1-9]|[12]\d|3[01])(?!\d)")
_DATED: Final = re.compile(rf"^\W*date\W{{1,6}}({_DATE.pattern})", re.I | re.M)


class Row(NamedTuple):
    """A fact, or a passage of a record.

    Attributes:
        text: a fact's statement; a passage as searched, without the lines it quotes.
        unverified: 1 where an agent or a client elsewhere wrote it; `substrate.vouched` says who stands behind what.
        day: when its record was merged or made, ISO 8601; '' when unknown.
        handle: of the fact; '' for a passage.
        nested: it is of a project inside the one it was found in, which the question does not name.
    """

    id: int
    record_id: int
    source_id: int
    ref: str
    type: str
    title: str
    authority: float
    thread: str
    state: str
    author: str
    association: str
    unverified: int
    day: str
    start: int
    end: int
    text: str
    handle: str = ""
    kind: str = ""
    confidence: float = 1.0
    nested: bool = False

    @property
    def about(self) -> str:
        """The thread it belongs to: a comment's issue or pull request, else the record itself."""
        return self.thread or self.ref.partition("#")[0]


def load_passages(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The passages called *ids*, by id; of those only what was known at *as_of*, where it is given."""
    return {row.id: row for row in _rows(brain, "rows_of_passages", ids, as_of)}


def load_facts(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The facts called *ids*, by id; of those only what was known at *as_of*, where it is given."""
    return {row.id: row for row in _rows(brain, "rows_of_facts", ids, as_of)}


def load_firsts(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
    """The first passage of each record called *ids*, by the record's id."""
    return {row.record_id: row for row in _rows(brain, "rows_of_records", ids, as_of)}


def said_since(brain: Brain, comment: Row, *, as_of: str = "") -> list[str]:
    """What was said in the thread of *comment* after that, in order."""
    values = {"id": comment.record_id, "as_of": as_of}
    return [body for (body,) in brain.db.execute(sql("said_since"), values)]


def is_opinion(row: Row) -> bool:
    """Whether *row* is what somebody says or wants, and decides nothing by itself."""
    return row.type in ("comment", "issue", "event") or is_proposal(row)


def is_proposal(row: Row) -> bool:
    """Whether *row* is a pull request that was not merged, or not yet: it tells what somebody wants."""
    return row.type == "pull" and row.state != "merged"


def is_no_authority(row: Row) -> bool:
    """Whether *row* tells what somebody proposes, or is the comment of a program, be it a review."""
    return is_proposal(row) or (row.type == "comment" and is_machine(row.author))


def is_decision(row: Row) -> bool:
    """Whether *row* is of a decision record, or tells what was decided."""
    return row.kind == "decision" or (row.type == "doc" and bool(row.state))


def are_of_one_thread(row: Row, other: Row) -> bool:
    """Whether both belong to one issue or pull request, or are of one record."""
    return (row.source_id, row.about) == (other.source_id, other.about)


def thread_named(row: Row) -> re.Pattern[str]:
    """What finds where a text names the thread of *row* by its number: '#870'."""
    return re.compile(rf"#{re.escape(row.about.partition(':')[2])}(?!\d)")


def day_told(name: str, text: str) -> str:
    """The day in what a document is called, or in its first line that says so; '' where there is none."""
    named = _NAMED.search(name)
    dated = None if named else _DATED.search(text)
    return "-".join(named.groups()) if named else dated[1] if dated else ""


def _rows(brain: Brain, statement: str, ids: Sequence[int], as_of: str) -> Iterator[Row]:
    rows = starmap(Row, brain.db.execute(sql(statement), {"ids": json.dumps(ids), "as_of": as_of}).fetchall())
    return _known_then(brain, [row for row in rows if not _is_of_later(row, as_of)], as_of) if as_of else rows


def _known_then(brain: Brain, rows: Sequence[Row], as_of: str) -> Iterator[Row]:
    """*rows* without what was written later: facts of that are left out, and passages of nothing else."""
    later = read_hindsight(brain, {row.record_id for row in rows}, as_of)
    for row in rows:
        if row.record_id not in later:
            yield row
        elif row.handle:
            body = str(brain.db.execute("select body from records where id = ?", (row.record_id,)).fetchone()[0])
            stands = without_hindsight(body, later[row.record_id])[row.start : row.end]
            if stands == body[row.start : row.end]:
                yield row
        elif says_anything(text := without_hindsight(row.text, later[row.record_id])):
            yield row._replace(text=text)


def _is_of_later(row: Row, as_of: str) -> bool:
    """Whether a document's heading, or its first line that says so, has a date after *as_of*."""
    if row.type not in STANDING:
        return False
    dates = [*_DATE.findall(row.title), *(match[1] for match in _DATED.finditer(row.text))]
    return any(date > as_of[:10] for date in dates)

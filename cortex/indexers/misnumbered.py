"""What a commit calls by a number may be an issue: 'Decide on a loop (#4)' is no pull request where #4 is none."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cortex.substrate.brain import Brain
from cortex.substrate.records import note_gone_refs
from cortex.substrate.statements import sql

_LINKING: Final = "select from_ref from links where source_id = ? and to_ref = ? and to_source = ''"
_OWN: Final = (
    "delete from links where source_id = ?1"
    " and (from_ref = ?2 or (to_ref = ?2 and to_source = '' and relation = 'merges'))"
)
_OTHERS: Final = "update or replace links set to_ref = ? where source_id = ? and to_ref = ? and to_source = ''"


def drop_misnumbered(brain: Brain, *, source_id: int, now: datetime) -> int:
    """Mark the pull requests as gone that commits told of by an issue's number; how many there were.

    What refers to one refers to the issue, the commit is told for itself again, and the facts of both are due.
    """
    found = brain.db.execute(sql("misnumbered_pulls"), {"source_id": source_id}).fetchall()
    if not found:
        return 0
    with brain.transaction() as db:
        for pull, issue in found:
            for (ref,) in db.execute(_LINKING, (source_id, pull)).fetchall():
                db.execute(sql("forget_promotions"), {"source_id": source_id, "ref": ref})
            db.execute(_OWN, (source_id, pull))
            db.execute(_OTHERS, (issue, source_id, pull))
            db.execute(sql("forget_promotions"), {"source_id": source_id, "ref": issue})
    note_gone_refs(brain, [pull for pull, _ in found], source_id=source_id, now=now)
    return len(found)

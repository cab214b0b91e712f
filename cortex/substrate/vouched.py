"""Whether somebody of the project stands behind a record, a fact, or a part of a record's text: as it was stored.

`vouching.vouch_records` says of how much of each record somebody does, and an index run stores it as `records.vouched`:
characters from the start, None for all. Whatever tells that something is unverified reads that, here or in SQL.
"""

from __future__ import annotations

from collections.abc import Collection

from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, run


def vouch_records(brain: Brain, *, source_id: int) -> int:
    """Store how far somebody stands behind each record of a source; how many changed, which are promoted anew."""
    changed = run(brain, "vouching.vouch_records", source_id=source_id).fetchall()
    brain.db.executemany("delete from promotions where record_id = ?", changed)
    return len(changed)


def unverified_facts(brain: Brain, ids: Collection[int]) -> set[int]:
    """Those of the facts called *ids* that nobody of the project stands behind."""
    return {*column(brain, "vouching.unverified_facts", ids=ids)}

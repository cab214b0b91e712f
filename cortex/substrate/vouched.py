"""Whether somebody of the project stands behind a record, a fact, or a part of a record's text: as it was stored.

`vouch_records.sql` says of how much of each record somebody does, and an index run stores it as `records.vouched`:
characters from the start, None for all. Whatever tells that something is unverified reads that, here or in SQL.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql


def is_unverified(vouched: int | None, end: int | None = None) -> bool:
    """Whether nobody of the project stands behind a record's text up to *end*, or all of it.

    >>> is_unverified(None, 90), is_unverified(20, 20), is_unverified(20, 90), is_unverified(20), is_unverified(0, 0)
    (False, False, True, True, True)
    """
    return vouched is not None and (not vouched or end is None or end > vouched)


def vouched_of(brain: Brain, ids: Collection[int]) -> dict[int, int | None]:
    """Of how many characters of the records called *ids* somebody of the project stands behind; None is all of them."""
    return dict(brain.db.execute(sql("vouched_of"), {"ids": json.dumps([*ids])}).fetchall())


def unverified_facts(brain: Brain, ids: Collection[int]) -> set[int]:
    """Those of the facts called *ids* that nobody of the project stands behind."""
    return {id_ for (id_,) in brain.db.execute(sql("unverified_facts"), {"ids": json.dumps([*ids])})}

"""Runs: what each index or compact run did, counted, and what it could not use, named."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.model import Skipped
from cortex.substrate.sources import timestamp


def start_run(brain: Brain, command: str, *, source_id: int | None, now: datetime) -> int:
    """The id of a new run, which stands as running until it is finished."""
    with brain.transaction() as db:
        cursor = db.execute(
            "insert into runs (source_id, command, started_at) values (?, ?, ?)", (source_id, command, timestamp(now))
        )
    return int(cursor.lastrowid or 0)


def finish_run(
    brain: Brain, run_id: int, *, report: Mapping[str, Any], skipped: Iterable[Skipped] = (), now: datetime
) -> None:
    """Keep what the run did and what it skipped."""
    with brain.transaction() as db:
        db.executemany(
            "insert into skips (run_id, source_id, input, reason) select id, source_id, ?, ? from runs where id = ?",
            [(skip.input, skip.reason, run_id) for skip in skipped],
        )
        db.execute(
            "update runs set status = 'done', finished_at = ?, report = ? where id = ?",
            (timestamp(now), json.dumps(report, ensure_ascii=False), run_id),
        )

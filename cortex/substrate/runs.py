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
    """The id of a new run, which stands as running until it is finished; earlier ones that never were have failed."""
    with brain.transaction() as db:
        db.execute(
            "update runs set status = 'failed', finished_at = ?"
            " where source_id is ? and command = ? and status = 'running'",
            (timestamp(now), source_id, command),
        )
        cursor = db.execute(
            "insert into runs (source_id, command, started_at) values (?, ?, ?)", (source_id, command, timestamp(now))
        )
    return int(cursor.lastrowid or 0)


def fail_run(brain: Brain, run_id: int, *, report: Mapping[str, Any], now: datetime) -> None:
    """Keep how far the run got."""
    with brain.transaction() as db:
        db.execute(
            "update runs set status = 'failed', finished_at = ?, report = ? where id = ?",
            (timestamp(now), json.dumps(report, ensure_ascii=False), run_id),
        )


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


def was_interrupted(brain: Brain, *, source_id: int) -> bool:
    """Whether the last index run of a source was killed, or is still going on elsewhere."""
    asked = "select status from runs where source_id = ? and command = 'index' order by id desc limit 1"
    return bool(brain.db.execute(asked, (source_id,)).fetchone() == ("running",))

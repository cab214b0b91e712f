"""Runs: what each index or compact run did, counted, and what it could not use, named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.model import Skipped
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql


def start_run(brain: Brain, command: str, *, source_id: int | None, by: str = "", now: datetime) -> int:
    """The id of a new run, which stands as running until it is finished; earlier ones that never were have failed.

    Args:
        by: whose it is, 'host:pid'; stands in the report until there is one.
    """
    with brain.transaction() as db:
        db.execute(
            "update runs set status = 'failed', finished_at = ?"
            " where source_id is ? and command = ? and status = 'running'",
            (timestamp(now), source_id, command),
        )
        cursor = db.execute(
            "insert into runs (source_id, command, started_at, report) values (?, ?, ?, ?)",
            (source_id, command, timestamp(now), json.dumps({"by": by} if by else {})),
        )
    return int(cursor.lastrowid or 0)


def fail_run(brain: Brain, run_id: int, *, report: Mapping[str, Any], now: datetime) -> None:
    """Keep how far the run got."""
    with brain.transaction() as db:
        _end(db, run_id, "failed", report, now)


def finish_run(
    brain: Brain, run_id: int, *, report: Mapping[str, Any], skipped: Iterable[Skipped] = (), now: datetime
) -> None:
    """Keep what the run did and what it skipped."""
    with brain.transaction() as db:
        db.executemany(
            "insert into skips (run_id, source_id, input, reason) select id, source_id, ?, ? from runs where id = ?",
            [(skip.input, skip.reason, run_id) for skip in skipped],
        )
        _end(db, run_id, "done", report, now)


def _end(db: sqlite3.Connection, run_id: int, status: str, report: Mapping[str, Any], now: datetime) -> None:
    ended = {"id": run_id, "status": status, "now": timestamp(now), "report": json.dumps(report, ensure_ascii=False)}
    db.execute(sql("end_run"), ended)


def was_interrupted(brain: Brain, *, source_id: int) -> bool:
    """Whether the last index run of a source was killed, or is still going on elsewhere."""
    asked = """
        select status from runs where source_id = ? and command in ('index', 'record', 'deliver')
        order by id desc limit 1
    """
    return bool(brain.db.execute(asked, (source_id,)).fetchone() == ("running",))

"""What stands in the queue, and putting right what got stuck there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.substrate.statements import sql

State = Literal["dead", "failed", "leased", "pending", "done"]
UNFINISHED: Final[tuple[State, ...]] = ("dead", "failed", "leased", "pending")

_RECENT_S: Final = 600


class Job(Value):
    """A record's text on its way to facts."""

    source: str
    ref: str = Field(description="of the record")
    path: str = Field(description="docs or comments")
    state: State
    attempts: int = Field(description="that came to an end")
    error: str | None = Field(description="why the last attempt failed")
    distiller: str = Field(description="who tried last, '' when nobody has")
    enqueued_at: datetime
    not_before: datetime | None = Field(description="when a failed one is tried again")
    lease_owner: str | None = Field(description="the host and process at work on it")
    lease_until: datetime | None


class Backlog(Value):
    """How far behind a source is, and how fast it catches up."""

    waiting: int = Field(description="jobs that are not through; dead ones are not among them")
    oldest: datetime | None = Field(description="when the first of them was enqueued")
    per_second: float | None = Field(description="jobs done in the last ten minutes of work; none where none was done")
    last_done: datetime | None


def jobs(
    brain: Brain, *, scope: Scope | None = None, states: Sequence[State] = UNFINISHED, limit: int = -1
) -> list[Job]:
    """Jobs in any of *states*: dead ones first, then failed, leased, pending and done; -1 is no limit.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    asked = {"sources": _names(brain, scope), "states": json.dumps(states), "limit": limit}
    return [Job(**dict(zip(Job.model_fields, row, strict=True))) for row in brain.db.execute(sql("jobs"), asked)]


def retry_jobs(brain: Brain, *, scope: Scope | None = None, refs: Sequence[str] = ()) -> int:
    """Make failed and dead jobs due at once, all or those of *refs*; how many."""
    return _changed(brain, "retry_jobs", scope, refs)


def drop_jobs(brain: Brain, *, scope: Scope | None = None, refs: Sequence[str] = ()) -> int:
    """Forget dead jobs, or whatever waits of *refs*; how many. Their records keep the facts they have."""
    return _changed(brain, "drop_jobs", scope, refs)


def backlogs(brain: Brain) -> dict[int, Backlog]:
    """How far behind each source is, by its id."""
    found: dict[int, Backlog] = {}
    for id_, waiting, oldest, done, seconds, last in brain.db.execute(sql("backlogs"), {"seconds": _RECENT_S}):
        rate = round(done / max(seconds, 1), 1) if done else None
        found[id_] = Backlog(waiting=waiting, oldest=oldest, per_second=rate, last_done=last)
    return found


def _changed(brain: Brain, statement: str, scope: Scope | None, refs: Sequence[str]) -> int:
    values = {"sources": _names(brain, scope), "refs": json.dumps(refs, ensure_ascii=False) if refs else None}
    with brain.transaction() as db:
        return db.execute(sql(statement), values).rowcount


def _names(brain: Brain, scope: Scope | None) -> str | None:
    """The names of the sources of *scope* as JSON; None for all of them, federated or not."""
    if scope is None or scope.sources is None:
        return None
    return json.dumps([*readable(brain, scope).values()], ensure_ascii=False)

"""Undoing a compaction: what it took out stands again, and what it made less or more sure is as sure as before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pydantic import Field

from cortex.compactor.schedule import AHEAD, LONGEST
from cortex.errors import StillRunning, UnknownRun
from cortex.substrate.archive import restore_run
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.search import count_terms
from cortex.substrate.status import finish_run, mark_undone, start_run, undoable


class Undone(Value):
    """What undoing a run brought back."""

    run: int = Field(description="the run that was undone")
    undone_by: int = Field(description="the run that undid it")
    restored: int = Field(description="facts that stand again")
    confidences: int = Field(description="facts that have their old confidence again")
    left: int = Field(description="facts that stay away: their record says something else by now, or brought them back")


def undo(brain: Brain, run_id: int, *, alive: Callable[[str], bool] = lambda _: True, now: datetime) -> Undone:
    """Take back what compaction *run_id* did, in one transaction.

    Where a later compaction changed a confidence again, that one now goes back to what was before this one.

    Args:
        alive: whether who runs it, 'host:pid', may still be at work; true where nobody can say.

    Raises:
        StillRunning: it has not ended; one that says so for longer than `LONGEST` was killed.
        UnknownRun: it is no compaction, was undone already, or is longer ago than the archive keeps what goes.
    """
    command, source_id, undone_by, forgotten, since, by = undoable(brain, run_id) or ("", None, None, None, None, "")
    if command != "compact":
        raise UnknownRun(run_id, "is no compaction")
    if undone_by is not None:
        raise UnknownRun(run_id, f"was undone by run {undone_by}")
    if since is not None and now - LONGEST < datetime.fromisoformat(since) <= now + AHEAD and alive(by):
        raise StillRunning(run_id, by)
    if forgotten:
        raise UnknownRun(run_id, "is too long ago: the archive no longer keeps all that it took out")
    undoing = start_run(brain, "undo", source_id=source_id, now=now)
    with brain.transaction():
        back = restore_run(brain, run_id=run_id)
        mark_undone(brain, run_id, by=undoing)
        count_terms(brain)
    report = Undone(run=run_id, undone_by=undoing, restored=back.facts, confidences=back.confidences, left=back.left)
    finish_run(brain, undoing, report=report.model_dump(), now=now)
    return report

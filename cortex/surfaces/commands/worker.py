"""`cortex worker`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import click

from cortex.surfaces.options import preset
from cortex.surfaces.session import Session, session
from cortex.surfaces.starting import own_command
from cortex.surfaces.worker import Stopping, Worker

NICE: Final = 10  # a server on the same machine answers first
GRACE_S: Final = 25  # Kubernetes ends a pod by force after 30
AGAIN_S: Final = 1.0  # after which a process that ended is started anew
LOOK_S: Final = 0.2


@click.command()
@preset("--concurrency", click.IntRange(1, 64), 1, "Tasks to work on at once, each in a process of its own.")
@preset("--workers", click.IntRange(1, 64), 1, "Processes that compute for one task.")
@preset("--grace", click.IntRange(0), GRACE_S, "Seconds that a task in hand may still take once it is told to stop.")
@click.option("--drain", is_flag=True, help="Stop as soon as no task is due.")
@click.option("--under", type=int, default=0, hidden=True)
def worker(*, concurrency: int, workers: int, grace: int, drain: bool, under: int) -> None:
    """Work on the tasks in the queue, on any machine that reaches the brain.

    Any number of workers share a queue: of a source one task is worked on at a time, of a night each source is
    compacted once. SIGTERM has it finish the task in hand or, after the grace, give it back; a task of a worker that
    was killed is done again by another.

    Examples:
      cortex worker --concurrency 4
      cortex worker --drain
    """
    here = session()
    stopping = Stopping(grace_s=grace, parent=under)
    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, stopping.tell)
    os.nice(max(NICE - os.nice(0), 0))
    with here.call().writer():  # which says what is wrong with the brain
        pass
    if concurrency == 1:
        Worker(here.path, here.settings, stopping, drains=drain, processes=workers, told=here.remark).run()
        return
    command = [*own_command(), "worker", "--under", str(os.getpid()), "--workers", str(workers), "--grace", str(grace)]
    command += [*(["--drain"] if drain else []), *(["--quiet"] if here.quiet else [])]
    _supervise(here, command, concurrency, stopping, drains=drain)


def _supervise(here: Session, command: Sequence[str], number: int, stopping: Stopping, *, drains: bool) -> None:
    """Keep *number* processes at work; those that end before they were told to are started anew."""
    start = partial(subprocess.Popen, command, env=os.environ | ({"CORTEX_DB": here.db} if here.db else {}))
    running = [start() for _ in range(number)]
    told = 0.0
    while running:
        if stopping.is_told and stopping.told_at != told:
            told = stopping.told_at or 0.0
            for one in running:
                with suppress(ProcessLookupError):
                    one.send_signal(signal.SIGTERM)
        time.sleep(LOOK_S)
        for ended in [one for one in running if one.poll() is not None]:
            running.remove(ended)
            if ended.returncode and not stopping.is_told:
                here.remark(f"worker {ended.pid} ended with {ended.returncode}; another is started")
                time.sleep(AGAIN_S)
                running.append(start())
            elif not (drains or stopping.is_told):
                running.append(start())

"""Who does the work of a run on this machine: its processor cores, this process, and the clock on the wall."""

from __future__ import annotations

import os
import socket
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cortex.indexers.distilling import Crew
from cortex.llm.encoder import find_encoder

MOST_WORKERS: Final = 4  # beyond which one process that writes has no work for more: bench/workers.py measures it


def crew_here(workers: int | None = None, cache: Path | None = None) -> Crew:
    """This process, with *workers* or as many as are of use here, and with the encoder whose table is in *cache*."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    encoder, workers = find_encoder(cache) if cache else None, workers or min(cores, MOST_WORKERS)
    return Crew(workers, owner=this_process(), alive=alive, clock=clock, sleep=time.sleep, encoder=encoder)


def this_process() -> str:
    """'host:pid' of this process, as those it works beside know it."""
    return f"{socket.gethostname()}:{os.getpid()}"


def clock() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def alive(owner: str) -> bool:
    """Whether *owner*, 'host:pid', may still be at work; of another machine nobody here can say, so it may.

    A number that another process has by now is taken for it: its jobs are free when their lease ends.
    """
    host, _, pid = owner.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit() or sys.platform == "win32":  # there a signal 0 is Ctrl-C
        return True
    try:
        os.kill(int(pid), 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True

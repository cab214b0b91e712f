"""Retrievers under a deadline: each gets its time, and one that is late is left out and named.

They run one after the other on the asker's connection, so all of them see the brain at one moment; why not in threads
stands in docs/decisions/0062-retrievers-take-turns.md.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from cortex.substrate.brain import Brain

Job = Callable[[], Any]


class Came(NamedTuple):
    """What the retrievers brought.

    Attributes:
        found: by retriever; those that were late are missing.
        took_ms: by retriever; a late one is called '… (late)'.
    """

    found: Mapping[str, Any]
    took_ms: Mapping[str, float]


def run(brain: Brain, jobs: Mapping[str, Job], *, deadline_s: float) -> Came:
    """Run *jobs*, which read from *brain*, each for at most *deadline_s*."""
    found, took = {}, {}
    for name, job in jobs.items():
        started = time.perf_counter()
        try:
            with brain.until(partial(_is_past, started + deadline_s)):
                found[name] = job()
            late = ""
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            late = " (late)"
        took[f"{name}{late}"] = round((time.perf_counter() - started) * 1000, 3)
    return Came(found, took)


def _is_past(moment: float) -> bool:
    return time.perf_counter() > moment

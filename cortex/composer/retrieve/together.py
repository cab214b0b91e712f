"""Retrievers at once: each in a thread, with a read-only connection, a stemmer and a deadline of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.stems import Stemmer

DEADLINE_S: Final = 5.0
"""After which a retriever is left out: many times what the slowest takes on a million records."""

Job = Callable[[Brain, Stemmer], Any]


class Came(NamedTuple):
    """What the retrievers brought.

    Attributes:
        found: by retriever; those that were late are missing.
        took_ms: by retriever; a late one is called '… (late)'.
    """

    found: Mapping[str, Any]
    took_ms: Mapping[str, float]


class _Own(NamedTuple):
    reader: Brain
    stemmer: Stemmer
    thread: ThreadPoolExecutor

    def start(self, job: Job) -> Future[tuple[Any, float]]:
        return self.thread.submit(_timed, job, self.reader, self.stemmer)


class Retrievers:
    """Connections, stemmers and threads that are kept for as long as their brain is open."""

    def __init__(self, brain: Brain, *, deadline_s: float = DEADLINE_S) -> None:
        self._brain, self._deadline_s = brain, deadline_s
        self._own: dict[str, _Own] = {}
        self._late: list[_Own] = []

    def close(self) -> None:
        """End the threads, then let go of the connections."""
        for own in (*self._own.values(), *self._late):
            own.thread.shutdown()
            own.reader.close()

    def run(self, jobs: Mapping[str, Job]) -> Came:
        """Run *jobs* at once; each has a connection and a stemmer that no other has."""
        for name in jobs:
            if name not in self._own:
                thread = ThreadPoolExecutor(1, f"cortex-{name}")  # the same for each question: it learns their words
                self._own[name] = _Own(self._brain.reader(), Stemmer(), thread)
        running = {name: self._own[name].start(job) for name, job in jobs.items()}
        wait(running.values(), timeout=self._deadline_s)
        found, took = {}, {}
        for name, future in running.items():
            if future.done():
                found[name], took[name] = future.result()
            else:
                took[f"{name} (late)"] = self._deadline_s * 1000
                self._leave(name)
        return Came(found, took)

    def _leave(self, name: str) -> None:
        """Stop a retriever that is late; whoever asks next has another connection."""
        own = self._own.pop(name)
        own.reader.db.interrupt()
        self._late.append(own)


def retrievers_of(brain: Brain) -> Retrievers:
    """The retrievers of *brain*, made when they are first asked for and closed with it."""
    kept = brain.beside.get("retrievers")
    if not isinstance(kept, Retrievers):
        kept = brain.beside["retrievers"] = Retrievers(brain)
    return kept


def _timed(job: Job, reader: Brain, stemmer: Stemmer) -> tuple[Any, float]:
    started = time.perf_counter()
    return job(reader, stemmer), round((time.perf_counter() - started) * 1000, 3)

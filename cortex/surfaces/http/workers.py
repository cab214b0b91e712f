"""Where operations run: reads in processes of their own, for threads share one interpreter; the rest in threads.

Eight threads answered fewer questions a second than one (docs/decisions/0040-questions-are-answered-in-processes.md).
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

from cortex.composer.pipeline import ask
from cortex.errors import CortexError, TookTooLong, TooManyWrites
from cortex.indexers.processes import Processes
from cortex.substrate.holdings import last_titles
from cortex.substrate.model import Scope
from cortex.surfaces.contract import limit_of
from cortex.surfaces.encoding import Models, Readers
from cortex.surfaces.http.answering import Asked, Outcome, Warnings, failed, perform
from cortex.surfaces.operations import every, named

FIRST: Final = 8
"""Questions that a process asks itself before it is asked any: they fill its caches, and cost it half a second."""


class _Own:
    """What a process has of its own."""

    readers: Readers


def _prepare(path: Path, models: Models) -> None:
    Warnings.hear()
    _Own.readers = Readers(path, models)
    list(every())  # which imports them
    with suppress(CortexError):  # a brain that cannot be read yet is told of by whoever asks
        learn(_Own.readers)
    gc.collect()
    gc.freeze()  # what was made so far stays: no collection need look at it


def learn(readers: Readers) -> None:
    """Ask for what came last: stems, statements and pages are at hand then."""
    with readers.lent() as brain:
        for title in last_titles(brain, FIRST):
            with suppress(CortexError):  # a title without a word
                named("ask").adapter.dump_json(ask(brain, title, scope=Scope()))


def _answer(asked: Asked) -> Outcome:
    return perform(asked, _Own.readers.lent)


T = TypeVar("T")

READING: Final = 8  # threads that read where there are no processes
LOOKING: Final = 4  # threads for what every request waits for, such as whose its token is; they wait for nothing else
WRITING: Final = 4
"""Threads that write. SQLite lets one write at a time; the others wait for it, and for whoever else writes."""

IN_LINE: Final = 32  # writes that wait for one of those threads; beyond, who comes is told to come again
PATIENCE_S: Final = 10.0  # how long one waits in that line


class Workers:
    """Processes and threads that answer; with no processes, threads do it all."""

    def __init__(self, readers: Readers, processes: int) -> None:
        self.readers = readers
        self._reading, self._looking = CapacityLimiter(READING), CapacityLimiter(LOOKING)
        self._writing = CapacityLimiter(WRITING)
        self._turns, self._in_line = asyncio.Semaphore(WRITING), 0
        prepare = partial(_prepare, readers.path, readers.models)
        self.pool = Processes(processes, prepare) if processes else None
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self._writes = 0

    async def perform(self, asked: Asked) -> Outcome:
        """Run an operation where it belongs; a read that somebody of the same reach waits for is run once for all.

        A read that comes after a write joins none that began before it.
        """
        if named(asked.operation).effect != "read":
            try:
                return await self.write(partial(perform, asked, self.readers.lent))
            finally:
                self._writes += 1
        key = json.dumps(
            [self._writes, asked.operation, asked.given, sorted(asked.who.grants), asked.who.sources, asked.surface]
        )
        if key not in self._running:
            task = self._running[key] = asyncio.create_task(self._read(asked))
            task.add_done_callback(lambda _: self._running.pop(key))
        return await asyncio.shield(self._running[key])

    async def _read(self, asked: Asked) -> Outcome:
        """What comes of it by its deadline, which waiting for a turn counts to; models have limits of their own."""
        chosen = named(asked.operation)
        seconds = 0 if asked.settings.composer == "model" else limit_of(chosen, "remote", asked.settings)
        try:
            async with asyncio.timeout(seconds or None):
                return await self._read_on(asked)
        except TimeoutError:
            return failed(TookTooLong(chosen.name, seconds), asked.path)

    async def _read_on(self, asked: Asked) -> Outcome:
        if self.pool is None:
            task = partial(perform, asked, self.readers.lent)
            return await to_thread.run_sync(task, limiter=self._reading, abandon_on_cancel=True)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.pool, _answer, asked)
        except BrokenProcessPool:  # one was killed, and took the others' work with it; others take their place
            return await loop.run_in_executor(self.pool, _answer, asked)

    async def look(self, work: Callable[[], T]) -> T:
        """What *work* returns, which reads a row or two: it waits for no question and no write."""
        return await to_thread.run_sync(work, limiter=self._looking)

    async def write(self, work: Callable[[], T]) -> T:
        """What *work* returns, which writes."""
        if self._in_line >= IN_LINE:
            raise TooManyWrites(seconds=int(PATIENCE_S))
        self._in_line += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._turns.acquire()
        except TimeoutError as error:
            raise TooManyWrites(seconds=int(PATIENCE_S)) from error
        finally:
            self._in_line -= 1
        try:
            return await to_thread.run_sync(work, limiter=self._writing)
        finally:
            self._turns.release()

    async def start(self) -> None:
        """Start the processes, and wait until each has learned its trade: no question waits for one."""
        if self.pool is not None:
            loop = asyncio.get_running_loop()
            nothing = bool  # whoever waits for it has waited for a process to begin
            await asyncio.gather(*(loop.run_in_executor(self.pool, nothing) for _ in range(self.pool.workers)))

    def close(self) -> None:
        """Let what runs end, and let go of the brain."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)
        self.readers.close()

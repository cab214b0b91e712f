"""Where operations run: reads in processes of their own, for threads share one interpreter; the rest in threads.

Eight threads answered fewer questions a second than one (docs/decisions/0040-questions-are-answered-in-processes.md).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Final, NamedTuple, TypeVar

from anyio import CapacityLimiter, to_thread

from cortex.errors import TookTooLong, TooManyWrites
from cortex.surfaces.composers import asks_models
from cortex.surfaces.contract import limit_of
from cortex.surfaces.http.answering import Asked, Outcome, Told, failed, perform
from cortex.surfaces.http.pool import Pool
from cortex.surfaces.operations import named
from cortex.surfaces.readers import Readers

T = TypeVar("T")

READING: Final = 8  # threads that read where there are no processes
LOOKING: Final = 4  # threads for what every request waits for, such as whose its token is; they wait for nothing else
WRITING: Final = 4
"""Threads that write. SQLite lets one write at a time; the others wait for it, and for whoever else writes."""

IN_LINE: Final = 32  # writes that wait for one of those threads; beyond, who comes is told to come again
PATIENCE_S: Final = 10.0  # how long one waits in that line


class _Running(NamedTuple):
    task: asyncio.Task[Outcome]
    told: list[Told]


class Workers:
    """Processes and threads that answer; with no processes, threads do it all."""

    def __init__(self, readers: Readers, processes: int) -> None:
        self.readers, self.processes = readers, processes
        self._reading, self._looking = CapacityLimiter(READING), CapacityLimiter(LOOKING)
        self._writing, self._beside = CapacityLimiter(WRITING), CapacityLimiter(1)
        self._turns, self._in_line = asyncio.Semaphore(WRITING), 0
        self._pool: Pool | None = None
        self._running: dict[str, _Running] = {}
        self._writes = 0

    async def perform(self, asked: Asked, told: Told = lambda _: None) -> Outcome:
        """Run an operation where it belongs; a read that somebody of the same reach waits for is run once for all.

        A read that comes after a write joins none that began before it.

        Args:
            told: called in the event loop with each stage of an answer as it begins.
        """
        if named(asked.operation).effect != "read":
            try:
                return await self.write(self._task(asked, told))
            finally:
                self._writes += 1
        key = json.dumps(
            [self._writes, asked.operation, asked.given, sorted(asked.who.grants), asked.who.sources, asked.surface]
        )
        running = self._running.get(key)
        if running is None:
            all_told: list[Told] = []
            task = asyncio.create_task(self._read(asked, lambda stage: _tell(all_told, stage)))
            running = self._running[key] = _Running(task, all_told)
            task.add_done_callback(lambda _: self._running.pop(key))
        running.told.append(told)
        return await asyncio.shield(running.task)

    async def _read(self, asked: Asked, told: Told) -> Outcome:
        """What comes of it by its deadline, which waiting for a turn counts to; models have limits of their own."""
        chosen = named(asked.operation)
        seconds = 0 if asks_models(asked.settings) else limit_of(chosen, "remote", asked.settings)
        try:
            async with asyncio.timeout(seconds or None):
                return await self._read_on(asked, told)
        except TimeoutError:
            return failed(TookTooLong(chosen.name, seconds), asked.path)

    async def _read_on(self, asked: Asked, told: Told) -> Outcome:
        pool = self._pool
        if pool is None:
            task = self._task(asked, told)
            return await to_thread.run_sync(task, limiter=self._reading, abandon_on_cancel=True)
        try:
            return await pool.run(asked, told)
        except BrokenProcessPool:  # one was killed, and took the others' work with it
            return await self._in_place_of(pool).run(asked, told)

    def _in_place_of(self, broken: Pool) -> Pool:
        if self._pool is None or self._pool is broken:
            broken.close()
            self._pool = self._made()
        return self._pool

    def _task(self, asked: Asked, told: Told) -> Callable[[], Outcome]:
        loop = asyncio.get_running_loop()

        def heard(stage: str) -> None:
            loop.call_soon_threadsafe(told, stage)

        return partial(perform, asked, self.readers.lent, heard)

    async def look(self, work: Callable[[], T]) -> T:
        """What *work* returns, which reads a row or two: it waits for no question and no write."""
        return await to_thread.run_sync(work, limiter=self._looking)

    async def write(self, work: Callable[[], T]) -> T:
        """What *work* returns, which writes.

        Raises:
            TooManyWrites: more wait than may, or the turn of this one did not come in time.
        """
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

    async def beside(self, work: Callable[[], T]) -> T:
        """What *work* returns, which nobody waits for; one at a time."""
        return await to_thread.run_sync(work, limiter=self._beside)

    async def start(self) -> None:
        """Start the processes, and wait until each has learned its trade: no question waits for one."""
        if self.processes:
            self._pool = self._made()
            await self._pool.started()

    def processes_running(self) -> list[BaseProcess]:
        """The processes that answer."""
        return self._pool.running() if self._pool else []

    def close(self) -> None:
        """Let what runs end, and let go of the brain."""
        if self._pool is not None:
            self._pool.close(wait=True)
        self.readers.close()

    def _made(self) -> Pool:
        return Pool(self.processes, self.readers, asyncio.get_running_loop())


def _tell(all_told: list[Told], stage: str) -> None:
    for told in all_told:
        told(stage)

"""Where operations run: reads in processes of their own, for threads share one interpreter; the rest in threads.

Eight threads answered fewer questions a second than one (docs/decisions/0040-questions-are-answered-in-processes.md).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter, to_thread

from cortex.surfaces.http.answering import Asked, Outcome, perform
from cortex.surfaces.http.readers import Readers
from cortex.surfaces.operations import named

T = TypeVar("T")

THREADS: Final = 8
"""That write, or read where there are no processes: SQLite lets one write at a time."""


class Workers:
    """Processes and threads that answer; with no processes, threads do it all."""

    def __init__(self, readers: Readers, processes: int) -> None:
        self.readers, self.processes = readers, processes
        self._threads = CapacityLimiter(THREADS)
        self._pool = self._made()
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self._writes = 0

    async def perform(self, asked: Asked) -> Outcome:
        """Run an operation where it belongs; a read that somebody of the same reach waits for is run once for all.

        A read that comes after a write joins none that began before it.
        """
        if named(asked.operation).effect != "read":
            try:
                return await self.thread(partial(perform, asked, self.readers))
            finally:
                self._writes += 1
        key = json.dumps([self._writes, asked.operation, asked.given, sorted(asked.who.grants), asked.who.sources])
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = asyncio.create_task(self._read(asked))
            running.add_done_callback(lambda _: self._running.pop(key))
        return await asyncio.shield(running)

    async def _read(self, asked: Asked) -> Outcome:
        pool = self._pool
        if pool is None:
            return await self.thread(partial(perform, asked, self.readers))
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(pool, perform, asked)
        except BrokenProcessPool:  # one was killed, and took the others' work with it
            if self._pool is pool:
                self._pool = self._made()
            return await loop.run_in_executor(self._pool, perform, asked)

    async def thread(self, work: Callable[[], T]) -> T:
        """What *work* returns, from a thread."""
        return await to_thread.run_sync(work, limiter=self._threads)

    async def warm(self) -> None:
        """Start the processes, so that the first question does not wait for one."""
        if self._pool is not None:
            loop = asyncio.get_running_loop()
            await asyncio.gather(*(loop.run_in_executor(self._pool, _import) for _ in range(self.processes)))

    def processes_running(self) -> list[BaseProcess]:
        """The processes that answer."""
        return [*self._pool._processes.values()] if self._pool else []  # noqa: SLF001  there is no other way to them

    def close(self) -> None:
        """Let what runs end, and let go of the brain."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self.readers.close()

    def _made(self) -> ProcessPoolExecutor | None:
        if not self.processes:
            return None
        return ProcessPoolExecutor(self.processes, mp_context=get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Leave Ctrl-C to the server, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent: Any = parent_process()
    connection.wait([parent.sentinel])
    os._exit(0)


def _import() -> None:
    named("ask")

"""Processes that answer, each with a reader of its own that has learned what questions need before the first comes."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import count
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

from cortex.composer.pipeline import ask
from cortex.errors import CortexError
from cortex.substrate.model import Scope
from cortex.surfaces.encoding import Models
from cortex.surfaces.http.answering import Asked, Outcome, Told, Warnings, perform
from cortex.surfaces.operations import every, named
from cortex.surfaces.readers import Readers

FIRST: Final = 8
"""Questions that a process asks itself before it is asked any: they fill its caches, and cost it half a second."""

NEWS_S: Final = 1.0  # how long an answer that is there waits for what was told on the way to it


class Pool:
    """So many processes, asked in the order of their questions; what an answer is about to do, they tell meanwhile."""

    def __init__(self, processes: int, readers: Readers, loop: asyncio.AbstractEventLoop) -> None:
        context = get_context("spawn")
        self._processes, self._loop = processes, loop
        heard, self._news = context.Pipe(duplex=False)
        self._told: dict[int, Told] = {}
        self._heard: dict[int, asyncio.Future[None]] = {}
        self._numbers = count()
        self._executor = ProcessPoolExecutor(
            processes, mp_context=context, initializer=_begin, initargs=(readers.path, readers.models, self._news)
        )
        threading.Thread(target=self._listen, args=(heard,), daemon=True).start()

    async def run(self, asked: Asked, told: Told) -> Outcome:
        """What comes of *asked*.

        Raises:
            BrokenProcessPool: a process was killed; the pool is of no more use.
        """
        number = next(self._numbers)
        self._told[number], heard = told, self._loop.create_future()
        self._heard[number] = heard
        try:
            outcome = await self._loop.run_in_executor(self._executor, _answer, asked, number)
            with suppress(TimeoutError):  # the news come by a way of their own, which may be the longer
                await asyncio.wait_for(heard, NEWS_S)
            return outcome
        finally:
            del self._told[number], self._heard[number]

    async def started(self) -> None:
        """Start every process, and wait until one is ready."""
        waiting = (self._loop.run_in_executor(self._executor, _ready) for _ in range(self._processes))
        await asyncio.gather(*waiting)

    def running(self) -> list[BaseProcess]:
        """The processes."""
        return [*self._executor._processes.values()]  # noqa: SLF001  there is no other way to them

    def close(self, *, wait: bool = False) -> None:
        """Take no more questions, and let what runs end."""
        self._executor.shutdown(wait=wait, cancel_futures=True)
        self._news.close()  # whoever listens is told once the processes have ended

    def _listen(self, heard: Connection) -> None:
        with heard, suppress(EOFError, RuntimeError):  # the processes have ended, or the loop
            while True:
                self._loop.call_soon_threadsafe(self._tell, *heard.recv())

    def _tell(self, number: int, stage: str) -> None:
        if stage and (told := self._told.get(number)):
            told(stage)
        if not stage and (heard := self._heard.get(number)) and not heard.done():
            heard.set_result(None)


class _Own:
    """What a process has of its own."""

    readers: Readers
    news: Connection


def _begin(path: Path, models: Models, news: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    Warnings.hear()
    _Own.readers, _Own.news = Readers(path, models), news
    list(every())  # which imports them
    with suppress(CortexError):  # a brain that cannot be read yet is told of by whoever asks
        learn(_Own.readers)
    gc.collect()
    gc.freeze()  # what was made so far stays: no collection need look at it


def learn(readers: Readers) -> None:
    """Ask for what came last: stems, statements and pages are at hand then."""
    with readers.lent() as brain:
        last = brain.db.execute("select title from records order by id desc limit ?", (FIRST,))
        for (title,) in last.fetchall():
            with suppress(CortexError):  # a title without a word
                named("ask").adapter.dump_json(ask(brain, title, scope=Scope()))


def _end_with_parent() -> None:
    parent: Any = parent_process()
    connection.wait([parent.sentinel])
    os._exit(0)


def _ready() -> None:
    """Nothing: whoever waits for it has waited for the process to begin."""


def _answer(asked: Asked, number: int) -> Outcome:
    outcome = perform(
        asked, _Own.readers.lent, lambda stage: _Own.news.send((number, stage))
    )  # so short: not torn apart
    _Own.news.send((number, ""))  # there are no more
    return outcome

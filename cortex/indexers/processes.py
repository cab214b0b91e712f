"""Processes that compute: started when there is enough to do, gone with the process that started them."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import connection, get_all_start_methods, get_context, parent_process
from multiprocessing.context import BaseContext
from threading import Thread
from typing import Final, ParamSpec, TypeVar

AHEAD: Final = 3
"""Batches a worker has at most: the one it is at, the next, and one whose turn to be stored has not come."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
PRELOADED: Final = ["cortex.indexers.reading", "cortex.indexers.distill.rules"]

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


class Inline(Executor):
    """Does at once what it is given, in the process that asks."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """*fn*, called by now; what it raises is raised here."""
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Processes(Executor):
    """A pool of *workers* processes that is started with its first task, and anew after one of them died.

    Args:
        prepare: what each does before its first task.
    """

    def __init__(self, workers: int, prepare: Callable[[], None] | None = None) -> None:
        self.workers, self.prepare = workers, prepare
        self._pool: ProcessPoolExecutor | None = None

    @property
    def started(self) -> bool:
        """Whether there are workers by now."""
        return self._pool is not None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """*fn* on its way to a worker."""
        with starting():
            try:
                return self._started().submit(fn, *args, **kwargs)
            except BrokenProcessPool:  # since the last task; those it had say so themselves
                self.shutdown()
                return self._started().submit(fn, *args, **kwargs)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=_context(), initializer=_begin, initargs=(self.prepare,)
            )
        return self._pool

    def __exit__(self, *_: object) -> None:
        """Let the workers go; what they have not begun is left."""
        self.shutdown(cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  Executor's
        """Let the workers go; the next task starts others."""
        if self._pool is not None:
            self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
            self._pool = None

    def in_order(self, function: Callable[[T], R], batches: Iterable[T], *, inline: int) -> Iterator[R]:
        """*function* of each of *batches*, in their order; here, if there are no more than *inline*.

        A batch whose worker died is done here, too.
        """
        batches = iter(batches)
        first = [*islice(batches, inline + 1 if self.workers > 1 else 0)]
        if len(first) <= inline and not self.started:
            yield from map(function, chain(first, batches))
            return
        begun: deque[tuple[T, Future[R]]] = deque()
        for batch in chain(first, batches):
            begun.append((batch, self.submit(function, batch)))
            if len(begun) == AHEAD * self.workers:
                yield _result(function, *begun.popleft())
        while begun:
            yield _result(function, *begun.popleft())


def _context() -> BaseContext:
    """How processes are started: from one that has loaded what they need, where the system has it."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def _result(function: Callable[[T], R], batch: T, future: Future[R]) -> R:
    try:
        return future.result()
    except BrokenProcessPool:
        return function(batch)


@contextmanager
def starting() -> Iterator[None]:
    """Start Python processes inside: they import nothing from the working folder, and Ctrl-C is not for them.

    Python would look for its own modules there first, and the folder may be an untrusted repository.
    """
    before, masks = os.environ.get(SAFE_PATH), hasattr(signal, "pthread_sigmask")
    os.environ[SAFE_PATH] = "1"
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def _begin(prepare: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()
    if prepare:
        prepare()


def _follow_parent() -> None:
    """End this process with the one that started it: a pool's worker would wait for its next task for ever."""
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)

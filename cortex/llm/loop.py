"""An event loop in a thread of its own: four calls are in flight, and whoever waits for them needs no async."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from concurrent.futures import FIRST_COMPLETED, Future, wait
from threading import Thread
from typing import Any, Final, TypeVar

Result = TypeVar("Result")


class Loop:
    """Runs coroutines; any thread may hand one over."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="cortex-tiers", daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """The future of *work*, which begins at once."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call_off(self) -> None:
        """Cancel what still runs, and wait until it has ended."""
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result()

    def close(self) -> None:
        """End the thread; nothing may run any more. Whatever looks a name up meanwhile is not waited for."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _cancel(self) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


LISTEN_S: Final = 0.2


def wait_for_one(futures: Collection[Future[Any]]) -> None:
    """Wait until one of *futures* is done.

    A signal that another thread took wakes nobody who waits without an end; whoever looks up now and then hears of it.
    """
    while not wait(futures, timeout=LISTEN_S, return_when=FIRST_COMPLETED).done:
        pass

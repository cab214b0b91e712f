"""An event loop in a thread of its own: four calls are in flight, and whoever waits for them needs no async."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

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
        self.submit(_cancel_others()).result()

    def close(self) -> None:
        """End the thread; nothing may run any more."""
        self.submit(self._loop.shutdown_default_executor()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

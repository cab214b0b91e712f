"""Waiting for what other threads do so that Ctrl-C is heard."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final

LISTEN_S: Final = 0.2


def wait_for_one(futures: Collection[Future[Any]]) -> None:
    """Wait until one of *futures* is done.

    A signal that another thread took wakes nobody who waits without an end; whoever looks up now and then hears of it.
    """
    while not wait(futures, timeout=LISTEN_S, return_when=FIRST_COMPLETED).done:
        pass

"""Connections of clients who take for ever to send a request, or to read what they asked for, are closed.

Where too many are open, those of the address that keeps us waiting with most of them are closed at once, the longest
waiting first: who keeps opening them keeps itself out, and of those it shares an address with only who is as slow. No
request that is being answered gives way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S: Final = 20.0
"""For a whole request, head and body, or for reading any of a response; at most twice as long, as that is how often
it is looked at."""

OPEN_AT_ONCE: Final = 800  # connections; systems let a process have some 1,000 files open
HUNG_UP: Final = "cortex.hung_up"
"""Where the application's state has the count of connections that were closed, by why."""


class Patience(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for a client as long as the client likes."""

    _looking: asyncio.TimerHandle
    began = 0.0
    _resumed = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Look at it from now on."""
        super().connection_made(transport)
        self.began = self.loop.time()
        self._look_later()
        if len(self.connections) > OPEN_AT_ONCE:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._looking.cancel()
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Note that the client has read some of what waits for it."""
        self._resumed += 1
        super().resume_writing()

    def _look_later(self) -> None:
        self._looking = self.loop.call_later(PATIENCE_S, self._look, self._owed(), self._unread())

    def _look(self, owed_before: object, unread_before: object) -> None:
        owed, unread = self._owed(), self._unread()
        if unread is not None and unread == unread_before:
            self.transport.abort()  # to close it in good order takes a client who reads
            self._tell("slow")
        elif owed is not None and owed is owed_before:
            self.transport.close()
            self._tell("slow")
        self._look_later()

    def _make_room(self) -> None:
        others = [one for one in self.connections if isinstance(one, Patience) and not one.transport.is_closing()]
        if len(others) <= OPEN_AT_ONCE:
            return
        waiting = [one for one in others if one.keeps_waiting()] or [self]
        ((address, _),) = Counter(map(_address, waiting)).most_common(1)
        min((one for one in waiting if _address(one) == address), key=lambda one: one.began).transport.abort()
        self._tell("many")

    def keeps_waiting(self) -> bool:
        """Whether its client has yet to send something, or to read."""
        return self._owed() is not None or self._unread() is not None

    def _tell(self, why: str) -> None:
        if count := self.app_state.get(HUNG_UP):
            count.labels(why).inc()

    def _owed(self) -> object:
        """What the client has yet to send: its first request, the rest of this one or another; None while it waits."""
        cycle: Any = self.cycle
        if cycle is None:
            return self
        return cycle if cycle.more_body or cycle.response_complete else None

    def _unread(self) -> object:
        """How much the client has yet to read, in a way that never is the same after it has read; None for nothing."""
        waiting = self.transport.get_write_buffer_size()
        return (waiting, self._resumed, id(self.cycle)) if waiting else None


def _address(of: Patience) -> str:
    return of.client[0] if of.client else ""

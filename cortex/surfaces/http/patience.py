"""Connections of clients who take for ever to send a request, or to read what they asked for, are closed.

So a thousand of them keep nobody out.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S: Final = 20.0
"""For a whole request, head and body, or for reading any of a response; at most twice as long, as that is how often
it is looked at."""


class Patience(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for a client as long as the client likes."""

    _looking: asyncio.TimerHandle
    _resumed = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Look at it from now on."""
        super().connection_made(transport)
        self._look_later()

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
        elif owed is not None and owed is owed_before:
            self.transport.close()
        self._look_later()

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

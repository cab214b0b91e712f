"""Connections of clients who take for ever to send a request are closed, so that a thousand of them keep nobody out."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S: Final = 20.0
"""For a whole request, head and body; at most twice as long, for it is looked at that often."""


class Patience(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for a request's rest as long as the client likes."""

    _looking: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Look at it from now on."""
        super().connection_made(transport)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._looking.cancel()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._looking = self.loop.call_later(PATIENCE_S, self._look, self._owed())

    def _look(self, before: object) -> None:
        owed = self._owed()
        if owed is not None and owed is before:
            self.transport.close()
        else:
            self._look_later()

    def _owed(self) -> object:
        """What the client has yet to send: its first request, the rest of this one or another; None while it waits."""
        cycle: Any = self.cycle
        if cycle is None:
            return self
        return cycle if cycle.more_body or cycle.response_complete else None

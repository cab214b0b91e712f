"""Roots: the folders an MCP client works in, which tell what project its calls are about.

Up to the protocol of 2025-11-25 the server asks for them once in a session, and again when they changed; from that of
2026-07-28 on a call is answered with the request for them, and comes again with the answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

from anyio import Lock
from mcp import MCPError, types
from mcp.server import ServerRequestContext
from pydantic import ValidationError

CHANGED: Final = "notifications/roots/list_changed"
KEY: Final = "roots"
PATIENCE_S: Final = 5.0  # a client that does not answer is taken to have none


class Roots:
    """The folders of one client, which is on this machine.

    Attributes:
        folders: none where the client has no roots, tells none, or was not asked yet.
    """

    def __init__(self) -> None:
        self.folders: tuple[Path, ...] = ()
        self._known = False
        self._asking = Lock()

    async def settled(
        self, context: ServerRequestContext[Any, Any], answered: Mapping[str, types.InputResponse] | None
    ) -> types.InputRequiredResult | None:
        """Learn the client's folders before its call runs; what it is to be asked first, where its protocol has it so.

        Args:
            answered: what came with the call.
        """
        can = context.session.client_capabilities
        if can is None or can.roots is None:
            return None
        if not context.session.can_send_request:
            told = (answered or {}).get(KEY)
            if told is None:
                return types.InputRequiredResult(input_requests={KEY: types.ListRootsRequest()})
            self.folders = _folders(told)
            return None
        async with self._asking:
            if not self._known:
                self._known = True
                self.folders = _folders(await _asked(context))
        return None

    async def changed(self, *_: object) -> None:
        """Ask again at the next call."""
        self._known = False


async def _asked(context: ServerRequestContext[Any, Any]) -> types.ListRootsResult | None:
    try:
        return await context.session.send_request(
            types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=PATIENCE_S
        )
    except (MCPError, ValidationError):
        return None


def _folders(told: object) -> tuple[Path, ...]:
    return tuple(_paths(told)) if isinstance(told, types.ListRootsResult) else ()


def _paths(told: types.ListRootsResult) -> Iterator[Path]:
    for root in told.roots:
        parts = urlsplit(str(root.uri))
        path = Path(os.fsdecode(unquote_to_bytes(parts.path)))
        if parts.scheme == "file" and parts.netloc in ("", "localhost") and path.is_absolute():
            yield path

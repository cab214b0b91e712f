"""What only an MCP client on this machine has: folders that it works in, its roots, and lines that are no message.

Roots tell what project its calls are about. Up to the protocol of 2025-11-25 the server asks for them once in a
session, and again when they changed; from that of 2026-07-28 on a call is answered with the request for them, and comes
again with the answer.

A line that is no message is mended where that can be, else answered. The SDK's reader hands it on as an exception,
which its server passes over: who sent it would wait for ever.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

from anyio import Lock
from mcp import MCPError, types
from mcp.server import ServerRequestContext
from mcp.shared.message import SessionMessage
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
            self.folders = tuple(_folders(told))
            return None
        async with self._asking:
            if not self._known:
                self._known, self.folders = True, ()
                with suppress(MCPError, ValidationError):
                    told = await context.session.send_request(
                        types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=PATIENCE_S
                    )
                    self.folders = tuple(_folders(told))
        return None

    async def changed(self, *_: object) -> None:
        """Ask again at the next call."""
        self._known = False


def _folders(told: object) -> Iterator[Path]:
    for root in told.roots if isinstance(told, types.ListRootsResult) else ():
        parts = urlsplit(str(root.uri))
        path = Path(os.fsdecode(unquote_to_bytes(parts.path)))
        if parts.scheme == "file" and parts.netloc in ("", "localhost") and path.is_absolute():
            yield path


async def mend(received: Any, sent: Any, into: Any) -> None:  # noqa: ANN401  streams of the SDK, and of anyio
    """Hand on *into* what the SDK *received*; what is no message is answered on *sent*."""
    async with into:
        async for item in received:
            found = meant_by(item) if isinstance(item, ValidationError) else item
            if isinstance(found, types.JSONRPCError):
                await sent.send(SessionMessage(found))
            elif found is not None:
                await into.send(SessionMessage(found) if isinstance(item, ValidationError) else item)


def meant_by(error: ValidationError) -> types.JSONRPCMessage | None:
    """The message that a line was meant to be, or the error to answer it with; None for a blank one.

    Half a surrogate pair, as clients send that cut a text within an emoji, is read as U+FFFD.
    """
    first, *_ = errors = error.errors(include_url=False)
    if first["type"] != "json_invalid":
        whole = next((one["input"] for one in errors if isinstance(one["input"], dict)), {})
        return _answer(types.INVALID_REQUEST, "this is no message of JSON-RPC 2.0", whole.get("id"))
    line = str(first["input"])
    try:
        meant = json.dumps(json.loads(line), ensure_ascii=False)
        return types.jsonrpc_message_adapter.validate_json(
            meant.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), by_name=False
        )
    except (ValueError, RecursionError):
        return _answer(types.PARSE_ERROR, "this line is no JSON", None) if line.strip() else None


def _answer(code: int, said: str, id_: object) -> types.JSONRPCError:
    return types.JSONRPCError(
        jsonrpc="2.0", id=id_ if type(id_) in (int, str) else None, error=types.ErrorData(code=code, message=said)
    )

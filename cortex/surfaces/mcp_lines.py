"""What comes on standard input and is no message: mended where that can be, else answered.

The SDK's reader hands such a line on as an exception, which its server passes over: who sent it would wait for ever.
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

from anyio import EndOfStream
from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

Item = SessionMessage | Exception


class Lines:
    """A stream of messages for `mcp.server.Server.run`, which takes any that reads like this.

    Args:
        received: what the SDK's `stdio_server` reads.
        sent: where it writes.
    """

    def __init__(self, received: Any, sent: Any) -> None:  # noqa: ANN401  protocols that the SDK keeps to itself
        self._received, self._sent = received, sent

    async def receive(self) -> Item:
        """The next message.

        Raises:
            EndOfStream: there is none.
        """
        while True:
            item: Item = await self._received.receive()
            if isinstance(item, ValidationError):
                found = mended(item)
                if isinstance(found, types.JSONRPCError):
                    await self._sent.send(SessionMessage(found))
                    continue
                if found is None:
                    continue
                item = SessionMessage(found)
            return item

    async def aclose(self) -> None:
        """Read no more."""
        await self._received.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def mended(error: ValidationError) -> types.JSONRPCMessage | None:
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

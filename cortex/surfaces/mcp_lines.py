"""What comes on standard input and is no message: mended where that can be, else answered.

The SDK's reader hands such a line on as an exception, which its server passes over: who sent it would wait for ever.
"""

from __future__ import annotations

import json
from typing import Any

from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError


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

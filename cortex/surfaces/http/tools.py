"""MCP over streamable HTTP at `/mcp`, for whoever the token of the request is."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Final
from uuid import uuid4

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from cortex.errors import CortexError
from cortex.surfaces.contract import Call, Operation
from cortex.surfaces.http.answering import Who, call_of
from cortex.surfaces.http.gate import NOTES
from cortex.surfaces.http.server import Server
from cortex.surfaces.mcp_server import SESSION, Context, build

PATH: Final = "/mcp"
HEADERS: Final = ("mcp-protocol-version", "mcp-method", "mcp-name", SESSION, "last-event-id")
"""Headers that clients send by the protocol, which a page elsewhere has to have leave for."""

_WHO: Final = "cortex.who"


class Tools:
    """The MCP endpoint of a server: every request stands alone, so that no session outlives its token.

    A client that begins a session is given a name for it, by which its questions follow each other.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self._app = build(self._call, self._run).streamable_http_app(
            streamable_http_path=PATH, stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the gate does it
        )  # fmt: skip

    def running(self) -> AbstractAsyncContextManager[object]:
        """What has to be entered while it serves."""
        return self._app.router.lifespan_context(self._app)

    def route(self) -> Route:
        """The endpoint; it tells nothing of its own accord, so nobody is given a stream to wait at for that (GET)."""
        return Route(PATH, self, methods=["POST"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, once it is known who makes it."""
        scope[NOTES]["route"] = "mcp"
        scope[_WHO] = await self.server.who(HTTPConnection(scope))
        given = {name.decode("latin-1") for name, _ in scope["headers"]}
        begins = given.isdisjoint((SESSION, "mcp-protocol-version"))
        await self._app(scope, receive, _named(send) if begins else send)

    async def _run(self, context: Context, operation: Operation[Any, Any], given: dict[str, Any]) -> dict[str, Any]:
        asked = self.server.asked(operation.name, given, _who(context))._replace(surface="mcp")
        outcome = await self.server.perform(asked)
        content = outcome.content
        if outcome.status != 200:
            raise CortexError(content["error"]["message"], hint=content["error"]["hint"])
        return content

    def _call(self, context: Context) -> Call:
        return call_of(self.server.asked("", {}, _who(context)))


def _named(send: Send) -> Send:
    """*send* with the name of a new session among the headers."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (SESSION.encode(), uuid4().hex.encode())]
        await send(message)

    return sent


def _who(context: Context) -> Who:
    assert context.request is not None  # noqa: S101  it came over HTTP
    who: Who = context.request.scope[_WHO]
    return who

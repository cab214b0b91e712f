"""MCP over streamable HTTP at `/mcp`, for whoever the token of the request is."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cortex.surfaces.contract import Call
from cortex.surfaces.http.answering import Who, call_of
from cortex.surfaces.http.gate import NOTES
from cortex.surfaces.http.server import Server
from cortex.surfaces.mcp_server import Context, build

PATH = "/mcp"
_WHO = "cortex.who"


class Tools:
    """The MCP endpoint of a server: every request stands alone, so that no session outlives its token."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._app = build(self._call).streamable_http_app(
            streamable_http_path=PATH, stateless_http=True, json_response=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the gate does it
        )  # fmt: skip

    def running(self) -> AbstractAsyncContextManager[object]:
        """What has to be entered while it serves."""
        return self._app.router.lifespan_context(self._app)

    def route(self) -> Route:
        """The endpoint."""
        return Route(PATH, self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, once it is known who makes it."""
        scope[NOTES]["route"] = "mcp"
        scope[_WHO] = await self.server.who(HTTPConnection(scope))
        await self._app(scope, receive, send)

    def _call(self, context: Context) -> Call:
        assert context.request is not None  # noqa: S101  it came over HTTP
        who: Who = context.request.scope[_WHO]
        return call_of(self.server.asked("", {}, who), self.server.readers.lent())

"""The routes that are operations: `POST /v1/NAME`, its parameters as a JSON object, its result as another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cortex.substrate.model import Answer
from cortex.surfaces.contract import Operation
from cortex.surfaces.http.answering import JSON, later
from cortex.surfaces.http.gate import NOTES, refusal
from cortex.surfaces.http.server import Server
from cortex.surfaces.http.shapes import shapes
from cortex.surfaces.http.streaming import EVENTS, note, streamed
from cortex.surfaces.operations import every

PREFIX: Final = "/v1/"
GRANTS: Final = "cortex-grants"  # what the caller may do, for the page: it offers nothing that would be refused
MOST: Final = 200_000  # bytes of a request; a question or a task has a tenth of that at most


def offered() -> Iterator[Operation[Any, Any]]:
    """The operations a remote client may have."""
    return (operation for operation in every() if not operation.local)


def routes(server: Server) -> list[Route]:
    """One for each of them."""
    return [_route(server, operation) for operation in offered()]


def _route(server: Server, operation: Operation[Any, Any]) -> Route:
    async def answer(request: Request) -> Response:
        notes = request.scope[NOTES]
        notes["route"] = operation.name
        who = await server.who(request)
        given = await _given(request)
        if isinstance(given, Response):
            return given
        notes["asked"] = shapes(given, operation.parameters.model_fields)
        asked = server.asked(operation.name, given, who)
        if operation.result is Answer and EVENTS in request.headers.get("accept", ""):
            return await streamed(server, asked, notes)
        outcome = await server.perform(asked)
        note(notes, outcome)
        headers = {GRANTS: " ".join(sorted(who.grants)), **later(outcome)}
        return Response(outcome.body, outcome.status, headers, media_type=JSON)

    return Route(PREFIX + operation.name, answer, methods=["POST"], name=operation.name)


async def _given(request: Request) -> dict[str, Any] | Response:
    """The parameters sent, or why they cannot be taken.

    A form of another site's page can send neither this content type nor an answerable preflight.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return refusal(415, "NotJson", "the body has to be JSON", "send 'Content-Type: application/json'")
    body = await request.body()
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return refusal(400, "NotJson", "the body is no JSON", "send one JSON object")
    if not isinstance(given, dict):
        return refusal(400, "NotJson", "the body is no JSON object", "send the parameters by name")
    return given

"""The routes that are operations: `POST /v1/NAME`, as JSON; and their description as OpenAPI 3.1."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cortex.surfaces.contract import Operation
from cortex.surfaces.http.answering import JSON, later
from cortex.surfaces.http.gate import NOTES, refusal, shapes
from cortex.surfaces.http.server import RESULTS, Server
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
        outcome = await server.perform(asked)
        if outcome.refused is not None:
            notes["result"] = RESULTS[outcome.refused]
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


_ERRORS = {
    "400": "The request cannot be", "401": "A token is needed, or this one is none", "403": "The token may not do this",
    "404": "Nothing is called that", "413": "The body is too long", "422": "A parameter is not what it takes",
    "429": "Too many requests", "503": "The brain cannot be read",
    "504": "It took too long, and was stopped",
}  # fmt: skip


@cache
def document() -> dict[str, Any]:
    """Every operation a remote client may have, with what it takes and gives; it takes a while to make."""
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths = {PREFIX + operation.name: {"post": _described(operation, schemas)} for operation in offered()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cortex",
            "version": version("cortex-project-memory"),
            "description": "The memory of a project: what it decided, with citations, or an honest refusal.",
        },
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],
    }


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": [*properties], "properties": properties}


_ERROR = _object(error=_object(**{name: {"type": "string"} for name in ("type", "message", "hint")}))


def _described(operation: Operation[Any, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    name = operation.name
    refs = f"#/components/schemas/{name}.{{model}}"
    taken = _hoisted(operation.input_schema("remote", refs), name, schemas)
    given = _hoisted(operation.output_schema(refs), name, schemas)
    content = {"application/json": {"schema": given}}
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "operationId": name,
        "summary": operation.summary,
        "description": operation.guidance or operation.summary,
        "tags": [operation.effect],
        "requestBody": {"required": True, "content": {"application/json": {"schema": taken}}},
        "responses": {"200": {"description": operation.summary, "content": content}}
        | {status: {"description": said, "content": refused} for status, said in _ERRORS.items()},
    }


def _hoisted(schema: dict[str, Any], name: str, schemas: dict[str, Any]) -> dict[str, Any]:
    schemas |= {f"{name}.{defined}": inner for defined, inner in schema.pop("$defs", {}).items()}
    return schema

"""The HTTP interface described as OpenAPI 3.1, made of the contract."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from cortex.substrate.model import Answer
from cortex.surfaces.contract import Operation
from cortex.surfaces.http.routes import PREFIX, offered
from cortex.surfaces.http.streaming import DESCRIBED, EVENTS

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
    paths = {PREFIX + operation.name: {"post": _operation(operation, schemas)} for operation in offered()}
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


_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["type", "message", "hint"],
            "properties": {name: {"type": "string"} for name in ("type", "message", "hint")},
        }
    },
}


def _operation(operation: Operation[Any, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    name = operation.name
    taken = _hoisted(operation.input_schema("remote"), name, schemas)
    given = _hoisted(operation.output_schema(), name, schemas)
    content = {"application/json": {"schema": given}}
    if operation.result is Answer:
        content[EVENTS] = {"schema": {"type": "string", "description": DESCRIBED}}
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
    prefix = f"{name}."
    for defined, inner in schema.pop("$defs", {}).items():
        schemas[prefix + defined] = _pointed(inner, prefix)
    pointed: dict[str, Any] = _pointed(schema, prefix)
    return pointed


def _pointed(value: Any, prefix: str) -> Any:  # noqa: ANN401  any JSON
    if isinstance(value, dict):
        return {key: _pointed(inner, prefix) for key, inner in value.items()}
    if isinstance(value, list):
        return [_pointed(inner, prefix) for inner in value]
    if isinstance(value, str) and value.startswith("#/$defs/"):
        return f"#/components/schemas/{prefix}{value.removeprefix('#/$defs/')}"
    return value

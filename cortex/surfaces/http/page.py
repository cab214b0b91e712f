"""The page: files of `cortex/surfaces/web`, read once; no name that is not among them is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cortex.packaged import files
from cortex.surfaces.http.gate import NOTES

TYPES: Final[Mapping[str, str]] = {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}  # fmt: skip


class File(NamedTuple):
    """A file as it is sent."""

    content: bytes
    type: str
    tag: str


def routes() -> list[Route]:
    """One for each file; `/` is the page."""
    return [_route("/" if name == "index.html" else f"/web/{name}", file) for name, file in _files()]


def _files() -> Iterator[tuple[str, File]]:
    for found in sorted((files("cortex.surfaces") / "web").iterdir(), key=lambda one: one.name):
        _, _, suffix = found.name.rpartition(".")
        if suffix in TYPES:
            content = found.read_bytes()
            yield found.name, File(content, TYPES[suffix], f'"{sha256(content).hexdigest()[:16]}"')


def _route(path: str, file: File) -> Route:
    async def send(request: Request) -> Response:
        request.scope[NOTES]["route"] = "page"
        headers = {"etag": file.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.type, headers=headers)

    return Route(path, send)

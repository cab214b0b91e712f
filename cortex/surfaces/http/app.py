"""The application: the gate, then the routes and the page, and every error as the same JSON."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cortex.errors import CortexError, NotAllowed, TokenNeeded
from cortex.packaged import files
from cortex.surfaces.http import patience, routes, webhook
from cortex.surfaces.http.answering import JSON, failed, later
from cortex.surfaces.http.gate import HEALTH, NOTES, Gate, refusal
from cortex.surfaces.http.server import Server
from cortex.surfaces.http.tools import HEADERS, Tools

TYPES: Final = (".html", ".css", ".js", ".svg")


def page() -> list[Route]:
    """One for each file; `/` is the page."""
    found = sorted((files("cortex.surfaces") / "web").iterdir())
    return [_file("/" if one.name == "index.html" else f"/web/{one.name}", one) for one in found if one.suffix in TYPES]


def _file(path: str, file: Path) -> Route:
    async def send(request: Request) -> Response:
        request.scope[NOTES]["route"] = "page"
        return FileResponse(file)

    return Route(path, send)


TOLD: Final = ("retry-after", "www-authenticate")
"""Headers that a page elsewhere may read, besides those that every page may."""

HUNG_UP: Final = 499  # the status, as nginx has it, of a request that was never sent to its end
_FRAME: Final = re.compile(r'  File "([^"]+)", line (\d+), in ')


def application(server: Server) -> ASGIApp:
    """Everything `cortex serve` answers."""
    facts, tools = webhook.Facts(server), Tools(server)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, object]]:
        await server.workers.start()
        making = [asyncio.create_task(facts.run())] if webhook.takes_any(server) else []
        async with tools.running():
            yield {patience.HUNG_UP: server.metrics.hung_up}
        facts.stopping.tell()
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)
        await asyncio.to_thread(server.workers.close)
        if server.telemetry:
            await asyncio.to_thread(server.telemetry.close)

    app = Starlette(
        routes=[*routes.routes(server), *_own(server), webhook.route(server, facts), tools.route(), *page()],
        middleware=[
            Middleware(
                CORSMiddleware, allow_origins=server.options.origins, allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type", *HEADERS], expose_headers=[routes.GRANTS, *TOLD],
            )
        ],
        exception_handlers={
            **dict.fromkeys((CortexError, sqlite3.Error, HTTPException), partial(_failure, server)),
            ClientDisconnect: _gone, Exception: partial(_bug, server),
        },
        lifespan=lifespan,
        max_body_size=routes.MOST,
    )  # fmt: skip
    return Gate(
        app, hosts=server.options.names, origins=server.options.origins, metrics=server.metrics, log=server.log,
        most=lambda path: webhook.MOST if path == webhook.PATH else routes.MOST, telemetry=server.telemetry,
    )  # fmt: skip


def _own(server: Server) -> list[Route]:
    async def health(request: Request) -> Response:
        request.scope[NOTES]["route"] = "health"
        return JSONResponse({"status": "up"})

    async def ready(request: Request) -> Response:
        request.scope[NOTES]["route"] = "ready"
        problem = await server.problem()
        return JSONResponse({"ready": not problem, "problem": problem}, status_code=503 if problem else 200)

    async def metrics(request: Request) -> Response:
        request.scope[NOTES]["route"] = "metrics"
        who = await server.who(request)
        if "read" not in who.grants or who.sources is not None:
            raise NotAllowed("a remote client", "read the metrics", "it needs the grant 'read' of every source")
        return Response(generate_latest(server.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    async def interface(request: Request) -> Response:
        request.scope[NOTES]["route"] = "openapi"
        return JSONResponse(routes.document())

    return [
        Route(HEALTH, health),
        Route("/readyz", ready),
        Route("/metrics", metrics),
        Route("/openapi.json", interface),
    ]


async def _failure(server: Server, _: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        hint = "look at /openapi.json"
        return refusal(error.status_code, "HttpError", error.detail.lower(), hint, error.headers)
    assert isinstance(error, CortexError | sqlite3.Error)  # noqa: S101  what it is registered for
    outcome = failed(error, server.path)
    headers = {"www-authenticate": "Bearer"} if isinstance(error, TokenNeeded) else {}
    return Response(outcome.body, outcome.status, headers | later(outcome), media_type=JSON)


async def _gone(_: Request, __: Exception) -> Response:
    """Nobody reads this but the log: the client hung up before it had sent everything."""
    return Response(status_code=HUNG_UP)


async def _bug(server: Server, _: Request | None, error: Exception) -> Response:
    """Say that it failed; where, but not with what, goes to the log: an exception's text may quote what was sent."""
    here = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    server.log(bug=type(error).__name__, at=(_frames_elsewhere(error) or here)[-5:])
    return refusal(500, "Bug", "Cortex failed", "report what the server's log says of it")


def _frames_elsewhere(error: Exception) -> list[str]:
    """Where it failed in another process, which tells it as text; of that its first frames, for the rest may quote."""
    _, _, told = str(error.__cause__ or "").partition("Traceback (most recent call last):\n")
    frames = takewhile(lambda line: line.startswith(" "), told.splitlines())
    return [f"{found[1]}:{found[2]}" for line in frames if (found := _FRAME.match(line))]

"""The SDK's own client, connected to a real server: a process on standard input and output, or HTTP on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from cortex.settings import Settings
from cortex.substrate.address import argument
from cortex.surfaces.contract import Call, Caller
from cortex.surfaces.mcp_server import Context, build
from tests.sources import ROOT
from tests.surfaces.conftest import NOW
from tests.trees import until
from tests.warm import program

Returned = TypeVar("Returned")


def call(path: Path, caller: Caller, **more: object) -> Call:
    """A call to the brain at *path* at a fixed moment, with the time that a busy machine may take."""
    return Call(caller=caller, path=path, settings=Settings(request_seconds=180), now=NOW, **more)  # type: ignore[arg-type]


def on_stdio(
    path: Path,
    act: Callable[[Client], Awaitable[Returned]],
    *options: str,
    cwd: Path = ROOT,
    **client: Any,  # noqa: ANN401
) -> Returned:
    """What *act* returns, given a *client* of `cortex mcp` in a process of its own, started in *cwd*."""
    server = StdioServerParameters(
        command=program(), args=["--db", argument(path), "mcp", "run", *options], cwd=str(cwd),
        env={"CORTEX_REQUEST_SECONDS": "180"},
    )  # fmt: skip
    return _run(server, act, **client)


def on_http(path: Path, act: Callable[[Client], Awaitable[Returned]], caller: Caller = "remote") -> Returned:
    """What *act* returns, given a client of streamable HTTP on loopback."""
    with served(lambda _: call(path, caller)) as address:
        return _run(address, act)


def _run(
    server: StdioServerParameters | str,
    act: Callable[[Client], Awaitable[Returned]],
    **options: Any,  # noqa: ANN401
) -> Returned:
    async def session() -> Returned:
        async with Client(server, **options) as client:
            return await act(client)

    return anyio.run(session)


@contextmanager
def served(calls: Callable[[Context], Call]) -> Iterator[str]:
    """The address of an MCP server on loopback."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        config = uvicorn.Config(build(calls).streamable_http_app(), log_level="warning")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        until(lambda: server.started)
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.should_exit = True
            thread.join(timeout=180)


def unfenced(text: str) -> str:
    """What stands between the two marks of a fence, which is all of *text*."""
    first, *lines, last = text.splitlines()
    tag = first.removeprefix("<").partition(" ")[0]
    assert (tag[:5], last) == ("data-", f"</{tag}>")
    return "\n".join(lines)

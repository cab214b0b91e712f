"""A server on loopback, in a thread of the test, and raw requests to it."""

from __future__ import annotations

import http.client
import io
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from cortex.settings import Settings
from cortex.surfaces.commands.serving import listening_at
from cortex.surfaces.http.app import application
from cortex.surfaces.http.patience import Patience
from cortex.surfaces.http.server import Options, Server

JSON = {"content-type": "application/json"}


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401  whatever the document holds
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The type of the error."""
        found: str = self.json["error"]["type"]
        return found


class Site(NamedTuple):
    """A running server."""

    port: int
    server: Server
    log: io.StringIO

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(
        self, method: str, path: str, body: bytes | str | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send one request with these headers and no others but its own host and length."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        given = {name.lower(): value for name, value in (headers or {}).items()}
        try:
            connection.putrequest(method, path, skip_host="host" in given, skip_accept_encoding=True)
            content = body.encode() if isinstance(body, str) else body
            if content is not None and "content-length" not in given:
                connection.putheader("Content-Length", str(len(content)))
            for name, value in given.items():
                connection.putheader(name, value)
            connection.endheaders()
            with suppress(BrokenPipeError, ConnectionResetError):  # it has answered before it was told everything
                connection.send(content or b"")
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def call(self, operation: str, *, bearer: str = "", **given: Any) -> Reply:  # noqa: ANN401  any parameters
        """Call an operation, with the token called *bearer*."""
        header = {"authorization": f"Bearer token of {bearer}"} if bearer else {}
        return self.send("POST", f"/v1/{operation}", json.dumps(given), {**JSON, **header})

    def lines(self, least: int = 1) -> list[dict[str, Any]]:
        """What stands in the log, at *least* so many lines, each written once an answer has been sent."""
        end = time.monotonic() + 30
        while self.log.getvalue().count("\n") < least and time.monotonic() < end:
            time.sleep(0.01)
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


@contextmanager
def serving(path: Path, settings: Settings | None = None, **options: Any) -> Iterator[Site]:  # noqa: ANN401
    """Serve the brain at *path* as `cortex serve` does, in threads unless *options* say otherwise."""
    log = io.StringIO()
    listening = listening_at("127.0.0.1", 0)
    patient = Settings(db=path, request_seconds=180)  # a busy machine may take long for anything
    server = Server(path, settings or patient, Options(**{"processes": 0} | options), log=log)
    running = uvicorn.Server(
        uvicorn.Config(
            application(server),
            log_config=None,
            access_log=False,
            ws="none",
            http=Patience,
            timeout_graceful_shutdown=5,
        )
    )
    thread = threading.Thread(target=running.run, args=([listening],))
    thread.start()
    try:
        yield Site(listening.getsockname()[1], server, log)
    finally:
        running.should_exit = True
        thread.join()
        listening.close()

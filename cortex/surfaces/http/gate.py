"""What every request passes first, whatever it asks for: names it may call us by, limits, headers, log and metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from time import perf_counter
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cortex.surfaces.http.metrics import Metrics
from cortex.surfaces.wording import spoken

HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every response. No script runs but ours, and none may turn text into markup, whatever a record says."""

METHODS: Final = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
"""Those that the log names: any other is a word of the client's own."""

AT_ONCE: Final = 500
"""Requests that are being answered; whoever sends another is told to come again, but who asks whether we are up."""

HEALTH: Final = "/healthz"

NOTES: Final = "cortex.notes"  # where in its scope a request keeps what is to be logged of it


class Gate:
    """Refuses what another site's page could make a browser send, and notes each request by its shape.

    Args:
        hosts: names this server may be called by, without ports: a page of any other name is refused, so that no
            name can be pointed at this machine (DNS rebinding).
        origins: of pages elsewhere that may call; pages we serve always may.
        most: bytes that the body of a request to a path may have.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Collection[str], origins: Collection[str], metrics: Metrics,
        log: Callable[..., None], most: Callable[[str], int],
    ) -> None:  # fmt: skip
        self.app, self.hosts, self.origins, self.metrics, self.log = app, hosts, origins, metrics, log
        self.most, self._running = most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = perf_counter()
        notes: dict[str, Any] = {"route": "none"}
        scope[NOTES] = notes
        sent = {"status": 0, "bytes": 0}

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            else:
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        self.metrics.open.inc()
        self._running += 1
        try:
            problem = self._problem(Headers(scope=scope), self.most(scope["path"]))
            if problem is None and self._running > AT_ONCE and scope["path"] != HEALTH:
                problem = refusal(503, "TooBusy", "too many requests run", "send it again soon", {"retry-after": "1"})
            if problem is None:
                await self.app(scope, receive, noted)
            else:
                await problem(scope, receive, noted)
        except Exception:  # any: Starlette raises again, for the log, what it answered 500
            if not sent["status"]:
                raise
        finally:
            self._running -= 1
            self.metrics.open.dec()
            self._note(scope, notes, sent, perf_counter() - started)

    def _problem(self, headers: Headers, most: int) -> JSONResponse | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _name(hosts[0]) not in self.hosts:
            return refusal(421, "WrongHost", "this server is not called that", "start it with: --allow-host NAME")
        origin = headers.get("origin")
        ours = {f"http://{hosts[0].lower()}", f"https://{hosts[0].lower()}", *self.origins}
        if origin is not None and origin.lower() not in ours:
            return refusal(
                403, "WrongOrigin", "pages of that origin may not call", "start it with: --allow-origin ORIGIN"
            )
        if int(headers.get("content-length", 0)) > most:
            return refusal(413, "TooLarge", "the body is too large", f"send at most {most:,} bytes")
        return None

    def _note(self, scope: Scope, notes: Mapping[str, Any], sent: Mapping[str, int], seconds: float) -> None:
        route = notes["route"]
        self.metrics.requests.labels(route, sent["status"]).inc()
        self.metrics.seconds.labels(route).observe(seconds)
        line = {"method": scope["method"] if scope["method"] in METHODS else "?", **notes, **sent}
        self.log(**line, ms=round(seconds * 1000, 1))


def refusal(status: int, type_: str, message: str, hint: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """An error as every route sends it."""
    content = {"error": {"type": type_, "message": message, "hint": spoken(hint)}}
    return JSONResponse(content, status_code=status, headers=headers)


def _name(host: str) -> str:
    """A Host header without its port.

    >>> _name("LOCALHOST:8765"), _name("[::1]:80"), _name("127.0.0.1")
    ('localhost', '[::1]', '127.0.0.1')
    """
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()

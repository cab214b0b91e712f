"""What every request passes first, whatever it asks for: names it may call us by, limits, headers, log and metrics."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from functools import partial
from math import ceil
from time import perf_counter
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cortex.errors import TooManyRequests
from cortex.surfaces.http.telemetry import Telemetry
from cortex.surfaces.wording import spoken

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        self.requests = counter("cortex_requests", "Requests that were answered", ["route", "status"])
        self.seconds = Histogram(
            "cortex_request_seconds", "How long they took", ["route"], buckets=_BUCKETS, registry=self.registry
        )
        self.open = gauge("cortex_requests_open", "Requests that are being answered")
        self.answers = counter("cortex_answers", "Questions by what came of them", ["result"])
        self.deliveries = counter("cortex_deliveries", "Deliveries of webhooks by what came of them", ["result"])
        self.hung_up = counter("cortex_hung_up", "Connections that were closed on clients who kept us waiting", ["why"])
        self.facts_due = gauge("cortex_facts_due", "Sources of which what was delivered waits for its facts")


KNOWN: Final = 10_000
"""Callers that are remembered; whoever has not called for longest is forgotten, and starts with a full bucket."""


class Rate:
    """So many requests a minute for each caller; 0 is any number.

    Source: the token bucket, https://en.wikipedia.org/wiki/Token_bucket.
    """

    def __init__(self, a_minute: int) -> None:
        self.a_minute = a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, caller: str, *, at: float) -> None:
        """Count a request that *caller* sends at *at* seconds of any steady clock."""
        if not self.a_minute:
            return
        left, since = self._left.get(caller, (self.a_minute, at))
        left = min(self.a_minute, left + (at - since) * self.a_minute / 60)
        if left < 1:
            raise TooManyRequests(seconds=max(1, ceil((1 - left) * 60 / self.a_minute)))
        self._left[caller] = left - 1, at
        self._left.move_to_end(caller)
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)


def shapes(given: Mapping[str, object], known: Collection[str]) -> dict[str, object]:
    """The shape of each parameter; those nobody knows are counted, for their names are contents too.

    >>> shapes({"question": "who owns it?", "limit": 5, "sources": ["a", "b"], "my secret": 1}, ["question", "limit",
    ... "sources"])
    {'question': 'text 12', 'limit': 'number', 'sources': 'list 2', 'unknown': 1}
    """
    told: dict[str, object] = {name: _shape(value) for name, value in given.items() if name in known}
    unknown = sum(name not in known for name in given)
    return told | ({"unknown": unknown} if unknown else {})


def _shape(value: object) -> str:
    kind = {str: "text", int: "number", float: "number"}.get(type(value), type(value).__name__)
    return f"{kind} {len(value)}" if isinstance(value, str | list) else kind


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
        log: Callable[..., None], most: Callable[[str], int], telemetry: Telemetry | None = None,
    ) -> None:  # fmt: skip
        self.app, self.hosts, self.origins, self.metrics, self.log = app, hosts, origins, metrics, log
        self.telemetry = telemetry
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
        if self.telemetry:
            self.telemetry.note(line["method"], route, sent["status"], seconds, Headers(scope=scope))


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

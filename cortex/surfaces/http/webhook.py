"""The endpoint GitHub delivers to: `POST /webhooks/github`, signed with a secret that both sides hold."""

from __future__ import annotations

import asyncio
import hmac
import json
import sqlite3
from collections import Counter
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cortex.errors import CortexError, DeliveryRepeated, DeliveryUnsigned
from cortex.indexers.connectors.github_events import HELD, delivered, repository
from cortex.indexers.delivering import source_called, store
from cortex.indexers.reading import OriginReport
from cortex.indexers.run import index
from cortex.substrate.access import forget_delivery, take_delivery
from cortex.substrate.brain import open_brain
from cortex.surfaces.http.gate import NOTES, refusal
from cortex.surfaces.http.server import Server

PATH: Final = "/webhooks/github"
SIGNATURE: Final = "X-Hub-Signature-256"
MOST: Final = 5_000_000
"""Bytes of a delivery."""

UNUSED: Final = "nothing is read from this event"
PUSHED: Final = (
    "commits and files are read from a clone, which this is none of: where it is, git pull && cortex index, or cortex"
    " install-hook for each pull to be indexed"
)
"""What is said of events that are taken and bring nothing."""

TOGETHER_S: Final = 1.0
"""Deliveries that come within this time have their facts made together."""


def is_signed(body: bytes, sent: str, secret: str) -> bool:
    """Whether *sent* is the signature of *body*.

    Source: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    """
    wanted = "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), sent.encode())


class Facts:
    """Makes the facts of what was delivered, source by source, while the server runs."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.due: set[str] = set()
        self._news = asyncio.Event()

    def note(self, source: str) -> None:
        """Have the facts of *source* made soon."""
        self.due.add(source)
        self._news.set()

    async def run(self) -> None:
        """Go on until cancelled; what is being made then is finished by the next index run."""
        while True:
            await self._news.wait()
            await asyncio.sleep(TOGETHER_S)
            self._news.clear()
            while self.due:
                await self.server.workers.thread(partial(self.make, self.due.pop()))

    def make(self, source: str) -> None:
        """Promote and distill what is due of *source*; what fails is told, and is due again the next time."""
        try:
            with open_brain(self.server.path) as brain:
                index(brain, [], source=source, authority=self.server.settings.authority, now=self.server.now())
        except (CortexError, sqlite3.Error, OSError) as error:
            self.server.log(facts_of=source, error=type(error).__name__)


def route(server: Server, facts: Facts) -> Route:
    """The endpoint; where no secret is set nothing is there."""
    setting = server.settings.github_webhook_secret
    secret = setting.get_secret_value() if setting else ""

    async def deliver(request: Request) -> Response:
        request.scope[NOTES]["route"] = "webhook"
        if not secret:
            return refusal(404, "NoWebhook", "no webhook is taken here", "set CORTEX_GITHUB_WEBHOOK_SECRET")
        body = await request.body()
        result = "refused"
        try:
            if not is_signed(body, request.headers.get(SIGNATURE, ""), secret):
                raise DeliveryUnsigned(SIGNATURE)
            response = await _taken(server, facts, request, body)
            result = "taken"
        finally:
            server.metrics.deliveries.labels(result).inc()
        return response

    return Route(PATH, deliver, methods=["POST"], max_body_size=MOST)


async def _taken(server: Server, facts: Facts, request: Request, body: bytes) -> Response:
    event, id_ = request.headers.get("X-GitHub-Event", ""), request.headers.get("X-GitHub-Delivery", "")
    payload: Any = None
    with suppress(ValueError, RecursionError):
        payload = json.loads(body)
    if not (isinstance(payload, dict) and event and id_):
        hint = "deliver application/json with X-GitHub-Event and X-GitHub-Delivery"
        return refusal(400, "NoDelivery", "this is no delivery of GitHub", hint)
    request.scope[NOTES]["event"] = event if event in (*HELD, "ping", "push") else "other"
    if event not in HELD:
        unused = {"unused": PUSHED if event == "push" else UNUSED} if event != "ping" else {}
        return JSONResponse({"event": event, "stored": 0} | unused, status_code=202 if unused else 200)
    source, report = await server.workers.thread(lambda: _stored(server, event, id_, body, payload))
    counts = Counter(added=report.added, replaced=report.replaced, unchanged=report.unchanged, gone=report.gone)
    if report.added or report.replaced or report.gone:
        facts.note(source)
    return JSONResponse({"event": event, "source": source, **counts, "skipped": report.skipped}, status_code=202)


def _stored(server: Server, event: str, id_: str, body: bytes, payload: dict[str, Any]) -> tuple[str, OriginReport]:
    now = server.now()
    with open_brain(server.path) as brain:
        source = source_called(brain, repository(payload))
        if not take_delivery(brain, id_, body, event, now=now):
            raise DeliveryRepeated(id_)
        try:
            found = delivered(event, payload, source=source, where=f"delivery {id_}")
            return source, store(brain, found, source=source, authority=server.settings.authority, now=now)
        except BaseException:
            forget_delivery(brain, id_, body)  # GitHub may send it again
            raise

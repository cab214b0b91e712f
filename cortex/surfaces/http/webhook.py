"""The endpoint GitHub delivers to: `POST /webhooks/github`, signed with a secret that both sides hold."""

from __future__ import annotations

import asyncio
import hmac
import json
import sqlite3
from collections import Counter
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cortex.errors import CortexError, DeliveryRepeated, DeliveryUnsigned, LeaseLost
from cortex.indexers.delivering import HELD, delivered, repository, source_called, store
from cortex.indexers.reading import OriginReport
from cortex.indexers.run import due_sources, index
from cortex.substrate.access import is_delivered, note_delivery
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.queue import backoff_s
from cortex.substrate.sources import as_listed, source_id, source_names
from cortex.substrate.tasks import Held, abandon, enqueue, finish, lease, prove, release
from cortex.surfaces.http.gate import NOTES, refusal
from cortex.surfaces.http.server import Server
from cortex.surfaces.worker import LEASE_S, Lease, Stopping
from cortex.surfaces.working import alive, crew_here, this_process

PATH: Final = "/webhooks/github"
SIGNATURE: Final = "X-Hub-Signature-256"
MOST: Final = 5_000_000  # bytes of a delivery
UNUSED: Final = "nothing is read from this event"
PUSHED: Final = (
    "commits and files are read from a clone, which this is none of: where it is, git pull && cortex index, or cortex"
    " install-hook for each pull to be indexed"
)
"""What is said of events that are taken and bring nothing."""

OPERATION: Final = "queue_work"
TOGETHER_S: Final = 1.0  # deliveries that come within this time have their facts made together
AGAIN_S: Final = 5.0  # after which facts that could not be made are tried again; each time it is twice as long
LONGEST_S: Final = 300.0

_FAILED: Final = (CortexError, sqlite3.Error, OSError)


def is_signed(body: bytes, sent: str, secret: str) -> bool:
    """Whether *sent* is the signature of *body*.

    Source: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    """
    wanted = "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), sent.encode())


class Facts:
    """Makes the facts of what was delivered while the server runs, unless a worker is there first: they are tasks.

    What is due is what the brain says is: nothing that was delivered is forgotten, whatever becomes of a server.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.news = asyncio.Event()  # of what is due; it is made soon
        self.stopping = Stopping()  # leaves off as soon as that may be; what is left stays due

    async def run(self) -> None:
        """Make what is due now, what is delivered from now on, and again what could not be made, until cancelled."""
        waits = AGAIN_S
        while True:
            self.news.clear()
            done = await to_thread.run_sync(self.make)
            waits = AGAIN_S if done else min(2 * waits, LONGEST_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), None if done else waits)
                await asyncio.sleep(TOGETHER_S)

    def make(self) -> bool:
        """Promote and distill what is due, a task a source; False where some is left. What failed is told."""
        try:
            with open_brain(self.server.path, make=False) as brain:
                abandon(brain, alive)
                for source in due_sources(brain):
                    enqueue(brain, OPERATION, source_id=source_id(brain, source), key="facts", now=self.server.now())
                while not self.stopping.is_told and (held := self._lease(brain)):
                    self._make(brain, held)
                left = len(due_sources(brain))
        except _FAILED as error:
            self.server.log(facts_of="any source", error=type(error).__name__)
            return False
        self.server.metrics.facts_due.set(left)
        return not left

    def _lease(self, brain: Brain) -> Held | None:
        return lease(brain, owner=this_process(), lease_s=LEASE_S, operation=OPERATION, now=self.server.now())

    def _make(self, brain: Brain, held: Held) -> None:
        settings, now = self.server.settings, self.server.now()
        source = source_names(brain).get(held.source_id, "")
        crew = crew_here(1, settings.cache_folder)._replace(sleep=None)  # what has to wait is left for the next time
        try:
            with Lease(brain, held, self.stopping) as kept, open_brain(self.server.path, make=False) as own:
                index(
                    own.fenced(partial(prove, held)), [], source=source, authority=settings.authority, crew=crew,
                    progress=kept.progress, command="deliver", now=now,
                )  # fmt: skip
        except (CancelledError, LeaseLost):
            release(brain, held, now=self.server.now())
        except _FAILED as error:
            self.server.log(facts_of=source, error=type(error).__name__)
            after_s = backoff_s(held.id, held.attempts + 1)
            finish(brain, held, "failed", error=str(error), after_s=after_s, now=self.server.now())
        else:
            finish(brain, held, "done", now=self.server.now())


def secret_of(server: Server, source: str) -> str:
    """What deliveries of the repository called *source* are signed with; '' where none is taken."""
    secrets = server.settings.github_webhook_secrets
    setting = secrets.get(as_listed(source, secrets), server.settings.github_webhook_secret)
    return setting.get_secret_value() if setting else ""


def takes_any(server: Server) -> bool:
    """Whether a secret is set."""
    return bool(server.settings.github_webhook_secret or server.settings.github_webhook_secrets)


def route(server: Server, facts: Facts) -> Route:
    """The endpoint; where no secret is set nothing is there."""

    async def deliver(request: Request) -> Response:
        request.scope[NOTES]["route"] = "webhook"
        if not takes_any(server):
            return refusal(404, "NoWebhook", "no webhook is taken here", "set CORTEX_GITHUB_WEBHOOK_SECRET")
        body = await request.body()
        result = "refused"
        try:
            payload: Any = None
            with suppress(ValueError, RecursionError):
                payload = json.loads(body)
            secret = secret_of(server, repository(payload) if isinstance(payload, dict) else "")
            if not secret or not is_signed(body, request.headers.get(SIGNATURE, ""), secret):
                raise DeliveryUnsigned(SIGNATURE)
            response = await _taken(server, facts, request, body, payload)
            result = "taken"
        finally:
            server.metrics.deliveries.labels(result).inc()
        return response

    return Route(PATH, deliver, methods=["POST"], max_body_size=MOST)


async def _taken(server: Server, facts: Facts, request: Request, body: bytes, payload: Any) -> Response:  # noqa: ANN401
    event, id_ = request.headers.get("X-GitHub-Event", ""), request.headers.get("X-GitHub-Delivery", "")
    if not (isinstance(payload, dict) and event and id_):
        hint = "deliver application/json with X-GitHub-Event and X-GitHub-Delivery"
        return refusal(400, "NoDelivery", "this is no delivery of GitHub", hint)
    request.scope[NOTES]["event"] = event if event in (*HELD, "ping", "push") else "other"
    if event not in HELD:
        unused = {"unused": PUSHED if event == "push" else UNUSED} if event != "ping" else {}
        return JSONResponse({"event": event, "stored": 0} | unused, status_code=202 if unused else 200)
    source, report = await server.workers.write(lambda: _stored(server, event, id_, body, payload))
    counts = Counter(added=report.added, replaced=report.replaced, unchanged=report.unchanged, gone=report.gone)
    facts.news.set()
    return JSONResponse({"event": event, "source": source, **counts, "skipped": report.skipped}, status_code=202)


def _stored(server: Server, event: str, id_: str, body: bytes, payload: dict[str, Any]) -> tuple[str, OriginReport]:
    now = server.now()
    with open_brain(server.path, make=False) as brain:
        source = source_called(brain, repository(payload))
        if is_delivered(brain, id_, body):
            raise DeliveryRepeated(id_)
        found = delivered(event, payload, source=source, where=f"delivery {id_}")
        report = store(brain, found, source=source, authority=server.settings.authority, now=now)
        note_delivery(brain, id_, body, event, now=now)
        return source, report

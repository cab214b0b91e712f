"""What one running server is: its brain, its callers, its workers; every route works on this."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Final, TextIO

from starlette.requests import HTTPConnection

from cortex.errors import CortexError, TokenNeeded
from cortex.settings import Settings
from cortex.substrate.access import Token, token_of
from cortex.substrate.sources import source_names
from cortex.surfaces.contract import MAY, Effect
from cortex.surfaces.encoding import Readers, models_of
from cortex.surfaces.http.answering import Asked, Outcome, Warnings, Who
from cortex.surfaces.http.gate import NOTES, Metrics, Rate
from cortex.surfaces.http.telemetry import telemetry
from cortex.surfaces.http.workers import Workers

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
HERE: Final = Who("loopback", MAY["write"], None)
"""Whoever reaches a server that listens on loopback alone and needs no token: this machine's people and programs, any
user's, who may do what an agent may that somebody started here."""

RESULTS: Final = ("answered", "refused")
"""What the log and the metrics call an answer: one that is no refusal, and one that is."""

GUESSES: Final = 30
"""Wrong tokens a minute that one address may send. It may be a proxy's: whoever has a token is let in all the same."""


@dataclass(frozen=True)
class Options:
    """How `cortex serve` was started.

    Attributes:
        hosts: names besides its own that the server may be called by.
        origins: of pages elsewhere that may call.
        rate: requests a minute for each token; 0 is any number.
        open: callers need no token; only ever where loopback alone is listened on.
        may: what callers without a token may do.
        processes: that answer; 0 answers in threads.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    rate: int = 600
    open: bool = True
    may: frozenset[Effect] = MAY["write"]
    processes: int = field(default_factory=lambda: min(8, os.cpu_count() or 1))

    @property
    def names(self) -> frozenset[str]:
        """Every name the server may be called by, as a Host header has it."""
        own = LOOPBACK if self.host in LOOPBACK else (self.host,)
        return frozenset(f"[{name}]" if ":" in name else name.lower() for name in (*own, *self.hosts))


class Server:
    """The state of one server."""

    def __init__(self, path: Path, settings: Settings, options: Options, *, log: TextIO | None = None) -> None:
        self.path, self.settings, self.options = path, settings, options
        self._log = log or sys.stderr
        Warnings.hear()
        self.readers = Readers(path, models_of(settings))
        self.workers = Workers(self.readers, options.processes)
        self.metrics, self.telemetry = Metrics(), telemetry()
        self._rate, self._guesses = Rate(options.rate), Rate(GUESSES)

    def now(self) -> datetime:
        """This moment."""
        return datetime.now(UTC)

    def log(self, **line: object) -> None:
        """Write a line of JSON to the log."""
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()

    def asked(self, operation: str, given: dict[str, object], who: Who) -> Asked:
        """A call of *operation*, made now."""
        return Asked(operation, given, who, self.path, self.settings, self.now())

    async def perform(self, asked: Asked) -> Outcome:
        """Run it; an answer is counted, and what is to be remarked on goes to the log."""
        outcome = await self.workers.perform(asked)
        if outcome.refused is not None:
            self.metrics.answers.labels(RESULTS[outcome.refused]).inc()
        for remark in outcome.remarks:
            self.log(operation=asked.operation, remark=remark)
        return outcome

    async def who(self, connection: HTTPConnection) -> Who:
        """Who makes this request."""
        sent = connection.headers.get("authorization")
        if sent is None and self.options.open:
            return HERE._replace(grants=self.options.may)
        token = await self.workers.look(lambda: self._token(sent)) if sent else None
        if token is None:
            self._guesses.spend(connection.client.host if connection.client else "", at=monotonic())
            raise TokenNeeded("this token is none, or was revoked" if sent else "a token is needed here")
        connection.scope[NOTES]["by"] = token.name
        self._rate.spend(token.name, at=monotonic())
        return Who(f"token {token.name}", frozenset[Effect](token.grants), token.sources)

    def _token(self, sent: str) -> Token | None:
        scheme, _, secret = sent.partition(" ")
        if scheme.lower() != "bearer":
            return None
        with self.readers.lent() as brain:
            return token_of(brain, secret.strip())

    async def problem(self) -> str:
        """Why no question can be answered now; '' where it can."""
        try:
            await self.workers.look(self._look)
        except CortexError as error:
            return type(error).__name__
        return ""

    def _look(self) -> None:
        with self.readers.lent() as brain:
            source_names(brain)

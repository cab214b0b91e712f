"""Running an operation for a remote caller: what comes back is a status and JSON, whatever happened."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from cortex.errors import BrainBusy, BrainFailed, CortexError, ServerAway, TooManyRequests, TooManyWrites, UsageError
from cortex.settings import Settings
from cortex.substrate.address import is_database, shown
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer
from cortex.surfaces.contract import Call, Effect, run
from cortex.surfaces.operations import named
from cortex.surfaces.wording import Surface, spoken, worded

JSON: Final = "application/json"

BUSY_S: Final = 10
"""After which a writer may try again, when another process held the lock for longer than it would wait."""

_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)


class Who(NamedTuple):
    """Who calls, as far as another process has to know."""

    by: str
    grants: frozenset[Effect]
    sources: tuple[str, ...] | None


class Asked(NamedTuple):
    """A call of an operation, in a form that another process can be handed."""

    operation: str
    given: Mapping[str, Any]
    who: Who
    path: Path
    settings: Settings
    now: datetime
    surface: Surface = "http"


class Outcome(NamedTuple):
    """What to send.

    Attributes:
        status: of HTTP.
        body: a JSON object; it is made where the work is done, and sent on as it is.
        refused: whether an answer is the refusal; None of anything but an answer.
        remarks: for whoever runs the server.
        again_s: seconds after which it may be sent again, where waiting is all that it takes.
    """

    status: int
    body: bytes
    refused: bool | None = None
    remarks: tuple[str, ...] = ()
    again_s: int | None = None

    @property
    def content(self) -> dict[str, Any]:
        """The object."""
        found: dict[str, Any] = json.loads(self.body)
        return found


def call_of(
    asked: Asked,
    lent: Callable[[], AbstractContextManager[Brain]] | None = None,
    remark: Callable[[str], None] = lambda _: None,
) -> Call:
    """The call that *asked* is: always a remote one, whoever makes it."""
    return Call(
        caller="remote", path=asked.path, settings=asked.settings, now=asked.now, by=asked.who.by,
        grants=asked.who.grants, sources=asked.who.sources, lent=lent, remark=remark,
    )  # fmt: skip


def perform(asked: Asked, lent: Callable[[], AbstractContextManager[Brain]]) -> Outcome:
    """Run it with a reader that is *lent*."""
    remarks: list[str] = []
    hearing = _heard.set(remarks)
    try:
        operation = named(asked.operation)
        call = call_of(asked, lent, remarks.append)
        with worded(asked.surface, call, operation):
            result = run(operation, call, asked.given)
        refused = result.refused if isinstance(result, Answer) else None
        body = operation.adapter.dump_json(result, by_alias=True)
        return Outcome(200, body, refused, tuple(_placeless(one, asked.path) for one in remarks))
    except (CortexError, sqlite3.Error) as error:
        return failed(error, asked.path, asked.given)
    finally:
        _heard.reset(hearing)


class Warnings(logging.Handler):
    """Makes remarks of what the layers below warn of, such as a model that could not word an answer.

    Without it each would be a line of its own among the lines of JSON that the log is.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it with the call that is being run here, if one is."""
        remarks = _heard.get()
        if remarks is not None:
            remarks.append(record.getMessage())

    @classmethod
    def hear(cls) -> None:
        """Have what any module of Cortex warns of come here, in this process and once."""
        logger = logging.getLogger("cortex")
        if not any(isinstance(handler, cls) for handler in logger.handlers):
            logger.addHandler(cls(logging.WARNING))


def failed(error: CortexError | sqlite3.Error, path: Path, given: Mapping[str, Any] | None = None) -> Outcome:
    """What a client is told of *error*: not where the brain is on this machine, nor whether it guessed that.

    Args:
        given: what the client sent: its own words come back as they are.
    """
    if isinstance(error, sqlite3.Error | BrainFailed | ServerAway):  # a server's words may quote rows and addresses
        said = {"type": "BrainFailed", "message": "the brain failed", "hint": "whoever runs it can try: cortex verify"}
        return _error(503, said)
    said = {"type": type(error).__name__, "message": str(error.args[0]), "hint": spoken(error.hint)}
    if isinstance(error, UsageError) and str(path.parent) in json.dumps(given or {}, ensure_ascii=False):
        return _error(error.http_status, said)
    placeless = {key: _placeless(text, path) for key, text in said.items()}
    if isinstance(error, TooManyRequests | TooManyWrites):
        return _error(error.http_status, placeless, int(error.seconds))
    return _error(error.http_status, placeless, BUSY_S if isinstance(error, BrainBusy) else None)


def later(outcome: Outcome) -> dict[str, str]:
    """The header that says when to come again, where that is all there is to do."""
    return {"retry-after": str(outcome.again_s)} if outcome.again_s else {}


def _error(status: int, said: Mapping[str, str], again_s: int | None = None) -> Outcome:
    return Outcome(status, json.dumps({"error": said}, ensure_ascii=False).encode(), again_s=again_s)


def _placeless(text: str, path: Path) -> str:
    if is_database(path):
        text = text.replace(shown(path), "the brain's database")
    return text.replace(str(path), "the brain's file").replace(str(path.parent), "its folder")

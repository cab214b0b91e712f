"""Running an operation for a remote caller: what comes back is a status and JSON, whatever happened."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cortex.errors import CortexError
from cortex.settings import Settings
from cortex.substrate.brain import Brain
from cortex.surfaces.contract import Call, Effect, as_json, run
from cortex.surfaces.http.readers import Readers
from cortex.surfaces.operations import named


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


class Outcome(NamedTuple):
    """An HTTP status and the JSON object to send with it."""

    status: int
    content: dict[str, Any]


def call_of(asked: Asked, lent: AbstractContextManager[Brain] | None = None) -> Call:
    """The call that *asked* is: always a remote one, whoever makes it."""
    return Call(
        caller="remote", path=asked.path, settings=asked.settings, now=asked.now, by=asked.who.by,
        grants=asked.who.grants, sources=asked.who.sources, lent=(lambda: lent) if lent else None,
    )  # fmt: skip


def perform(asked: Asked, readers: Readers | None = None) -> Outcome:
    """Run it with an open reader; *readers* are this process's own by default."""
    try:
        operation = named(asked.operation)
        result = run(operation, call_of(asked, (readers or _readers(asked.path)).lent()), asked.given)
        return Outcome(200, as_json(result, operation))
    except (CortexError, sqlite3.Error) as error:
        return failed(error, asked.path)


def failed(error: CortexError | sqlite3.Error, path: Path) -> Outcome:
    """What a client is told of *error*: not where the brain is on this machine."""
    if isinstance(error, sqlite3.Error):
        said = {"type": "BrainFailed", "message": "the brain failed", "hint": "whoever runs it can try: cortex verify"}
        return Outcome(503, {"error": said})
    said = {"type": type(error).__name__, "message": str(error.args[0]), "hint": error.hint}
    return Outcome(error.http_status, {"error": {key: _placeless(text, path) for key, text in said.items()}})


def _placeless(text: str, path: Path) -> str:
    return text.replace(str(path), "the brain").replace(str(path.parent), "its folder")


@cache
def _readers(path: Path) -> Readers:
    return Readers(path)

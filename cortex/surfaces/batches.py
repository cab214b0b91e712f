"""Asking and searching for many lines at once, which the command line offers for evals and exports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic import ConfigDict, Field

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.errors import CortexError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Hit, Scope, Value, storable
from cortex.substrate.sources import readable
from cortex.surfaces.composers import Models


class Answered(Answer):
    """One answer of a batch, with the id its question came with."""

    id: Any

    model_config = ConfigDict(title="Answered")


class Found(Value):
    """What one query of a batch found, best first."""

    id: Any
    hits: tuple[Hit, ...]


class Unusable(Value):
    """A line of a batch that cannot be used."""

    line: int = Field(description="from 1")
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def ask_batch(
    brain: Brain, lines: Iterable[str], *, scope: Scope, models: Models | None = None, now: datetime | None = None
) -> Iterator[Answered | Unusable]:
    """Answer each of *lines*, JSON objects with an `id` and a `question`, in their order.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    readable(brain, scope)
    for number, id_, text in _rows(lines, "question"):
        if isinstance(text, Unusable):
            yield text
            continue
        try:
            answer = ask(brain, text, scope=scope, now=now, **(models or {}))
        except CortexError as error:
            yield Unusable(line=number, reason=str(error))
        else:
            yield Answered.model_construct(id=id_, **dict(answer))


def search_batch(brain: Brain, lines: Iterable[str], *, scope: Scope, limit: int) -> Iterator[Found | Unusable]:
    """Search for each of *lines*, JSON objects with an `id` and a `query`, in their order.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    readable(brain, scope)
    for number, id_, text in _rows(lines, "query"):
        if isinstance(text, Unusable):
            yield text
            continue
        try:
            hits = search(brain, text, scope=scope, limit=limit)
        except CortexError as error:
            yield Unusable(line=number, reason=str(error))
        else:
            yield Found(id=id_, hits=tuple(hits))


def _rows(lines: Iterable[str], wanted: str) -> Iterator[tuple[int, Any, str | Unusable]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            yield number, None, Unusable(line=number, reason="not JSON")
            continue
        text = row.get(wanted) if isinstance(row, dict) else None
        if not isinstance(row, dict) or "id" not in row:
            yield number, None, Unusable(line=number, reason=f"no object with an id and a {wanted}")
        elif not isinstance(text, str):
            yield number, None, Unusable(line=number, reason=f"{wanted} is no text")
        else:
            id_ = storable(row["id"]) if isinstance(row["id"], str) else row["id"]
            yield number, id_, storable(text)

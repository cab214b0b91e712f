"""Asking and searching for many lines at once, which the command line offers for evals and exports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import ConfigDict, Field

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.errors import CortexError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Hit, Scope, Value, storable
from cortex.substrate.sources import readable
from cortex.surfaces.composers import Models

Result = TypeVar("Result")


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
    brain: Brain, lines: Iterable[str], *, scope: Scope, models: Models, now: datetime
) -> Iterator[Answered | Unusable]:
    """Answer each of *lines*, JSON objects with an `id` and a `question`, in their order."""
    readable(brain, scope)
    asked = partial(ask, brain, scope=scope, now=now, **models)
    return _each(lines, "question", lambda id_, text: Answered.model_construct(id=id_, **dict(asked(text))))


def search_batch(brain: Brain, lines: Iterable[str], *, scope: Scope, limit: int) -> Iterator[Found | Unusable]:
    """Search for each of *lines*, JSON objects with an `id` and a `query`, in their order."""
    readable(brain, scope)
    sought = partial(search, brain, scope=scope, limit=limit)
    return _each(lines, "query", lambda id_, text: Found(id=id_, hits=tuple(sought(text))))


def _each(lines: Iterable[str], wanted: str, done: Callable[[Any, str], Result]) -> Iterator[Result | Unusable]:
    """What is done with the id and the text of each line, or why it cannot be used."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            yield Unusable(line=number, reason="not JSON")
            continue
        if not isinstance(row, dict) or "id" not in row:
            yield Unusable(line=number, reason=f"no object with an id and a {wanted}")
        elif not isinstance(text := row.get(wanted), str):
            yield Unusable(line=number, reason=f"{wanted} is no text")
        else:
            try:
                yield done(storable(row["id"]) if isinstance(row["id"], str) else row["id"], storable(text))
            except CortexError as error:
                yield Unusable(line=number, reason=str(error))

"""Tasks for workers: adding, stopping and resuming them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from cortex.errors import UsageError
from cortex.substrate import tasks
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Text, Value
from cortex.substrate.sources import as_held, find_source, readable, source_names
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.naming import location_of, source_at
from cortex.surfaces.operations.parameters import GREATEST, LONGEST_NAME
from cortex.surfaces.operations.upkeep import Place

OPERATIONS: Final = {"index": "index", "facts": "queue_work", "compact": "compact"}
"""The operation of each kind of task."""


class Added(Place):
    """What is to be done, and how soon."""

    task: Annotated[
        Literal["index", "facts", "compact"],
        Field(description="What to do: read a project, make the facts that are due, or clean them."),
    ] = "index"
    priority: int = Field(0, ge=0, le=1000, description="What is more urgent is done first.")
    key: Annotated[
        Text | None, Flag("--key", "KEY"),
        Field(max_length=LONGEST_NAME, description="A task of this key is done once, however often it is added."),
    ] = None  # fmt: skip


class Numbered(Parameters):
    """Which tasks are meant."""

    tasks: Annotated[tuple[Annotated[int, Field(ge=1, le=GREATEST)], ...], Flag("", metavar="TASK...")] = Field(
        description="Their numbers."
    )


class Enqueued(Value):
    """The tasks that are due."""

    tasks: tuple[int, ...] = Field(description="their numbers")
    added: int = Field(description="how many were not due before")


class Stopped(Value):
    """How many tasks were changed."""

    tasks: int


@operation("admin", "cortex queue add ~/src/parser --priority 5", local=True, command="queue add", tool=False)
def queue_add(call: Call, asked: Added) -> Enqueued:
    """Add a task for a worker: index a project as `cortex index` does, make facts, or compact.

    PATH is read on the worker's machine. A source has one task of each kind and place: added again while it waits,
    nothing changes; while a worker has it, it is done again after that. Facts and compactions are of each source
    where none is named.
    """
    with call.maker() as brain:
        given = asked.model_dump(mode="json", exclude_unset=True, exclude={"task", "priority", "key"})
        done = [
            tasks.enqueue(
                brain, OPERATIONS[asked.task], source_id=source_id, key=asked.key or key, parameters=parameters,
                priority=asked.priority, once=asked.key is not None, now=call.now,
            )
            for source_id, key, parameters in _asked(brain, asked, given)
        ]  # fmt: skip
    return Enqueued(tasks=tuple(number for number, _ in done), added=sum(new for _, new in done))


def _asked(brain: Brain, asked: Added, given: dict[str, Any]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The source, by its id, the key and the parameters of each task."""
    if asked.task != "index":
        if asked.path or asked.export or asked.github:
            raise UsageError(f"{asked.task} reads no place", hint="name a source")
        wanted = readable(brain, Scope(sources=(asked.source,))) if asked.source else source_names(brain)
        for source_id in wanted:
            yield source_id, asked.task, {}
        return
    if asked.export and asked.github:
        raise UsageError("--github and --github-export are the same rows", hint="give one of them")
    path = asked.path or (None if asked.export or asked.github else Path())
    named = {"path": path, "export": asked.export}
    places = {name: str(place.expanduser().absolute()) for name, place in named.items() if place}
    place = Path(places.get("path") or places.get("export") or "")
    name = asked.source or (asked.github if not places else source_at(brain, location_of(place)))
    known = find_source(brain, as_held(brain, name)) if name else None
    key = " ".join(filter(None, ["index", *places.values(), asked.github, asked.source]))
    yield known or 0, key, given | places


@operation("admin", "cortex queue cancel 12", command="queue cancel", tool=False)
def queue_cancel(call: Call, asked: Numbered) -> Stopped:
    """Have tasks never be done; one that a worker has is given up at its next step.

    What it wrote by then stays.
    """
    return _stop(call, asked, "cancel")


@operation("admin", "cortex queue pause 12", command="queue pause", tool=False)
def queue_pause(call: Call, asked: Numbered) -> Stopped:
    """Have tasks wait until they are resumed; one that a worker has is given back at its next step."""
    return _stop(call, asked, "pause")


@operation("admin", "cortex queue resume 12", command="queue resume", tool=False)
def queue_resume(call: Call, asked: Numbered) -> Stopped:
    """Make tasks due that were paused or cancelled, failed or died."""
    with call.writer() as brain:
        return Stopped(tasks=tasks.resume(brain, asked.tasks, scope=call.scope(brain, ())))


def _stop(call: Call, asked: Numbered, wish: Literal["pause", "cancel"]) -> Stopped:
    with call.writer() as brain:
        return Stopped(tasks=tasks.stop(brain, asked.tasks, wish, scope=call.scope(brain, ()), now=call.now))

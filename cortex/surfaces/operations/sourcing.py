"""Remove, rename and archive a source."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import remove_source, rename_source, set_aside, source_id, source_names
from cortex.substrate.status import status as count
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.journaling import journal_of, keep_choice
from cortex.surfaces.operations.parameters import LONGEST_NAME, Said


class OfSource(Parameters):
    """Which source."""

    name: Annotated[Said, Flag(metavar="NAME")] = Field(max_length=LONGEST_NAME, description="What it is called.")


class Removal(OfSource):
    """Which source, and whether it is meant."""

    yes: Annotated[bool, Field(description="Remove it; else only say what would go.")] = False


class Renaming(OfSource):
    """Which source, and what to call it."""

    to: Annotated[Said, Flag(metavar="NEW")] = Field(max_length=200, description="What to call it.")


class Archiving(OfSource):
    """Which source, and whether it is to be read again."""

    undo: Annotated[bool, Field(description="Read it again where no source is named.")] = False


class Sourced(Value):
    """What became of a source."""

    name: str
    did: Literal["removed", "renamed", "archived", "restored", "unchanged"]
    records: int = Field(description="that it holds, or held")
    facts: int


@operation("admin", "cortex sources remove acme/parser --yes", command="sources remove", tool=False)
def source_remove(call: Call, asked: Removal) -> Sourced:
    """Remove a source and all that was read of it.

    Files, notes and outcomes stay where they are: index it again, and it is as it was. Without `yes` it only says what
    would go.
    """
    with call.writer() as brain:
        found, id_ = _found(call, brain, asked.name)
        if asked.yes:
            remove_source(brain, id_)
        return found.model_copy(update={"did": "removed" if asked.yes else "unchanged"})


@operation("admin", "cortex sources rename parser acme/parser", command="sources rename", tool=False)
def source_rename(call: Call, asked: Renaming) -> Sourced:
    """Call a source by another name.

    Its facts get the handles that indexing under that name gives them.
    """
    with call.writer() as brain:
        found, id_ = _found(call, brain, asked.name)
        was = journal_of(brain, found.name).private.path
        if found.name == asked.to:
            return found
        rename_source(brain, id_, asked.to)
        if was.is_dir():
            was.rename(journal_of(brain, asked.to).private.path)
        keep_choice(brain, asked.to)
        return found.model_copy(update={"name": asked.to, "did": "renamed"})


@operation("admin", "cortex sources archive acme/parser", command="sources archive", tool=False)
def source_archive(call: Call, asked: Archiving) -> Sourced:
    """Leave a source out of reads that name none.

    It is kept, and can be asked by name. A brain that is made anew leaves it out, too.
    """
    with call.writer() as brain:
        found, id_ = _found(call, brain, asked.name)
        if not set_aside(brain, id_, aside=not asked.undo):
            return found
        keep_choice(brain, found.name, archived=not asked.undo)
        return found.model_copy(update={"did": "restored" if asked.undo else "archived"})


def _found(call: Call, brain: Brain, name: str) -> tuple[Sourced, int]:
    id_ = source_id(brain, call.target(brain, name) or name)
    called = source_names(brain)[id_]
    (held,) = count(brain, scope=Scope(sources=(called,))).sources
    records, facts = sum(held.records.values()), sum(held.facts.values())
    return Sourced(name=called, did="unchanged", records=records, facts=facts), id_

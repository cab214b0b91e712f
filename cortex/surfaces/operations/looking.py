"""Get, sources and status: what a brain holds, one thing at a time or counted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

from pydantic import Field

from cortex.compactor.schedule import last_compaction, overdue
from cortex.evals.capture import Usage, usage
from cortex.substrate import lookup
from cortex.substrate.brain import Brain
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.lookup import Shown
from cortex.substrate.model import Text, Value
from cortex.substrate.paging import part
from cortex.substrate.status import Status, last_indexed
from cortex.substrate.status import status as count
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import GREATEST, LONGEST_NAME, Nothing, Sources

LENGTH: Final = 10_000  # characters of a text that are given at once: 2,500 tokens of English


class Named(Parameters):
    """What to look up, and where."""

    name: Annotated[Text, Flag(metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="fact-0a1b2c3d4e5f, issue:496@120-310, PR #958, a commit, an address."
    )
    thread: Annotated[bool, Field(description="All comments in full.")] = False
    start: int = Field(0, ge=0, le=GREATEST, description="`next` of the part before.")
    limit: int = Field(LENGTH, ge=100, le=1_000_000, description="Characters at most.")
    sources: Sources = ()


class Where(Parameters):
    """Where to look."""

    sources: Sources = ()


class Source(Value):
    """A named part of a brain."""

    name: str
    federated: bool = Field(description="reads that name no source include it")
    records: int
    facts: int
    indexed_at: datetime | None = Field(description="when it was last read")


class SourceList(Value):
    """The sources of a brain."""

    sources: tuple[Source, ...]


class Compaction(Value):
    """How the nightly cleaning stands."""

    last: datetime | None
    overdue: bool


class Standing(Status):
    """What a brain holds, how it is kept and how it is used."""

    compaction: Compaction
    usage: Usage | None = Field(description="none where no question was ever captured")


@operation(
    "read",
    "cortex show fact-0a1b2c3d4e5f",
    "cortex show issue:496@120-310",
    "cortex show issue:496 --thread",
    command="show",
)
def get(call: Call, asked: Named) -> Shown:
    """Show a fact, a record or a passage by its handle.

    For the text behind a citation, and its links; a long one in parts.
    """
    with call.reader() as brain:
        show = lookup.show_thread if asked.thread else lookup.show
        return part(show(brain, asked.name, scope=call.scope(brain, asked.sources)), asked.start, asked.limit)


@operation("read", "cortex sources", command="sources list")
def sources(call: Call, asked: Nothing) -> SourceList:  # noqa: ARG001  every operation takes its parameters
    """List the sources and what each holds."""
    with call.reader() as brain:
        found = count(brain, scope=call.scope(brain, ())).sources
        indexed = last_indexed(brain)
    held = ((one, sum(one.records.values()), sum(one.facts.values()), indexed.get(one.name)) for one in found)
    return SourceList(
        sources=tuple(
            Source(name=one.name, federated=one.federated, records=records, facts=facts, indexed_at=at)
            for one, records, facts, at in held
        )
    )


@operation("read", "cortex status")
def status(call: Call, asked: Where) -> Standing:
    """Say what the brain holds, by source.

    What waits, and whether cleaning is late.
    """
    with call.reader() as brain:
        scope = call.scope(brain, asked.sources)
        found = count(brain, scope=scope)
        used = None if call.sources is not None else _usage(call, brain)
        compaction = Compaction(last=last_compaction(brain, now=call.now), overdue=overdue(brain, now=call.now))
    if call.caller == "remote":
        placeless = tuple(one.model_copy(update={"location": ""}) for one in found.sources)
        found = found.model_copy(update={"path": "", "sources": placeless})
    return Standing(**dict(found), compaction=compaction, usage=used)


def _usage(call: Call, brain: Brain) -> Usage | None:
    path = ledger_path(call.path)
    if not path.is_file():
        return None
    with open_ledger(path) as ledger:
        return usage(ledger, brain, now=call.now)

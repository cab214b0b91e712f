"""What a brain holds and what became of it, one thing at a time, listed or counted."""

from __future__ import annotations

from datetime import datetime, time
from typing import Annotated, Final

from pydantic import Field

from cortex.compactor.schedule import last_compaction, overdue
from cortex.errors import BrainMissing, NotAllowed
from cortex.evals.capture import Usage, usage
from cortex.evals.history import SuiteHistory, histories
from cortex.substrate import browse, lookup
from cortex.substrate.brain import Brain
from cortex.substrate.browse import Compaction, FactList, History
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.lookup import Shown
from cortex.substrate.model import Kind, Share, Text, Value
from cortex.substrate.paging import part
from cortex.substrate.status import Status, last_indexed
from cortex.substrate.status import status as count
from cortex.surfaces.contract import NAMES, Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import GREATEST, LONGEST_NAME, Day, Listing, Sources, moment

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


class Nightly(Value):
    """How the nightly cleaning stands."""

    last: datetime | None
    overdue: bool


class Standing(Status):
    """What a brain holds, how it is kept and how it is used."""

    compaction: Nightly
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
def sources(call: Call, asked: Parameters) -> SourceList:  # noqa: ARG001  every operation takes its parameters
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
        compaction = Nightly(last=last_compaction(brain, now=call.now), overdue=overdue(brain, now=call.now))
    if call.caller == "remote":
        placeless = tuple(one.model_copy(update={"location": ""}) for one in found.sources)
        found = found.model_copy(update={"path": "", "sources": placeless})
    return Standing(**dict(found), compaction=compaction, usage=used)


class Filter(Parameters):
    """Which facts."""

    words: Annotated[Text, Flag()] = Field(
        "", max_length=500, description="Words that their statement holds, or a handle, or the ref of a record."
    )
    kinds: Annotated[tuple[Kind, ...], Flag("--kind")] = Field((), description="Of this kind.")
    authority: Annotated[Share, Flag("--authority", "SHARE")] = Field(
        0.0, description="Of at least this authority, 0 to 1."
    )
    since: Annotated[Day, Flag("--since", "DATE")] = Field("", description="Touched on this day or later, 2025-03-01.")
    until: Annotated[Day, Flag("--until", "DATE")] = Field("", description="Touched on this day or before.")
    archived: Annotated[bool, Field(description="Those that were taken out, or whose record is gone.")] = False
    limit: Annotated[int, Flag("-k")] = Field(50, ge=1, le=500, description="How many at most.")
    offset: int = Field(0, ge=0, le=1_000_000, description="Leave out so many first.")
    sources: Sources = ()


class OfFact(Parameters):
    """Which fact."""

    handle: Annotated[Text, Flag(metavar="HANDLE")] = Field(
        pattern=r"^fact-[0-9a-f]{12}$", description="Its handle: fact-0a1b2c3d4e5f."
    )
    sources: Sources = ()


class OfSuite(Parameters):
    """Which evals."""

    suite: Annotated[Text | None, Flag("--suite", "NAME")] = Field(
        None, max_length=200, description="Only the runs of this file of cases, such as smoke.yaml."
    )


class Compactions(Value):
    """The compactions there were, the latest first."""

    compactions: tuple[Compaction, ...]


class Evals(Value):
    """The history of evals, the suite that ran last first."""

    suites: tuple[SuiteHistory, ...]


@operation("read", "cortex facts --kind decision --authority 0.9", "cortex facts parser --since 2026-01-01", tool=False)
def facts(call: Call, asked: Filter) -> FactList:
    """List facts by kind, authority, source and age, the latest first.

    How each stands is said with it: active, superseded and by what, or taken out and what it was merged into.
    """
    with call.reader() as brain:
        return browse.facts(
            brain, scope=call.scope(brain, asked.sources), kinds=asked.kinds, authority=asked.authority,
            words=asked.words.strip(), since=moment(asked.since, time.min), until=moment(asked.until),
            archived=asked.archived, limit=asked.limit, offset=asked.offset, at=call.now,
        )  # fmt: skip


@operation("read", "cortex history fact-0a1b2c3d4e5f", tool=False)
def history(call: Call, asked: OfFact) -> History:
    """Say what became of a fact: what was merged into it, what took it out, what superseded it."""
    with call.reader() as brain:
        return browse.history(brain, asked.handle, scope=call.scope(brain, asked.sources), at=call.now)


@operation("read", "cortex compactions", tool=False)
def compactions(call: Call, asked: Listing) -> Compactions:
    """List the compactions there were, with their reports."""
    with call.reader() as brain:
        scope = call.scope(brain, asked.sources)
        return Compactions(compactions=tuple(browse.compactions(brain, scope=scope, limit=asked.limit)))


@operation("read", "cortex eval report", command="eval report", tool=False)
def evals(call: Call, asked: OfSuite) -> Evals:
    """Show every run there was: rates by category, what fell and at which commit."""
    if call.sources is not None:
        raise NotAllowed(NAMES[call.caller], "evals", "it may reach some sources only, and evals ask of all")
    path = ledger_path(call.path)
    if not path.is_file():
        if call.caller == "remote" and not call.path.is_file():
            raise BrainMissing(call.path)
        return Evals(suites=())
    with open_ledger(path) as ledger:
        return Evals(suites=tuple(histories(ledger, suite=asked.suite)))


def _usage(call: Call, brain: Brain) -> Usage | None:
    path = ledger_path(call.path)
    if not path.is_file():
        return None
    with open_ledger(path) as ledger:
        return usage(ledger, brain, now=call.now)

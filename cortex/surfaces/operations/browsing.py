"""Facts, history, compactions and evals: what people look through, on a page or at a terminal."""

from __future__ import annotations

from datetime import time
from typing import Annotated

from pydantic import Field

from cortex.errors import BrainMissing, NotAllowed
from cortex.evals.history import SuiteHistory, histories
from cortex.substrate import browse
from cortex.substrate.browse import Compaction, FactList, History
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.model import Kind, Share, Text, Value
from cortex.surfaces.contract import NAMES, Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import Day, Listing, Sources, moment


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

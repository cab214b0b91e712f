"""Brief, decisions and owners: what to know before touching something."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from cortex.brief.brief import brief as make_brief
from cortex.brief.briefing import BUDGET, Brief
from cortex.brief.decisions import Decided, Wanted
from cortex.brief.decisions import decisions as decided
from cortex.brief.owners import Owned
from cortex.brief.owners import owners as owning
from cortex.brief.similar import Precedents
from cortex.brief.similar import precedents as preceding
from cortex.substrate.model import Text
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import Asked, Day, Everything, moment
from cortex.surfaces.placing import placed

BRIEF: Final = """\
In the order one reads: rules that bind it, the runbook, what was tried before, what was done like it and where,
decisions, what went wrong, who knows it. Each line is cited. A larger budget shows more; what does not fit is named at
the end. A token is taken to be four bytes of the text."""

Paths = Annotated[tuple[Text, ...], Flag("--path", "PATH"), Field(max_length=100, description="A file or folder.")]


class Task(Parameters):
    """What somebody is about to do."""

    task: Annotated[Text, Flag()] = Field("", max_length=20_000, description="What to do.")
    paths: Paths = ()
    budget: int = Field(BUDGET, ge=200, le=100_000, description="Tokens at most.")
    sources: Asked = ()
    all: Everything = False


class Like(Parameters):
    """What work is to be like."""

    task: Annotated[Text, Flag()] = Field("", max_length=20_000, description="What to do.")
    paths: Paths = ()
    limit: Annotated[int, Flag("-k")] = Field(8, ge=1, le=30, description="At most.")
    sources: Asked = ()
    all: Everything = False


class Which(Parameters):
    """Which decisions."""

    topic: Annotated[Text, Flag()] = Field("", max_length=4_000, description="What they are about.")
    paths: Paths = ()
    state: Annotated[Wanted | None, Flag("--state", default="all of a topic, else active")] = Field(
        None, description="Default: of a topic all."
    )
    as_of: Annotated[Day, Flag("--as-of", "DATE", "now")] = Field("", description="As of 2025-03-01.")
    limit: Annotated[int, Flag("-k")] = Field(20, ge=1, le=1000, description="At most.")
    sources: Asked = ()
    all: Everything = False


class Owning(Parameters):
    """What somebody may own."""

    subject: Annotated[Text, Flag()] = Field(max_length=4_000, description="A path or a topic.")
    sources: Asked = ()
    all: Everything = False


@operation(
    "read",
    'cortex brief "let packets be retried" --path packages/orchestrator',
    "cortex brief --path src/field.h --budget 1000",
    manual=BRIEF,
)
def brief(call: Call, asked: Task) -> Brief:
    """Say what to know before a task, in about ten lines.

    With the paths to be touched: rules, runbook, earlier failures, like work and its files, decisions, pitfalls, who
    knows.
    """
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all, paths=asked.paths)
        return make_brief(
            brain, asked.task, at.paths, budget=asked.budget, scope=at.scope, here=at.here, of=at.of, now=call.now
        )


@operation("read", 'cortex precedents "let packets be retried"', "cortex precedents --path src/field.h -k 3")
def precedents(call: Call, asked: Like) -> Precedents:
    """List finished work like a task.

    With files, duration, reviewers, and what became of them and why.
    """
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all, paths=asked.paths)
        return preceding(brain, asked.task, at.paths, limit=asked.limit, scope=at.scope, here=at.here, now=call.now)


@operation("read", "cortex decisions storage --state superseded", "cortex decisions --path src --as-of 2025-03-01")
def decisions(call: Call, asked: Which) -> Decided:
    """List what was decided, and whether it still stands.

    Latest first, or by topic.
    """
    state = asked.state or ("all" if asked.topic else "active")
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all, paths=asked.paths)
        now = moment(asked.as_of) or call.now
        found = decided(
            brain, asked.topic, at.paths, state=state, limit=asked.limit, scope=at.scope, here=at.here, at=now
        )
        if not found.decisions:
            at.remark(call)
        return found


@operation("read", "cortex owners packages/gateway/src/lease.ts", 'cortex owners "the eval harness"')
def owners(call: Call, asked: Owning) -> Owned:
    """Say who owns a path or a topic, and who has worked on it.

    A path by CODEOWNERS and OWNERS.
    """
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all, paths=[asked.subject])
        found = owning(brain, at.paths[0], scope=at.scope, here=at.here, now=call.now)
        if not (found.owners or found.workers or found.facts):
            at.remark(call)
        return found.model_copy(update={"subject": asked.subject})

"""What waits for review, approving and rejecting it, the notes there are, and forgetting."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cortex.indexers.connectors.notes import LONGEST_NAME as LONGEST_PERSON
from cortex.indexers.connectors.notes import NoteKind
from cortex.indexers.connectors.outcomes import Status
from cortex.substrate.model import Text
from cortex.surfaces import forgetting, noting, reviewing, signing
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.forgetting import Forgotten
from cortex.surfaces.noting import Notes
from cortex.surfaces.operations.parameters import LONGEST_NAME, Said, Sources, Words
from cortex.surfaces.reviewing import Reviewed, Waiting

By = Annotated[Text, Flag("--by", metavar="WHO", default="git's user"), Field(max_length=LONGEST_PERSON)]


class Listing(Parameters):
    """How many to list."""

    limit: Annotated[int, Flag("-k")] = Field(20, ge=1, le=1000, description="At most.")
    sources: Sources = ()


class Waits(Parameters):
    """What waits."""

    ref: Annotated[Said, Flag(metavar="REF")] = Field(max_length=LONGEST_NAME, description="As it is listed.")


class Approval(Waits):
    """What to take up, and what to change of it."""

    text: Annotated[Words, Flag("--text", metavar="TEXT", default="as it is")] = Field(
        "", description="What it is to say."
    )
    kind: Annotated[NoteKind | None, Flag("--kind", default="as it is")] = Field(None, description="Of a note.")
    status: Annotated[Status | None, Flag("--status", default="as it is")] = Field(None, description="Of an outcome.")
    note: Annotated[Words, Flag("--note", metavar="TEXT", default="as it is")] = Field("", description="Of an outcome.")
    by: By = Field("", description="Who approves it.")
    sources: Sources = ()


class Rejection(Waits):
    """What to keep out, and why."""

    why: Annotated[Words, Flag("--why", metavar="TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who rejects it.")
    sources: Sources = ()


class Merging(Waits):
    """What says nothing new, and what says it already."""

    into: Annotated[Said, Flag("--into", metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="What says it already."
    )
    by: By = Field("", description="Who merges it.")
    sources: Sources = ()


class Forgetting(Parameters):
    """What is not to be told any more."""

    name: Annotated[Said, Flag(metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="A fact's handle, or the ref of a note or an outcome."
    )
    undo: Annotated[bool, Field(description="Tell it again.")] = False
    why: Annotated[Words, Flag("--why", metavar="TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who says so.")
    sources: Sources = ()


@operation(effect="read", command="review list", tool=False)
def review(call: Call, asked: Listing) -> Waiting:
    """List what agents remembered and what records tell of outcomes, to approve or reject.

    What nobody took up is unverified until then. Directives that may say the same stand beside a note.
    """
    with call.reader() as brain:
        return reviewing.waiting(brain, scope=call.scope(brain, asked.sources), limit=asked.limit, now=call.now)


@operation(effect="admin", command="review approve", tool=False)
def review_approve(call: Call, asked: Approval) -> Reviewed:
    """Approve what waits, as it is or edited.

    It is written where the project keeps its own notes, and weighs what its kind weighs.
    """
    with call.writer() as brain:
        return reviewing.approve(
            brain, asked.ref, text=asked.text, kind=asked.kind, status=asked.status, note=asked.note,
            by=_by(call, asked.by), scope=call.scope(brain, asked.sources), authority=call.settings.authority,
            now=call.now,
        )  # fmt: skip


@operation(effect="admin", command="review reject", tool=False)
def review_reject(call: Call, asked: Rejection) -> Reviewed:
    """Reject what waits: it is told no more, and not proposed again."""
    with call.writer() as brain:
        return reviewing.turn_down(
            brain, asked.ref, why=asked.why, by=_by(call, asked.by), scope=call.scope(brain, asked.sources),
            authority=call.settings.authority, now=call.now,
        )  # fmt: skip


@operation(effect="admin", command="review merge", tool=False)
def review_merge(call: Call, asked: Merging) -> Reviewed:
    """Merge what waits into a directive that says it already."""
    with call.writer() as brain:
        return reviewing.turn_down(
            brain, asked.ref, into=asked.into, by=_by(call, asked.by), scope=call.scope(brain, asked.sources),
            authority=call.settings.authority, now=call.now,
        )  # fmt: skip


@operation(effect="read", tool=False)
def notes(call: Call, asked: Listing) -> Notes:
    """List the notes and directives that somebody asked to be kept, the latest first.

    With how each stands, and its file.
    """
    with call.reader() as brain:
        return noting.notes(brain, scope=call.scope(brain, asked.sources), limit=asked.limit, now=call.now)


@operation(effect="admin", tool=False)
def forget(call: Call, asked: Forgetting) -> Forgotten:
    """Put a note, an outcome or a single fact away, or bring it back.

    It goes to the archive, and the journal says so: indexing again leaves it there.
    """
    with call.writer() as brain:
        return forgetting.forget(
            brain, asked.name, undo=asked.undo, by=_by(call, asked.by), why=asked.why,
            scope=call.scope(brain, asked.sources), authority=call.settings.authority, now=call.now,
        )  # fmt: skip


def _by(call: Call, named: str) -> str:
    """Who decides it: an untrusted caller under its own name."""
    return signing.by(call, named) if call.trusted else signing.as_caller(call, named)

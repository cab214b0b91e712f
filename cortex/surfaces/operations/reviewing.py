"""Review, notes and forgetting."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cortex.indexers.connectors.notes import LONGEST_NAME as LONGEST_PERSON
from cortex.indexers.connectors.notes import NoteKind
from cortex.indexers.connectors.outcomes import Status
from cortex.substrate.model import Text
from cortex.surfaces import forgetting, note_list, reviewing
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.forgetting import Forgotten
from cortex.surfaces.note_list import Notes
from cortex.surfaces.operations.parameters import LONGEST_NAME, Said, Sources, Words
from cortex.surfaces.provenance import reviewer
from cortex.surfaces.reviewing import Reviewed, Waiting

By = Annotated[Text, Flag("--by", metavar="WHO", default="git's user"), Field(max_length=LONGEST_PERSON)]


class Listing(Parameters):
    """How many to list."""

    limit: Annotated[int, Flag("-k")] = Field(20, ge=1, le=1000, description="At most.")
    sources: Sources = ()


class OfItem(Parameters):
    """An item that waits for review."""

    ref: Annotated[Said, Flag(metavar="REF")] = Field(max_length=LONGEST_NAME, description="As it is listed.")


class Approval(OfItem):
    """An item to approve, and edits."""

    text: Annotated[Words, Flag("--text", metavar="TEXT", default="as it is")] = Field(
        "", description="What it is to say."
    )
    kind: Annotated[NoteKind | None, Flag("--kind", default="as it is")] = Field(None, description="Of a note.")
    status: Annotated[Status | None, Flag("--status", default="as it is")] = Field(None, description="Of an outcome.")
    note: Annotated[Words, Flag("--note", metavar="TEXT", default="as it is")] = Field("", description="Of an outcome.")
    by: By = Field("", description="Who approves it.")
    sources: Sources = ()


class Rejection(OfItem):
    """An item to reject, and the reason."""

    why: Annotated[Words, Flag("--why", metavar="TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who rejects it.")
    sources: Sources = ()


class Merging(OfItem):
    """A duplicate, and the directive it duplicates."""

    into: Annotated[Said, Flag("--into", metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="The directive it duplicates."
    )
    by: By = Field("", description="Who merges it.")
    sources: Sources = ()


class Forgetting(Parameters):
    """A record or a fact to forget."""

    name: Annotated[Said, Flag(metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="A fact's handle, or the ref of a note or an outcome."
    )
    undo: Annotated[bool, Field(description="Restore it.")] = False
    why: Annotated[Words, Flag("--why", metavar="TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who says so.")
    sources: Sources = ()


@operation(effect="read", command="review list", tool=False, examples=("cortex review -k 5",))
def review(call: Call, asked: Listing) -> Waiting:
    """List notes of agents and outcomes found in records, to approve or reject.

    Notes are unverified until approved. Possible duplicates among the directives are listed with each.
    """
    with call.reader() as brain:
        return reviewing.waiting(brain, scope=call.scope(brain, asked.sources), limit=asked.limit, now=call.now)


@operation(
    effect="admin",
    command="review approve",
    tool=False,
    examples=(
        'cortex review approve event:3f2a9c0d1e4b --text "Leases end after 30 s." --kind directive',
        'cortex review approve outcome:pull-958 --status reverted --note "cost us a night"',
    ),
)
def review_approve(call: Call, asked: Approval) -> Reviewed:
    """Approve an item, as it is or edited.

    It moves into the project's journal and gets the authority of its kind.
    """
    with call.writer() as brain:
        return reviewing.approve(
            brain, asked.ref, text=asked.text, kind=asked.kind, status=asked.status, note=asked.note,
            by=reviewer(call, asked.by), scope=call.scope(brain, asked.sources), authority=call.settings.authority,
            now=call.now,
        )  # fmt: skip


@operation(
    effect="admin",
    command="review reject",
    tool=False,
    examples=('cortex review reject event:3f2a9c0d1e4b --why "true of the old gateway only"',),
)
def review_reject(call: Call, asked: Rejection) -> Reviewed:
    """Reject an item: it leaves answers and briefs, and is not proposed again."""
    with call.writer() as brain:
        return reviewing.reject(
            brain, asked.ref, why=asked.why, by=reviewer(call, asked.by), scope=call.scope(brain, asked.sources),
            authority=call.settings.authority, now=call.now,
        )  # fmt: skip


@operation(
    effect="admin",
    command="review merge",
    tool=False,
    examples=("cortex review merge event:3f2a9c0d1e4b --into fact-0a1b2c3d4e5f",),
)
def review_merge(call: Call, asked: Merging) -> Reviewed:
    """Merge a duplicate into an existing directive."""
    with call.writer() as brain:
        return reviewing.reject(
            brain, asked.ref, into=asked.into, by=reviewer(call, asked.by), scope=call.scope(brain, asked.sources),
            authority=call.settings.authority, now=call.now,
        )  # fmt: skip


@operation(effect="read", tool=False, examples=("cortex notes",))
def notes(call: Call, asked: Listing) -> Notes:
    """List remembered notes and directives, the latest first.

    With the state and the file of each.
    """
    with call.reader() as brain:
        return note_list.notes(brain, scope=call.scope(brain, asked.sources), limit=asked.limit, now=call.now)


@operation(
    effect="admin",
    tool=False,
    examples=('cortex forget fact-0a1b2c3d4e5f --why "it was a joke"', "cortex forget fact-0a1b2c3d4e5f --undo"),
)
def forget(call: Call, asked: Forgetting) -> Forgotten:
    """Forget a note, an outcome or a single fact, or restore it.

    Its facts go to the archive; a review in the journal keeps them there.
    """
    with call.writer() as brain:
        return forgetting.forget(
            brain, asked.name, undo=asked.undo, by=reviewer(call, asked.by), why=asked.why,
            scope=call.scope(brain, asked.sources), authority=call.settings.authority, now=call.now,
        )  # fmt: skip

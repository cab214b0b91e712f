"""Record an outcome, and remember: what a brain is told by whoever did the work."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cortex.indexers.connectors.notes import LONGEST_NAME, LONGEST_PATH, LONGEST_PLACE, LONGEST_REF
from cortex.indexers.connectors.outcomes import Status
from cortex.substrate.model import Text
from cortex.surfaces import provenance, recording, remembering
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import GREATEST, LONGEST, Into, Said, Words
from cortex.surfaces.placing import own_source
from cortex.surfaces.recording import Recorded
from cortex.surfaces.remembering import Remembered


class Worked(Parameters):
    """A piece of work and what became of it."""

    title: Annotated[Said, Flag(metavar="TITLE")] = Field(max_length=LONGEST, description="The work, in a line.")
    status: Status = Field(description="What became of it.")
    pull: Annotated[int | None, Flag("--pull", metavar="N")] = Field(
        None, ge=1, le=GREATEST, description="Its pull request."
    )
    note: Words = Field("", description="What to know of it.")
    slug: Annotated[Text, Flag("--slug", default="made from the title")] = Field(
        "", max_length=200, description="Its name in its ref."
    )
    author: Text = Field("", max_length=LONGEST_NAME, description="Who says so.")
    source: Into = None


class Statement(Parameters):
    """What to keep, and where it comes from."""

    text: Annotated[Said, Flag()] = Field(max_length=LONGEST, description="One statement.")
    by: Annotated[Said, Flag("--by", metavar="WHO", default="git's user")] = Field(
        "", max_length=LONGEST_NAME, description="Who says so."
    )
    where: Annotated[Said, Flag("--where", metavar="PLACE", default="the folder and its commit")] = Field(
        "", max_length=LONGEST_PLACE, description="An address or a ref."
    )
    kind: Annotated[Literal["note", "directive"], Flag("--kind")] = Field("note", description="A directive binds.")
    path: Annotated[Text, Flag("--path", metavar="PATH")] = Field(
        "", max_length=LONGEST_PATH, description="File or folder."
    )
    supersedes: Annotated[Text, Flag("--supersedes", metavar="HANDLE")] = Field(
        "", max_length=LONGEST_REF, description="What it replaces."
    )
    source: Into = None


@operation(effect="write")
def remember(call: Call, asked: Statement) -> Remembered:
    """Keep a directive or a note, with who said it and where.

    For what is written nowhere. What an agent says is unverified until reviewed.
    """
    with call.writer() as brain:
        return remembering.remember(
            brain,
            asked.text,
            directive=asked.kind == "directive",
            by=provenance.author(call, asked.by),
            where=provenance.place(call, "remember", asked.where),
            path=asked.path,
            supersedes=asked.supersedes,
            source=own_source(call, brain, asked.source),
            recorder=call.recorder,
            trusted=call.trusted,
            authority=call.settings.authority,
            now=call.now,
        )


@operation(effect="write", command="outcome add")
def outcome_record(call: Call, asked: Worked) -> Recorded:
    """Record an outcome; asking finds it at once.

    A new status for the same title replaces the old.
    """
    with call.writer() as brain:
        return recording.add_outcome(
            brain,
            asked.title,
            asked.status,
            source=own_source(call, brain, asked.source),
            pull=asked.pull,
            note=asked.note,
            slug=asked.slug,
            author=provenance.author(call, asked.author),
            recorder=call.recorder,
            trusted=call.trusted,
            authority=call.settings.authority,
            now=call.now,
        )

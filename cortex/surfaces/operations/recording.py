"""Record an outcome: what a brain is told by whoever did the work."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cortex.indexers.connectors.outcomes import Status
from cortex.substrate.model import Text
from cortex.surfaces import recording
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import Into, Said, Words
from cortex.surfaces.recording import Recorded


class Worked(Parameters):
    """A piece of work and what became of it."""

    title: Annotated[Said, Flag()] = Field(description="What the work was, in a line.")
    status: Status = Field(description="What became of it.")
    pull: int | None = Field(None, ge=1, description="The pull request it came with.")
    note: Words = Field("", description="What people should know of it.")
    slug: Annotated[Text, Flag("--slug", default="made from the title")] = Field(
        "", max_length=200, description="What it is called in its ref."
    )
    author: Text = Field("", max_length=200, description="Who says so.")
    source: Into = None


@operation(effect="write", command="outcome add")
def outcome_record(call: Call, asked: Worked) -> Recorded:
    """Record an outcome; asking finds it at once.

    For when work was shipped, flagged, rejected or reverted, so that the next one knows. The same again changes
    nothing; another status for the same title replaces the one before.
    """
    with call.writer() as brain:
        return recording.add_outcome(
            brain,
            asked.title,
            asked.status,
            source=call.target(brain, asked.source),
            pull=asked.pull,
            note=asked.note,
            slug=asked.slug,
            author=asked.author or call.by,
            trusted=call.trusted,
            now=call.now,
        )

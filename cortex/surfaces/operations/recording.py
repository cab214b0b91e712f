"""Record an outcome, and remember: what a brain is told by whoever did the work."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from cortex.indexers.connectors.notes import (
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_PLACE,
    LONGEST_RECORDER,
    LONGEST_REF,
    one_line,
    signed,
)
from cortex.indexers.connectors.notes import provenance as line_of
from cortex.indexers.connectors.outcomes import Entry, Status
from cortex.substrate.model import Scope, Text
from cortex.substrate.secrets import redact
from cortex.surfaces import provenance, remembering
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.operations.parameters import GREATEST, LONGEST, Into, Said, Words
from cortex.surfaces.placing import own_source
from cortex.surfaces.remembering import Recorded, Remembered, keep_outcomes, list_outcomes, writable

REMEMBER: Final = """\
It is written to a file first: in the repository's .cortex/, for git to share, or beside the brain outside of one. A
directive weighs as much as one in a file of the project, a note as much as a comment. The same again changes nothing.
Edit the file as any other; the next index reads it."""


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


@operation(
    "write",
    'cortex remember "Never log a packet\'s body." --kind directive --where "security review 2026-09-01"',
    'cortex remember "The lease timeout is 60 s." --where issue:496 --supersedes fact-0a1b2c3d4e5f',
    manual=REMEMBER,
)
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


@operation("write", 'cortex outcome add "Empty-state copy" --status shipped --pull 958', command="outcome add")
def outcome_record(call: Call, asked: Worked) -> Recorded:
    """Record an outcome; asking finds it at once.

    A new status for the same title replaces the old.
    """
    with call.writer() as brain:
        source = writable(brain, own_source(call, brain, asked.source))
        author = signed(provenance.author(call, asked.author), call.recorder, trusted=call.trusted)
        made = Entry(
            slug=asked.slug, title=one_line(redact(asked.title)), status=asked.status, pull=asked.pull,
            note=redact(asked.note), date=call.now, author=author, recorded_by=line_of(call.recorder, LONGEST_RECORDER),
        )  # fmt: skip
        done = keep_outcomes(
            brain, [made], source=source, trusted=call.trusted, authority=call.settings.authority, now=call.now
        )
        found = next(one for one in list_outcomes(brain, scope=Scope(sources=(source,))) if one.ref == made.ref)
    return Recorded(outcome=found, did=done[made.ref])

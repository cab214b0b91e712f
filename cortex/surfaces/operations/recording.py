"""Record an outcome, remember, and the list of notes: what a brain is told by whoever did the work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field

from cortex.indexers.connectors.notes import (
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_PLACE,
    LONGEST_RECORDER,
    LONGEST_REF,
    NoteKind,
    one_line,
    signed,
    to_record,
)
from cortex.indexers.connectors.notes import provenance as line_of
from cortex.indexers.connectors.outcomes import Entry, Status
from cortex.indexers.journal.contents import EARLIEST, Contents, read
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import noted_facts
from cortex.substrate.model import Scope, Skipped, Text, Value
from cortex.substrate.secrets import redact
from cortex.substrate.sources import readable
from cortex.substrate.standing import standing
from cortex.surfaces import provenance, remembering
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.journaling import journal_of
from cortex.surfaces.operations.parameters import GREATEST, LONGEST, Asked, Everything, Into, Listing, Said, Words
from cortex.surfaces.placing import own_source, placed
from cortex.surfaces.remembering import Outcome, Recorded, Remembered, keep_outcomes, list_outcomes, writable

REMEMBER: Final = """\
It is written to a file first: in the repository's .cortex/, for git to share, or beside the brain outside of one. A
directive weighs as much as one in a file of the project, a note as much as a comment. The same again changes nothing.
Edit the file as any other; the next index reads it."""


class Worked(Parameters):
    """A piece of work and what became of it."""

    title: Annotated[Said, Flag(metavar="TITLE")] = Field(max_length=LONGEST, description="The work, in a line.")
    status: Status = Field(description="What became of it.")
    pull: Annotated[int | None, Flag("--pull", "N")] = Field(None, ge=1, le=GREATEST, description="Its pull request.")
    note: Words = Field("", description="What to know of it.")
    slug: Annotated[Text, Flag("--slug", default="made from the title")] = Field(
        "", max_length=200, description="Its name in its ref."
    )
    author: Text = Field("", max_length=LONGEST_NAME, description="Who says so.")
    source: Into = None


class Statement(Parameters):
    """What to keep, and where it comes from."""

    text: Annotated[Said, Flag()] = Field(max_length=LONGEST, description="One statement.")
    by: Annotated[Said, Flag("--by", "WHO", "git's user")] = Field(
        "", max_length=LONGEST_NAME, description="Who says so."
    )
    where: Annotated[Said, Flag("--where", "PLACE", "the folder and its commit")] = Field(
        "", max_length=LONGEST_PLACE, description="An address or a ref."
    )
    kind: Annotated[Literal["note", "directive"], Flag("--kind")] = Field("note", description="A directive binds.")
    path: Annotated[Text, Flag("--path", "PATH")] = Field("", max_length=LONGEST_PATH, description="File or folder.")
    supersedes: Annotated[Text, Flag("--supersedes", "HANDLE")] = Field(
        "", max_length=LONGEST_REF, description="What it replaces."
    )
    source: Into = None


State = Literal["active", "superseded", "unverified", "forgotten", "rejected", "merged", "unread"]


class Noted(Value):
    """A note and its state."""

    ref: str
    handle: str = Field(description="of its fact; '' for none")
    source: str
    kind: NoteKind
    text: str
    by: str
    where: str
    path: str
    state: State = Field(description="'unread' until the next index")
    approved_by: str
    file: str
    at: datetime | None


class Ledger(Parameters):
    """Which outcomes, and how many."""

    limit: Annotated[int, Flag("-k")] = Field(100, ge=1, le=1000, description="At most.")
    sources: Asked = ()
    all: Everything = False


class Outcomes(Value):
    """Outcomes, the latest first."""

    outcomes: tuple[Outcome, ...]
    more: bool = Field(description="the limit left some out")


class Notes(Value):
    """Notes, the latest first."""

    notes: tuple[Noted, ...]
    more: bool = Field(description="the limit left some out")
    skipped: tuple[Skipped, ...] = Field((), description="what of the files cannot be read, or is in conflict")


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


@operation("read", "cortex outcome list", "cortex outcome list --all -k 500", command="outcome list", tool=False)
def outcomes(call: Call, asked: Ledger) -> Outcomes:
    """List outcomes of work, the latest first.

    Those of the folder's project, unless asked for others.
    """
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all)
        every = list_outcomes(brain, scope=at.scope)
    if not every:
        at.remark(call)
    return Outcomes(outcomes=tuple(every[: asked.limit]), more=len(every) > asked.limit)


@operation("read", "cortex notes", tool=False)
def notes(call: Call, asked: Listing) -> Notes:
    """List remembered notes and directives, the latest first.

    With the state and the file of each.
    """
    with call.reader() as brain:
        held = readable(brain, call.scope(brain, asked.sources))
        journals = {id_: read(journal_of(brain, source)) for id_, source in held.items()}
        every = [one for id_, kept in journals.items() for one in _of_source(brain, id_, held[id_], kept, call.now)]
    every.sort(key=lambda one: (one.at or EARLIEST, one.ref), reverse=True)
    skipped = tuple(one for kept in journals.values() for one in kept.skipped)
    return Notes(notes=tuple(every[: asked.limit]), more=len(every) > asked.limit, skipped=skipped)


def _of_source(brain: Brain, source_id: int, source: str, contents: Contents, now: datetime) -> Iterator[Noted]:
    facts = noted_facts(brain, source_id=source_id)
    ids = [id_ for id_ in facts.values() if id_]
    stood = {one.ref: one for _, one in standing(brain, ids, sources=[source_id], at=now)}
    for kept in contents.notes.values():
        note, fact, review = kept.note, stood.get(kept.ref), contents.reviews.get(f"{kept.ref}\0")
        state: State = "active" if kept.trusted else "unverified"
        if review and review.did != "restored":
            state = review.did
        elif kept.ref not in facts:
            state = "unread"
        elif fact and fact.state == "superseded":
            state = "superseded"
        record = to_record(note, source=source, trusted=kept.trusted, signer=kept.signer)
        yield Noted(
            ref=kept.ref, handle=fact.handle if fact else "", source=source, kind=note.kind, text=note.text,
            by=record.author, where=note.where, path=note.path, state=state, approved_by=note.approved_by,
            file=f"{kept.place.folder}/{kept.file}", at=note.at,
        )  # fmt: skip

"""The list of notes, with the state and the file of each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from pydantic import Field

from cortex.indexers.connectors.notes import NoteKind, to_record
from cortex.indexers.journal.contents import EARLIEST, Contents, read
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import noted_facts
from cortex.substrate.model import Skipped, Value
from cortex.substrate.sources import readable
from cortex.substrate.standing import standing
from cortex.surfaces.contract import Call, operation
from cortex.surfaces.journaling import journal_of
from cortex.surfaces.operations.parameters import Listing

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


class Notes(Value):
    """Notes, the latest first."""

    notes: tuple[Noted, ...]
    more: bool = Field(description="the limit left some out")
    skipped: tuple[Skipped, ...] = Field((), description="what of the files cannot be read, or is in conflict")


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

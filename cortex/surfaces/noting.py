"""The notes of a journal, each with how it stands and the file it is kept in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from pydantic import Field

from cortex.indexers.connectors.notes import NoteKind, record_of
from cortex.indexers.journal.reading import EARLIEST, read
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.substrate.standing import standing
from cortex.surfaces.journaling import journal_of


class Noted(Value):
    """A note and how it stands."""

    ref: str
    handle: str = Field(description="of its fact; '' where it has none now")
    source: str
    kind: NoteKind
    text: str
    by: str
    where: str
    path: str
    state: Literal["active", "superseded", "unverified", "forgotten", "rejected", "merged", "unread"] = Field(
        description="'unread' until the project is indexed again"
    )
    approved_by: str
    file: str
    at: datetime | None


class Notes(Value):
    """What somebody asked to be kept, the latest first."""

    notes: tuple[Noted, ...]
    more: bool = Field(description="there are more than were asked for")


def notes(brain: Brain, *, scope: Scope, limit: int, now: datetime) -> Notes:
    """The notes of the sources *scope* may read, those that were taken out too.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    every = [one for id_, source in readable(brain, scope).items() for one in _of(brain, id_, source, now)]
    every.sort(key=lambda one: (one.at or EARLIEST, one.ref), reverse=True)
    return Notes(notes=tuple(every[:limit]), more=len(every) > limit)


def _of(brain: Brain, source_id: int, source: str, now: datetime) -> Iterator[Noted]:
    held = """
        select r.ref, f.id from records r left join facts f on f.record_id = r.id
        where r.source_id = ? and r.type in ('directive', 'event') and r.gone_at is null
    """
    facts = dict(brain.db.execute(held, (source_id,)).fetchall())
    told = read(journal_of(brain, source))
    stood = {
        one.ref: one for _, one in standing(brain, [id_ for id_ in facts.values() if id_], sources=[source_id], at=now)
    }
    for kept in told.notes.values():
        note, fact = kept.note, stood.get(kept.ref)
        made = record_of(note, source=source, trusted=kept.trusted, signer=kept.signer)
        review = told.reviews.get(f"{kept.ref}\0")
        state: Literal["active", "superseded", "unverified", "unread"] = "active" if kept.trusted else "unverified"
        if fact and fact.state == "superseded":
            state = "superseded"
        elif kept.ref not in facts:
            state = "unread"
        yield Noted(
            ref=kept.ref, handle=fact.handle if fact else "", source=source, kind=note.kind, text=note.text,
            by=made.author, where=note.where, path=note.path, approved_by=note.approved_by,
            state=review.did if review and review.did != "restored" else state,
            file=f"{kept.place.folder}/{kept.file}", at=note.at,
        )  # fmt: skip

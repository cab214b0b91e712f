"""Review: what agents said and what records tell waits for a person, who approves, edits, rejects or merges it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.composer.brief.proposals import Proposal, proposals
from cortex.composer.brief.similar import Asked
from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.connectors.notes import NoteKind, record_of
from cortex.indexers.connectors.outcomes import Entry, Status
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, Journal
from cortex.indexers.journal.reading import KeptNote, Line, Review, Told, read
from cortex.indexers.journal.writing import keep_rows
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ShownRecord, show
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.substrate.standing import facts_of_kinds, standing
from cortex.surfaces.forgetting import carry_out, store_again
from cortex.surfaces.journaling import journal_of
from cortex.surfaces.recording import keep_outcomes
from cortex.surfaces.remembering import ref_of, take_in

NEAR: Final = 0.6  # how much of a note a directive says that is near to it
NEAREST: Final = 2
_RULES: Final = 2_000  # directives that are compared
_OF_PULL: Final = re.compile(r"outcome:pull-(\d{1,18})")


class Near(Value):
    """A directive that says much of what a note does."""

    handle: str
    statement: str


class Pending(Value):
    """Something that waits for a person."""

    ref: str = Field(description="to approve or reject it by")
    what: Literal["note", "outcome", "proposal"]
    source: str
    says: str = Field(description="the note, or the title of the work")
    kind: NoteKind | None = None
    status: Status | None = None
    pull: int | None = None
    note: str = ""
    by: str = Field(description="who said it, or ref of what tells it")
    where: str = ""
    path: str = ""
    near: tuple[Near, ...] = Field((), description="directives that may say it already")
    at: datetime | None


class Waiting(Value):
    """What waits for a person, what was said before what records tell."""

    pending: tuple[Pending, ...]
    more: bool = Field(description="there is more than was asked for")


class Reviewed(Value):
    """What became of something that waited."""

    ref: str
    source: str
    did: Literal["approved", "rejected", "merged", "unchanged"]
    file: str = Field(description="where it is written down")
    authority: float | None = Field(description="that it has now")


_Waits = KeptNote | Line | Proposal


class _Found(NamedTuple):
    source: str
    journal: Journal
    told: Told
    one: _Waits


def waiting(brain: Brain, *, scope: Scope, limit: int, now: datetime) -> Waiting:
    """What untrusted writers said and nobody took up, and outcomes that records tell: *limit* at most."""
    pending = [
        _pending(brain, id_, found, now=now)
        for id_, source in readable(brain, scope).items()
        for found in _waiting(brain, id_, source, most=limit + 1, now=now)
    ]
    return Waiting(pending=tuple(pending[:limit]), more=len(pending) > limit)


def approve(  # noqa: PLR0913  what may be edited, each by name
    brain: Brain,
    ref: str,
    *,
    text: str,
    kind: NoteKind | None,
    status: Status | None,
    note: str,
    by: str,
    scope: Scope,
    authority: Mapping[str, float] | None,
    now: datetime,
) -> Reviewed:
    """Take up what is called *ref*, as it is or as it is edited: it weighs what its kind weighs from now on.

    Args:
        text, kind: of a note, in place of its own.
        status, note: of an outcome, in place of its own.

    Raises:
        UnknownHandle: nothing that waits is called that.
        UsageError: it is edited in what it has not.
        NotKept: it cannot be written.
    """
    source, journal, _, one = _named(brain, ref, scope, now=now)
    if isinstance(one, KeptNote):
        if status or note:
            raise UsageError(f"{ref} is a note, and has no status", hint="edit it with --text or --kind")
        edited = {"approved_by": by, "text": text.strip() or one.note.text, "kind": kind or one.note.kind}
        done = take_in(
            brain, one.note.model_copy(update=edited), source=source, trusted=True, authority=authority, now=now
        )
        return Reviewed(ref=done.ref, source=source, did="approved", file=done.file, authority=done.authority)
    if text or kind:
        raise UsageError(f"{ref} is an outcome, and no note", hint="edit it with --status or --note")
    made = one.made if isinstance(one, Line) else _entry(one, by, now)
    assert isinstance(made, Entry)  # noqa: S101  a review waits for nobody
    edited = {"approved_by": by, "status": status or made.status, "note": note or made.note}
    entries = [made.model_copy(update=edited)]
    keep_outcomes(brain, entries, source=source, trusted=True, authority=authority, now=now)
    shown = show(brain, made.ref, scope=Scope(sources=(source,)))
    assert isinstance(shown, ShownRecord)  # noqa: S101  it was just stored
    file = f"{journal.place(trusted=True).folder}/{OUTCOMES}"
    return Reviewed(ref=made.ref, source=source, did="approved", file=file, authority=shown.authority)


def turn_down(
    brain: Brain,
    ref: str,
    *,
    into: str = "",
    why: str = "",
    by: str,
    scope: Scope,
    authority: Mapping[str, float] | None,
    now: datetime,
) -> Reviewed:
    """Keep what is called *ref* out of all that is told; nothing of it is proposed again.

    Args:
        into: handle or ref of a directive that says it already.

    Raises:
        UnknownHandle: nothing that waits is called *ref*, or nothing *into*.
        NotKept: it cannot be written.
    """
    source, journal, _, one = _named(brain, ref, scope, now=now)
    into = ref_of(brain, into, source) if into else ""
    shared = isinstance(one, Proposal) or one.place.shared
    did: Literal["merged", "rejected"] = "merged" if into else "rejected"
    review = Review(of=ref, did=did, into=into, by=by, why=why, date=now)
    keep_rows(journal, [review], trusted=shared)
    if not isinstance(one, Proposal):
        carry_out(brain, source, review, now=now)
        store_again(brain, read(journal), ref, source=source, authority=authority, now=now)
    file = f"{journal.place(trusted=shared).folder}/{REVIEWS}"
    return Reviewed(ref=ref, source=source, did=did, file=file, authority=None)


def _named(brain: Brain, ref: str, scope: Scope, *, now: datetime) -> _Found:
    of_pull = _OF_PULL.fullmatch(ref)
    for id_, source in readable(brain, scope).items():
        for found in _waiting(brain, id_, source, most=1, now=now, pull=int(of_pull[1]) if of_pull else None):
            if ref == _ref(found.one):
                return found
    raise UnknownHandle(ref)


def _ref(one: _Waits) -> str:
    return one.name if isinstance(one, Line) else one.ref


def _waiting(
    brain: Brain, source_id: int, source: str, *, most: int, now: datetime, pull: int | None = None
) -> Iterator[_Found]:
    journal = journal_of(brain, source)
    told = read(journal)
    said: list[KeptNote | Line] = [*told.notes.values(), *told.outcomes.values()]
    waits: list[_Waits] = [one for one in said if not one.trusted and not told.is_out(_ref(one))]
    tells = proposals(brain, source_id, limit=most + len(told.reviews) + len(told.outcomes), pull=pull, now=now)
    waits += [one for one in tells if not told.is_out(one.ref) and one.ref not in told.outcomes][:most]
    yield from (_Found(source, journal, told, one) for one in waits)


def _pending(brain: Brain, source_id: int, found: _Found, *, now: datetime) -> Pending:
    source, one = found.source, found.one
    if isinstance(one, KeptNote):
        note, made = one.note, record_of(one.note, source=source, trusted=False, signer=one.signer)
        return Pending(
            ref=one.ref, what="note", source=source, says=note.text, kind=note.kind, by=made.author, where=note.where,
            path=note.path, near=tuple(_near(brain, source_id, source, note.text, now=now)), at=note.at,
        )  # fmt: skip
    entry = one.made if isinstance(one, Line) else _entry(one, one.by, now)
    assert isinstance(entry, Entry)  # noqa: S101  a review waits for nobody
    return Pending(
        ref=entry.ref, what="outcome" if isinstance(one, Line) else "proposal", source=source, says=entry.title,
        status=entry.status, pull=entry.pull, note=entry.note, by=entry.author, at=entry.date,
    )  # fmt: skip


def _entry(one: Proposal, by: str, now: datetime) -> Entry:
    return Entry(
        slug=one.slug, title=one.title, status=one.status, pull=one.pull, note=one.note, author=by,
        date=one.since or now, recorded_by="review",
    )  # fmt: skip


def _near(brain: Brain, source_id: int, source: str, text: str, *, now: datetime) -> Iterator[Near]:
    """Directives in force that say much of *text*, the nearest first."""
    ids = facts_of_kinds(brain, ["directive"], sources=[source_id], records=None, limit=_RULES)
    rules = [one for _, one in standing(brain, ids, sources=[source_id], at=now) if one.state == "active"]
    if not (rules and split(text)):
        return
    says = Asked(brain, text, sources={source_id: source}, now=now).says([one.excerpt for one in rules])
    nearest = sorted(zip(says, range(len(rules)), strict=True), reverse=True)[:NEAREST]
    yield from (Near(handle=rules[at].handle, statement=rules[at].statement) for said, at in nearest if said >= NEAR)

"""Review: notes of untrusted writers and outcomes found in records wait for a person's decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.brief.asked import Asked
from cortex.brief.proposals import Proposal, proposals
from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.connectors.notes import LONGEST_NAME as LONGEST_PERSON
from cortex.indexers.connectors.notes import NoteKind, to_record
from cortex.indexers.connectors.outcomes import Entry, Status
from cortex.indexers.journal.contents import LedgerRow, NoteFile, Review, append_rows, read
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, Journal
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ShownRecord, show
from cortex.substrate.model import Scope, Text, Value
from cortex.substrate.selection import facts_of_kinds
from cortex.substrate.sources import readable
from cortex.substrate.standing import standing
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.journaling import journal_of
from cortex.surfaces.operations.parameters import LONGEST_NAME, Listing, Said, Sources, Words
from cortex.surfaces.provenance import reviewer
from cortex.surfaces.remembering import apply, keep, keep_outcomes, ref_of, reindex

NEAR: Final = 0.6  # share of a note that a near duplicate says
NEAREST: Final = 2
_RULES: Final = 2_000  # directives that are compared
_OF_PULL: Final = re.compile(r"outcome:pull-(\d{1,18})")


By = Annotated[Text, Flag("--by", "WHO", "git's user"), Field(max_length=LONGEST_PERSON)]


class Reviewing(Listing):
    """What to list."""

    shipped: Annotated[bool, Flag("--shipped")] = Field(default=False, description="What was merged and lasted, too.")


class OfItem(Parameters):
    """An item that waits for review."""

    ref: Annotated[Said, Flag(metavar="REF")] = Field(max_length=LONGEST_NAME, description="As it is listed.")


class Approval(OfItem):
    """An item to approve, and edits."""

    text: Annotated[Words, Flag("--text", "TEXT", "as it is")] = Field("", description="What it is to say.")
    kind: Annotated[NoteKind | None, Flag("--kind", default="as it is")] = Field(None, description="Of a note.")
    status: Annotated[Status | None, Flag("--status", default="as it is")] = Field(None, description="Of an outcome.")
    note: Annotated[Words, Flag("--note", "TEXT", "as it is")] = Field("", description="Of an outcome.")
    by: By = Field("", description="Who approves it.")
    sources: Sources = ()


class Rejection(OfItem):
    """An item to reject, and the reason."""

    why: Annotated[Words, Flag("--why", "TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who rejects it.")
    sources: Sources = ()


class Merging(OfItem):
    """A duplicate, and the directive it duplicates."""

    into: Annotated[Said, Flag("--into", "HANDLE")] = Field(
        max_length=LONGEST_NAME, description="The directive it duplicates."
    )
    by: By = Field("", description="Who merges it.")
    sources: Sources = ()


class Near(Value):
    """A directive that says much of what a note says."""

    handle: str
    statement: str


class Pending(Value):
    """An item that waits for review."""

    ref: str = Field(description="to approve or reject it by")
    what: Literal["note", "outcome", "proposal"]
    source: str
    says: str = Field(description="the note, or the title of the work")
    kind: NoteKind | None = None
    status: Status | None = None
    pull: int | None = None
    note: str = ""
    by: str = Field(description="author, or ref of the evidence")
    where: str = ""
    path: str = ""
    near: tuple[Near, ...] = Field((), description="possible duplicates among the directives")
    at: datetime | None


class Waiting(Value):
    """Items that wait for review: notes, then outcomes."""

    pending: tuple[Pending, ...]
    more: bool = Field(description="the limit left some out")


class Reviewed(Value):
    """The result of a review."""

    ref: str
    source: str
    did: Literal["approved", "rejected", "merged"]
    file: str = Field(description="where it is written")
    authority: float | None = Field(description="of the approved record")


_Item = NoteFile | LedgerRow | Proposal


class _Found(NamedTuple):
    source: str
    journal: Journal
    item: _Item


@operation("read", "cortex review -k 5", command="review list", tool=False)
def review(call: Call, asked: Reviewing) -> Waiting:
    """List notes of agents and outcomes found in records, to approve or reject.

    Notes are unverified until approved. Possible duplicates among the directives are listed with each.
    """
    with call.reader() as brain:
        pending = [
            _pending(brain, id_, found, now=call.now)
            for id_, source in readable(brain, call.scope(brain, asked.sources)).items()
            for found in _open(brain, id_, source, limit=asked.limit + 1, now=call.now, shipped=asked.shipped)
        ]
    return Waiting(pending=tuple(pending[: asked.limit]), more=len(pending) > asked.limit)


@operation(
    "admin",
    'cortex review approve event:3f2a9c0d1e4b --text "Leases end after 30 s." --kind directive',
    'cortex review approve outcome:pull-958 --status reverted --note "cost us a night"',
    command="review approve",
    tool=False,
)
def review_approve(call: Call, asked: Approval) -> Reviewed:
    """Approve an item, as it is or edited.

    It moves into the project's journal and gets the authority of its kind.
    """
    with call.writer() as brain:
        source, journal, item = _find(brain, asked.ref, call.scope(brain, asked.sources), now=call.now)
        options: dict[str, Any] = {"source": source, "authority": call.settings.authority, "now": call.now}
        by = reviewer(call, asked.by)
        if isinstance(item, NoteFile):
            if asked.status or asked.note:
                raise UsageError(f"{asked.ref} is a note, and has no status", hint="edit it with --text or --kind")
            text, kind = asked.text.strip() or item.note.text, asked.kind or item.note.kind
            original = item.note.text if text != item.note.text else ""
            edited = item.note.model_copy(update={"approved_by": by, "text": text, "kind": kind, "original": original})
            done = keep(brain, edited, trusted=True, **options)
            return Reviewed(ref=done.ref, source=source, did="approved", file=done.file, authority=done.authority)
        if asked.text or asked.kind:
            raise UsageError(f"{asked.ref} is an outcome, and no note", hint="edit it with --status or --note")
        entry = _entry(item, by, call.now)
        edits = {"approved_by": by, "status": asked.status or entry.status, "note": asked.note or entry.note}
        keep_outcomes(brain, [entry.model_copy(update=edits)], trusted=True, **options)
        shown = show(brain, entry.ref, scope=Scope(sources=(source,)))
        assert isinstance(shown, ShownRecord)  # noqa: S101  it was just stored
        file = f"{journal.place(trusted=True).folder}/{OUTCOMES}"
        return Reviewed(ref=entry.ref, source=source, did="approved", file=file, authority=shown.authority)


@operation("admin", 'cortex review reject event:3f2a9c0d1e4b --why "obsolete"', command="review reject", tool=False)
def review_reject(call: Call, asked: Rejection) -> Reviewed:
    """Reject an item: it leaves answers and briefs, and is not proposed again."""
    return _withdrawn(call, asked, why=asked.why)


@operation(
    "admin", "cortex review merge event:3f2a9c0d1e4b --into fact-0a1b2c3d4e5f", command="review merge", tool=False
)
def review_merge(call: Call, asked: Merging) -> Reviewed:
    """Merge a duplicate into an existing directive."""
    return _withdrawn(call, asked, into=asked.into)


def _withdrawn(call: Call, asked: Rejection | Merging, *, into: str = "", why: str = "") -> Reviewed:
    with call.writer() as brain:
        source, journal, item = _find(brain, asked.ref, call.scope(brain, asked.sources), now=call.now)
        into = ref_of(brain, into, source) if into else ""
        shared = isinstance(item, Proposal) or item.place.shared
        did: Literal["merged", "rejected"] = "merged" if into else "rejected"
        review = Review(of=asked.ref, did=did, into=into, by=reviewer(call, asked.by), why=why, date=call.now)
        append_rows(journal, [review], trusted=shared)
        if not isinstance(item, Proposal):
            apply(brain, source, review, now=call.now)
            reindex(brain, read(journal), asked.ref, source=source, authority=call.settings.authority, now=call.now)
        file = f"{journal.place(trusted=shared).folder}/{REVIEWS}"
        return Reviewed(ref=asked.ref, source=source, did=did, file=file, authority=None)


def _find(brain: Brain, ref: str, scope: Scope, *, now: datetime) -> _Found:
    of_pull = _OF_PULL.fullmatch(ref)
    for id_, source in readable(brain, scope).items():
        for found in _open(brain, id_, source, limit=1, now=now, pull=int(of_pull[1]) if of_pull else None):
            if ref == _ref(found.item):
                return found
    raise UnknownHandle(ref)


def _ref(item: _Item) -> str:
    return item.name if isinstance(item, LedgerRow) else item.ref


def _open(
    brain: Brain, id_: int, source: str, *, limit: int, now: datetime, shipped: bool = True, pull: int | None = None
) -> Iterator[_Found]:
    """The items of a source that wait for review; of proposals *limit* at most."""
    journal = journal_of(brain, source)
    contents = read(journal)
    written: list[NoteFile | LedgerRow] = [*contents.notes.values(), *contents.outcomes.values()]
    items: list[_Item] = [one for one in written if not one.trusted and not contents.is_withdrawn(_ref(one))]
    reviewed = len(contents.reviews) + len(contents.outcomes)
    proposed = proposals(brain, id_, limit=limit + reviewed, shipped=shipped, pull=pull, now=now)
    new = [one for one in proposed if not contents.is_withdrawn(one.ref) and one.ref not in contents.outcomes]
    items += new[:limit]
    yield from (_Found(source, journal, one) for one in items)


def _pending(brain: Brain, source_id: int, found: _Found, *, now: datetime) -> Pending:
    source, _, item = found
    if isinstance(item, NoteFile):
        note, record = item.note, to_record(item.note, source=source, trusted=False, signer=item.signer)
        return Pending(
            ref=item.ref, what="note", source=source, says=note.text, kind=note.kind, by=record.author,
            where=note.where, path=note.path, near=tuple(_near(brain, source_id, source, note.text, now=now)),
            at=note.at,
        )  # fmt: skip
    entry = _entry(item, item.by if isinstance(item, Proposal) else "", now)
    return Pending(
        ref=entry.ref, what="outcome" if isinstance(item, LedgerRow) else "proposal", source=source, says=entry.title,
        status=entry.status, pull=entry.pull, note=entry.note, by=entry.author, at=entry.date,
    )  # fmt: skip


def _entry(item: LedgerRow | Proposal, by: str, now: datetime) -> Entry:
    if isinstance(item, LedgerRow):
        assert isinstance(item.value, Entry)  # noqa: S101  reviews never wait
        return item.value
    return Entry(
        slug=item.slug, title=item.title, status=item.status, pull=item.pull, note=item.note, author=by,
        date=item.since or now, recorded_by="review",
    )  # fmt: skip


def _near(brain: Brain, source_id: int, source: str, text: str, *, now: datetime) -> Iterator[Near]:
    """Directives in force that say much of *text*, the nearest first."""
    ids = facts_of_kinds(brain, ["directive"], sources=[source_id], records=None, limit=_RULES)
    rules = [one for _, one in standing(brain, ids, sources=[source_id], at=now) if one.state == "active"]
    if not (rules and split(text)):
        return
    shares = Asked(brain, text, sources={source_id: source}, now=now).says([one.excerpt for one in rules])
    nearest = sorted(zip(shares, range(len(rules)), strict=True), reverse=True)[:NEAREST]
    yield from (Near(handle=rules[at].handle, statement=rules[at].statement) for said, at in nearest if said >= NEAR)

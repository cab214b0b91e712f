"""Forgetting notes, outcomes and single facts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cortex.errors import UnknownHandle, UsageError
from cortex.indexers.journal.contents import Contents, Review, append_rows, read
from cortex.indexers.journal.places import Journal
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import facts_of
from cortex.substrate.lookup import ArchivedFact, ShownFact, show
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.surfaces.contract import Call, Flag, Parameters, operation
from cortex.surfaces.journaling import journal_of, migrate
from cortex.surfaces.operations.parameters import LONGEST_NAME, Said, Sources, Words
from cortex.surfaces.operations.reviewing import By
from cortex.surfaces.provenance import reviewer
from cortex.surfaces.remembering import apply, handle_in, reindex


class Forgotten(Value):
    """The result of forgetting or restoring."""

    ref: str = Field(description="of the record")
    source: str
    statement: str = Field(description="of the one fact; '' for a whole note or outcome")
    did: Literal["forgotten", "restored", "unchanged"]
    facts: int = Field(description="archived or restored")


_Subject = tuple[str, Journal, Contents, str, str]
"""A record of the journal, or one fact of another record: source, journal, contents, ref, statement ('' for all)."""


class Forgetting(Parameters):
    """A record or a fact to forget."""

    name: Annotated[Said, Flag(metavar="HANDLE")] = Field(
        max_length=LONGEST_NAME, description="A fact's handle, or the ref of a note or an outcome."
    )
    undo: Annotated[bool, Field(description="Restore it.")] = False
    why: Annotated[Words, Flag("--why", "TEXT")] = Field("", description="Why.")
    by: By = Field("", description="Who says so.")
    sources: Sources = ()


@operation(
    "admin", 'cortex forget fact-0a1b2c3d4e5f --why "a joke"', "cortex forget fact-0a1b2c3d4e5f --undo", tool=False
)
def forget(call: Call, asked: Forgetting) -> Forgotten:
    """Forget a note, an outcome or a single fact, or restore it.

    Its facts go to the archive; a review in the journal keeps them there.
    """
    with call.writer() as brain:
        source, journal, contents, ref, statement = _resolved(brain, asked.name, call.scope(brain, asked.sources))
        latest = contents.reviews.get(f"{ref}\0{statement}")
        is_out = latest is not None and latest.did != "restored"
        if is_out != asked.undo:
            return Forgotten(ref=ref, source=source, statement=statement, did="unchanged", facts=0)
        did: Literal["forgotten", "restored"] = "restored" if asked.undo else "forgotten"
        review = Review(
            of=ref, statement=statement, did=did, handle=asked.name, by=reviewer(call, asked.by), why=asked.why,
            date=call.now,
        )  # fmt: skip
        append_rows(journal, [review], trusted=True)
        facts = apply(brain, source, review, now=call.now)
        if not statement:
            reindex(brain, read(journal), ref, source=source, authority=call.settings.authority, now=call.now)
            facts = facts or len(facts_of(brain, source, review.of, handle_in(source, review)))
        return Forgotten(ref=ref, source=source, statement=statement, did=did, facts=facts)


def _resolved(brain: Brain, name: str, scope: Scope) -> _Subject:
    try:
        shown = show(brain, name, scope=scope)
    except UnknownHandle:
        return _withdrawn(brain, name, scope)
    if isinstance(shown, ArchivedFact):
        ref, statement = shown.record, shown.statement
    elif isinstance(shown, ShownFact):
        ref, statement = shown.fact.record, shown.fact.statement
    else:
        ref, statement = shown.record.ref, ""
    journal = journal_of(brain, shown.source)
    migrate(brain, journal, shown.source)
    contents = read(journal)
    if contents.holds(ref):
        statement = ""
    elif not statement:
        raise UsageError(f"{ref} is a record of the project", hint="change it in the project, or name one of its facts")
    return shown.source, journal, contents, ref, statement


def _withdrawn(brain: Brain, name: str, scope: Scope) -> _Subject:
    """A withdrawn subject that a rebuilt brain does not hold.

    Raises:
        UnknownHandle: no journal names it.
    """
    for source in readable(brain, scope).values():
        journal = journal_of(brain, source)
        contents = read(journal)
        for one in contents.reviews.values():
            if name in (one.of, handle_in(source, one) or one.handle):
                return source, journal, contents, one.of, one.statement
    raise UnknownHandle(name)

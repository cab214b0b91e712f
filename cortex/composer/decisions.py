"""What was decided, and which of it still stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from cortex.composer.relevance import relevant_facts
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, decision_records, facts_of_kinds, records_about, standing

Wanted = Literal["active", "superseded", "rejected", "proposed", "all"]
LOOKED_AT: Final = 2_000


class Decided(Value):
    """Decisions, and how they stand at a moment."""

    at: datetime
    decisions: tuple[Stood, ...] = Field(description="of a topic, those that bear on it most first; else the latest")
    more: bool = Field(description="there are more than were asked for")


def decisions(
    brain: Brain, topic: str, paths: Sequence[str], *, state: Wanted, limit: int, scope: Scope, at: datetime
) -> Decided:
    """The decisions that were in *state* at *at*: of a topic, about paths, or all there are.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    records = records_about(brain, paths, sources=sources) if paths else None
    found = [*_files(brain, topic, records, sources, at), *_facts(brain, topic, records, sources, at)]
    if not topic:
        found.sort(key=lambda one: one.since.timestamp() if one.since else 0.0, reverse=True)
    kept = [one for one in found if one.state != "later" and state in ("all", one.state)]
    return Decided(at=at, decisions=tuple(kept[:limit]), more=len(kept) > limit)


def _files(
    brain: Brain, topic: str, records: Collection[int] | None, sources: Collection[int], at: datetime
) -> list[Stood]:
    """The files of decisions; of a topic, those whose title says half of it or more."""
    listed = [one for _, one in decision_records(brain, sources=sources, records=records, limit=LOOKED_AT, at=at)]
    if not topic:
        return listed
    stemmer = brain.stemmer
    wanted = set(stemmer.sequence(topic))
    shared = {one.handle: len(stemmer.among(wanted, one.statement)) for one in listed}
    about = [one for one in listed if shared[one.handle] * 2 >= len(wanted)]
    return sorted(about, key=lambda one: -shared[one.handle])


def _facts(
    brain: Brain, topic: str, records: Collection[int] | None, sources: Collection[int], at: datetime
) -> list[Stood]:
    if topic:
        ids = [*relevant_facts(brain, topic, kinds=["decision"], sources=sources)]
        if records is not None:
            about = {*facts_of_kinds(brain, ["decision"], sources=sources, records=records, limit=LOOKED_AT)}
            ids = [id_ for id_ in ids if id_ in about]
    else:
        ids = facts_of_kinds(brain, ["decision"], sources=sources, records=records, limit=LOOKED_AT)
    return [*_one_each(standing(brain, ids, sources=sources, at=at))]


def _one_each(found: Sequence[tuple[int, Stood]]) -> Iterator[Stood]:
    """Of a pull request, an issue or a commit the first that was made of it: the others say how it hangs together."""
    first: dict[tuple[str, str], int] = {}
    for id_, one in found:
        key = (one.source, one.ref)
        first[key] = min(id_, first.get(key, id_))
    for id_, one in found:
        if one.type not in ("pull", "issue", "commit") or first[one.source, one.ref] == id_:
            yield one

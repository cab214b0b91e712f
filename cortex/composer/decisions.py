"""What was decided, and which of it still stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from cortex.composer.relevance import relevant_facts
from cortex.composer.trust import listed
from cortex.substrate.brain import Brain
from cortex.substrate.model import Kind, Scope, Value
from cortex.substrate.paths import NOWHERE, Here, places_of
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, decision_records, facts_of_kinds, records_about, standing

Wanted = Literal["active", "superseded", "rejected", "proposed", "all"]
LOOKED_AT: Final = 2_000

KINDS: Final[tuple[Kind, ...]] = ("decision", "incident")
CHANGES: Final = ("pull", "commit")
"""Records that tell of what was done: of a topic that is a decision, also where it was to mend what went wrong."""


class Decided(Value):
    """Decisions, and how they stand at a moment."""

    at: datetime
    decisions: tuple[Stood, ...] = Field(description="of a topic, those that bear on it most first; else the latest")
    more: bool = Field(description="there are more than were asked for")


def decisions(
    brain: Brain,
    topic: str,
    paths: Sequence[str],
    *,
    state: Wanted,
    limit: int,
    scope: Scope,
    here: Here = NOWHERE,
    at: datetime,
) -> Decided:
    """The decisions that were in *state* at *at*: of a topic, about paths, or all there are.

    Args:
        paths, here: as `brief` takes them.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    records = _about(brain, paths, sources, here)
    found = [*_files(brain, topic, records, sources, at), *_facts(brain, topic, records, sources, at)]
    if not topic:
        found.sort(key=lambda one: one.since.timestamp() if one.since else 0.0, reverse=True)
    kept = [one for one in found if one.state != "later" and state in ("all", one.state)]
    chosen = listed(kept, limit)
    return Decided(at=at, decisions=tuple(chosen), more=len(kept) > len(chosen))


def _about(brain: Brain, paths: Sequence[str], sources: Mapping[int, str], here: Here) -> list[int] | None:
    """The records that are about *paths*; None where there are no paths."""
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = places_of(brain, paths, own=own, sources=sources, folder=here.folder)
    about = [id_ for one in places for id_ in records_about(brain, one.files, sources=one.sources or sources)]
    return list(dict.fromkeys(about)) if places else None


def _files(
    brain: Brain, topic: str, records: Collection[int] | None, sources: Collection[int], at: datetime
) -> list[Stood]:
    """The files of decisions; of a topic, those whose title says half of it or more."""
    files = [one for _, one in decision_records(brain, sources=sources, records=records, limit=LOOKED_AT, at=at)]
    if not topic:
        return files
    stemmer = brain.stemmer
    wanted = set(stemmer.sequence(topic))
    shared = {one.handle: len(stemmer.among(wanted, one.statement)) for one in files}
    about = [one for one in files if shared[one.handle] * 2 >= len(wanted)]
    return sorted(about, key=lambda one: -shared[one.handle])


def _facts(
    brain: Brain, topic: str, records: Collection[int] | None, sources: Collection[int], at: datetime
) -> list[Stood]:
    if topic:
        ids = [*relevant_facts(brain, topic, kinds=KINDS, sources=sources)]
        if records is not None:
            about = {*facts_of_kinds(brain, KINDS, sources=sources, records=records, limit=LOOKED_AT)}
            ids = [id_ for id_ in ids if id_ in about]
    else:
        ids = facts_of_kinds(brain, ["decision"], sources=sources, records=records, limit=LOOKED_AT)
    found = standing(brain, ids, sources=sources, at=at)
    return [*_one_each([(id_, one) for id_, one in found if one.kind == "decision" or one.type in CHANGES])]


def _one_each(found: Sequence[tuple[int, Stood]]) -> Iterator[Stood]:
    """Of a pull request, an issue or a commit its title, as it stands: the other facts say how it hangs together."""
    first: dict[tuple[str, str], tuple[bool, bool, int]] = {}
    for id_, one in found:
        key, place = (one.source, one.ref), (one.excerpt != one.title, one.until is not None, id_)
        first[key] = min(place, first.get(key, place))
    for id_, one in found:
        if one.type not in ("pull", "issue", "commit") or first[one.source, one.ref][-1] == id_:
            yield one

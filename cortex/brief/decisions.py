"""Decisions, and which of them stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain, zip_longest
from typing import Final, Literal

from pydantic import Field

from cortex.brief.asked import Asked, Relevant, listed
from cortex.brief.similar import nearest_of, pooled, similar
from cortex.indexers.worth import mends
from cortex.language.changes import bare_title
from cortex.substrate.brain import Brain
from cortex.substrate.model import Kind, Scope, Value
from cortex.substrate.paths import NOWHERE, Here, places_of
from cortex.substrate.selection import facts_of_kinds, records_about
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, decision_records, standing

Wanted = Literal["active", "superseded", "rejected", "proposed", "all"]
READ: Final = 120  # facts that a topic is looked for in, the best first
LATEST: Final = 2_000  # facts and files that are read where no topic narrows them
KINDS: Final[tuple[Kind, ...]] = ("decision",)
OF_TOPIC: Final[tuple[Kind, ...]] = ("decision", "change", "incident")  # what was done or turned down was chosen too
WORK: Final = ("pull", "commit", "outcome", "issue")  # records whose changes tell what was chosen, or settled
THREADS: Final = ("pull", "issue", "commit")  # records of which one fact is listed
ABOUT: Final = 0.5  # share of a topic that a change, or the title of a decision's file, covers
SAYS: Final = 0.3  # share of it that a stated decision covers, or what ended a thread
BEARS: Final = 0.25  # share of it that the work covers which covers most; else none is near
UNSTATED: Final = 0.8  # weight of a change beside a stated decision
SAME: Final = 12  # characters of what a fact quotes that its statement repeats where it says why
NEAR: Final = 0.4  # share of the best from which work is near to a topic


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
    """The decisions that were in *state* at *at*: on a topic, about paths, or all.

    Args:
        paths, here: as `brief` takes them.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    records = _about(brain, paths, sources, here)
    files = [one for _, one in decision_records(brain, sources=sources, records=records, limit=LATEST, at=at)]
    if topic:
        asked = Asked(brain, topic, sources=sources, now=at)
        facts = [(one.id, one.fact) for one in _on_topic(asked, at)]
        if records is not None:
            about = {*facts_of_kinds(brain, OF_TOPIC, sources=sources, records=records, limit=LATEST)}
            facts = [one for one in facts if one[0] in about]
        told = {one.ref for _, one in facts}
        near = [one for one in _settled(asked, at) if one[1].ref not in told and (records is None or one[0] in about)]
        shares = asked.says([one.statement for one in files])
        covering = [(share, one) for share, one in zip(shares, files, strict=True) if share >= ABOUT]
        covering.sort(key=lambda one: -one[0])
        in_turn = [*filter(None, chain.from_iterable(zip_longest(facts, near)))]
        found = [*(one for _, one in covering), *_one_each(in_turn)]
    else:
        ids = facts_of_kinds(brain, KINDS, sources=sources, records=records, limit=LATEST)
        facts = standing(brain, ids, sources=sources, at=at)
        found = [*files, *_one_each(facts)]
        found.sort(key=lambda one: one.since.timestamp() if one.since else 0.0, reverse=True)
    kept = [one for one in found if one.state != "later" and state in ("all", one.state)]
    chosen = listed(kept, limit)
    return Decided(at=at, decisions=tuple(chosen), more=len(kept) > len(chosen))


def _about(brain: Brain, paths: Sequence[str], sources: Mapping[int, str], here: Here) -> list[int] | None:
    """Ids of the records about *paths*; None without paths."""
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = places_of(brain, paths, own=own, sources=sources, folder=here.folder)
    about = [id_ for one in places for id_ in records_about(brain, one.files, sources=one.sources or sources)]
    return list(dict.fromkeys(about)) if places else None


def _on_topic(asked: Asked, at: datetime) -> list[Relevant]:
    """Decisions on a topic, and what was done, turned down or settled, that cover enough of it; the nearest first."""
    found = []
    for one in asked.facts(OF_TOPIC, at=at, most=READ):
        if one.fact.kind == "decision" or (one.fact.kind == "change" and one.fact.type == "comment"):
            found += [one] if one.says >= SAYS else []
        elif one.fact.type in WORK and one.says >= ABOUT and _was_chosen(one.fact):
            found.append(one._replace(score=UNSTATED * one.score))
    return sorted(found, key=lambda one: -one.score)


def _settled(asked: Asked, at: datetime) -> list[tuple[int, Stood]]:
    """What was done, turned down or settled near to a topic, by all that its thread says; the nearest first.

    What only mended a fault comes last: its title tells no choice, and often its text does.
    """
    brain, sources, pool = asked.reader.brain, asked.reader.sources, pooled(asked)
    alike = [one for one in similar(asked, pool) if one.work.fate != "open"]
    if not any(one.says >= BEARS for one in alike):
        return []
    best = max(one.score for one in alike)
    places = {one.work.ref: place for place, one in enumerate(alike) if one.score >= NEAR * best}
    ids = facts_of_kinds(brain, OF_TOPIC, sources=sources, records=nearest_of(pool), limit=LATEST)
    found = [one for one in standing(brain, ids, sources=sources, at=at) if one[1].ref in places]
    return sorted(found, key=lambda one: (not _was_chosen(one[1]), places[one[1].ref]))


def _was_chosen(one: Stood) -> bool:
    """Whether work that states no choice tells one: not what is still asked for, nor that a fault was mended."""
    if one.kind == "incident" or (one.kind == "change" and mends(one.title)):
        return one.state == "rejected"
    return one.type != "issue" or one.state != "proposed"


def _one_each(facts: Sequence[tuple[int, Stood]]) -> list[Stood]:
    """*facts*, of a thread the one that gives its reason, as it stands; a commit is of the pull request so titled."""
    pulls = {(one.source, bare_title(one.title)): one.ref for _, one in facts if one.type == "pull"}

    def thread(one: Stood) -> tuple[str, str]:
        own = pulls.get((one.source, bare_title(one.title)), one.ref) if one.type == "commit" else one.ref
        return one.source, own

    best: dict[tuple[str, str], tuple[bool, bool, bool, bool, bool, int]] = {}
    for id_, one in facts:
        ended = one.state == "later", one.until is not None
        reason = one.excerpt != one.title and one.excerpt[:SAME] in one.statement
        place = (one.kind != "decision", not reason, *ended, one.type == "commit", id_)
        best[thread(one)] = min(place, best.get(thread(one), place))
    return [one for id_, one in facts if one.type not in THREADS or best[thread(one)][-1] == id_]

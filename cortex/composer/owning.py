"""Who owns a path or a topic, and who has worked on it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field

from cortex.composer.relevance import relevant_facts
from cortex.composer.trust import listed
from cortex.errors import EmptyQuestion
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.owners import Owner, Worker, workers_on
from cortex.substrate.paths import NOWHERE, Here, Known, owners_at, places_of
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, standing

MOST: Final = 10


class Owned(Value):
    """Who owns something, most special first."""

    subject: str
    owners: tuple[Owner, ...] = Field(description="of a path: lines of ownership files that match it")
    workers: tuple[Worker, ...] = Field(description="of a path: whose commits changed it, most first")
    facts: tuple[Stood, ...] = Field(description="of a topic: facts of ownership that speak of it and still stand")
    among: int = Field(description="sources that were looked at")


def owners(brain: Brain, subject: str, *, scope: Scope, here: Here = NOWHERE, now: datetime) -> Owned:
    """Who owns *subject*, taken as a path where it has a slash or the project has one of that name, else as a topic.

    Args:
        here: where one stands.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not split(subject):
        raise EmptyQuestion(subject)
    sources = readable(brain, scope)
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = [] if " " in subject.strip() else places_of(brain, [subject], own=own, sources=sources, folder=here.folder)
    for one in places:
        if "/" in one.name or one.known:
            reached = one.sources or own or {*sources}
            known = Known(brain, reached)
            named = {owner.handle: owner for file in one.files[:MOST] for owner in owners_at(known, file)}
            return Owned(
                subject=subject, owners=tuple(named.values()),
                workers=tuple(workers_on(brain, one.files, sources=reached)), facts=(), among=len(sources),
            )  # fmt: skip
    ids = [*relevant_facts(brain, subject, kinds=["ownership"], sources=sources)]
    stood = (one for _, one in standing(brain, ids, sources=sources, at=now) if one.state == "active")
    return Owned(subject=subject, owners=(), workers=(), facts=tuple(listed([*stood], MOST)), among=len(sources))

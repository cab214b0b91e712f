"""Who owns a path or a topic, and who has worked on it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field

from cortex.brief.asked import Asked, listed
from cortex.errors import EmptyQuestion
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.owners import Owner, Worker, workers_on
from cortex.substrate.paths import NOWHERE, Here, Known, owners_at, places_of
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood

MOST: Final = 10  # files of a pattern whose owners are named, and facts of a topic


class Owned(Value):
    """Who owns something, most special first."""

    subject: str
    owners: tuple[Owner, ...] = Field(description="of a path: lines of ownership files that match it")
    workers: tuple[Worker, ...] = Field(description="of a path: whose commits changed it, most first")
    facts: tuple[Stood, ...] = Field(description="of a topic: facts of ownership that speak of it and still stand")
    among: int = Field(description="sources that were looked at")


def owners(brain: Brain, subject: str, *, scope: Scope, here: Here = NOWHERE, now: datetime) -> Owned:
    """The owners of *subject*: a path where it has a slash or a source knows a file of that name, else a topic.

    Args:
        here: the asker's folder and its sources.

    Raises:
        EmptyQuestion: no letter or digit in *subject*.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not split(subject):
        raise EmptyQuestion(subject)
    sources = readable(brain, scope)
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = [] if " " in subject.strip() else places_of(brain, [subject], own=own, sources=sources, folder=here.folder)
    path = next((one for one in places if "/" in one.name or one.known), None)
    if path:
        reached = path.sources or own or {*sources}
        known = Known(brain, reached)
        named = {owner.handle: owner for file in path.files[:MOST] for owner in owners_at(known, file)}
        workers = tuple(workers_on(brain, path.files, sources=reached))
        return Owned(subject=subject, owners=tuple(named.values()), workers=workers, facts=(), among=len(sources))
    found = Asked(brain, subject, sources=sources, now=now).facts(["ownership"], at=now)
    stood = [one.fact for one in found if one.fact.state == "active"]
    return Owned(subject=subject, owners=(), workers=(), facts=tuple(listed(stood, MOST)), among=len(sources))

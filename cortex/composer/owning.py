"""Who owns a path or a topic, and who has worked on it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field

from cortex.composer.relevance import relevant_facts
from cortex.errors import EmptyQuestion
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.owners import Owner, Worker, owners_of, workers_on
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, records_about, standing
from cortex.substrate.stems import split

MOST: Final = 10


class Owned(Value):
    """Who owns something, most special first."""

    subject: str
    owners: tuple[Owner, ...] = Field(description="of a path: lines of ownership files that match it")
    workers: tuple[Worker, ...] = Field(description="of a path: whose commits changed it, most first")
    facts: tuple[Stood, ...] = Field(description="of a topic: facts of ownership that speak of it and still stand")


def owners(brain: Brain, subject: str, *, scope: Scope, now: datetime) -> Owned:
    """Who owns *subject*, taken as a path where it has a slash or the project has one of that name, else as a topic.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    if not split(subject):
        raise EmptyQuestion(subject)
    sources = readable(brain, scope)
    path = subject.strip().removeprefix("./").strip("/")
    if " " not in path and ("/" in path or records_about(brain, [path], sources=sources)):
        return Owned(
            subject=subject,
            owners=tuple(owners_of(brain, path, sources=sources)),
            workers=tuple(workers_on(brain, [path], sources=sources)),
            facts=(),
        )
    ids = [*relevant_facts(brain, subject, kinds=["ownership"], sources=sources)]
    stood = (one for _, one in standing(brain, ids, sources=sources, at=now) if one.state == "active")
    return Owned(subject=subject, owners=(), workers=(), facts=tuple(stood)[:MOST])

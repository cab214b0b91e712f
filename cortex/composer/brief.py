"""What somebody should know before they start on a task: directives, decisions, incidents and owners."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from cortex.composer.briefing import SECTIONS, Brief, Candidate, Item, LeftOut, Section, fitted
from cortex.composer.relevance import Relevance, relevant_facts
from cortex.errors import EmptyBrief
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.owners import Owner, Worker, workers_on
from cortex.substrate.paths import NOWHERE, Here, Known, Place, owners_at, places_of
from cortex.substrate.rule_files import holds_in, rank_of
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, facts_naming, facts_of_kinds, records_about, standing

RELEVANT: Final = 0.35
"""Share of the best fact's score from which on a fact bears on the task."""

ABOUT: Final = 0.5
"""What a fact is worth, beside its words, for speaking of a path that was named."""

EVERYWHERE: Final = (0.5, 0.25, 0.0)
"""What a directive is worth, by its rank, that holds for this task as for any."""

LOOKED_AT: Final = 500
"""Facts of a path, the latest: what is older than so many is not looked at."""

OWNED: Final = 20
"""Files that a pattern matches whose owners are named."""

RULES: Final = 2_000
"""Directives, as many."""


def brief(
    brain: Brain,
    task: str,
    paths: Sequence[str],
    *,
    budget: int,
    scope: Scope,
    here: Here = NOWHERE,
    now: datetime,
) -> Brief:
    """What bears on *task* and *paths*, in a text of at most *budget* tokens.

    It is about the project that one stands in, else about those that know the paths, else about all; what another
    project says comes after, and only where it shares words with the task.

    Args:
        paths: of files or folders, from the root of the repository or from where one stands, or patterns of them.
        here: where one stands.

    Raises:
        EmptyBrief: neither a word nor a path.
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = places_of(brain, paths, own=own, sources=sources, folder=here.folder)
    if not places and not split(task):
        raise EmptyBrief
    knowing = {id_ for one in places for id_ in one.sources}
    own = (own if not knowing or own & knowing else knowing) or knowing or {*sources}
    about = About(task, places, {id_: sources[id_] for id_ in sorted(own)}, sources)
    found = [*_facts(brain, about, now=now), *_owners(brain, about)]
    candidates = [one for one in found if isinstance(one, Candidate)]
    left = [one for one in found if isinstance(one, LeftOut)]
    unknown = tuple(one.name for one in places if not one.known)
    named = tuple(one.name for one in places)
    return fitted(task, named, candidates, left, unknown=unknown, budget=budget)


class About(NamedTuple):
    """What a brief is about.

    Attributes:
        own: names of the sources that the task is about, by id.
        sources: names of all that may be read, by id.
    """

    task: str
    places: Sequence[Place]
    own: Mapping[int, str]
    sources: Mapping[int, str]

    @property
    def files(self) -> list[str]:
        """Every file and folder that the paths stand for."""
        return list(dict.fromkeys(file for one in self.places for file in one.files))

    @property
    def said(self) -> str:
        """The first paths, as a reason names them."""
        return ", ".join(one.name for one in self.places[:2])

    def where(self, source: str) -> str:
        """How a reason names *source*, where the brief may be of several."""
        return f" in {source}" if len(self.own) > 1 or source not in self.own.values() else ""


def _facts(brain: Brain, about: About, *, now: datetime) -> Iterator[Candidate | LeftOut]:
    files = about.files
    words = " ".join([about.task, *(PurePosixPath(one.name).name for one in about.places)])
    relevant = relevant_facts(brain, words, kinds=SECTIONS, sources=about.sources)
    near = _near(brain, files, sources=about.own) if files else set()
    directives = facts_of_kinds(brain, ["directive"], sources=about.own, records=None, limit=RULES)
    ids = dict.fromkeys([*relevant, *directives, *near])
    for id_, one in standing(brain, [*ids], sources=about.sources, at=now):
        bears = _bears(one, relevant.get(id_), about, near=id_ in near)
        if bears and one.state == "active":
            beside = one.source not in about.own.values()
            why = bears.why + about.where(one.source)
            yield Candidate(_item(one, why), bears.worth, general=bears.general, beside=beside)
        elif bears:
            why = one.state + (f" by {one.replaced_by}" if one.replaced_by else "")
            yield LeftOut(section=_section(one), handle=one.handle, why=why)


def _near(brain: Brain, files: Sequence[str], *, sources: Collection[int]) -> set[int]:
    """Facts of what stands in the files or changed them, and those that name them."""
    records = records_about(brain, files, sources=sources)
    found = {*facts_of_kinds(brain, [*SECTIONS], sources=sources, records=records, limit=LOOKED_AT)}
    return found | {*facts_naming(brain, files, kinds=[*SECTIONS], sources=sources, limit=LOOKED_AT)}


class Bears(NamedTuple):
    """How much a fact bears on a task, and why; `general` where it would on any."""

    worth: float
    why: str
    general: bool = False


def _bears(one: Stood, relevance: Relevance | None, about: About, *, near: bool) -> Bears | None:
    score = relevance.score if relevance else 0.0
    ours = one.source in about.own.values()
    is_rule = one.kind == "directive" and ours
    folder = holds_in(one.path) if is_rule else ""
    if folder and about.places:
        inside = any(f"{file}/".startswith(f"{folder}/") for file in about.files)
        return Bears(1 + score, f"holds in {folder}/") if inside else None
    if near:
        return Bears(ABOUT + score, f"about {about.said}")
    if is_rule and not folder:
        rank = rank_of(one.path, one.ref)
        if score >= RELEVANT:
            return Bears(EVERYWHERE[rank] + score, "shares words with the task")
        if rank < len(EVERYWHERE) - 1:
            return Bears(EVERYWHERE[rank] + score, "holds everywhere", general=rank > 0)
        return Bears(score, "shares a word with the task", general=True) if score else None
    return Bears(score, "shares words with the task") if score >= RELEVANT else None


def _section(one: Stood) -> Section:
    return next(section for section in SECTIONS if section == one.kind)


def _item(one: Stood, why: str) -> Item:
    return Item(
        section=_section(one), handle=one.handle, statement=one.statement, authority=one.authority, source=one.source,
        ref=one.ref, url=one.url, since=one.since, why=why,
        unverified=one.unverified,
    )  # fmt: skip


def _owners(brain: Brain, about: About) -> Iterator[Candidate]:
    known = Known(brain, about.own)
    owners = [(one, owner) for one in about.places for file in one.files[:OWNED] for owner in owners_at(known, file)]
    for one, owner in owners:
        said = f"{owner.of} is owned by {' and '.join(owner.who) or 'nobody'}"
        yield Candidate(_owner(owner, said, f"owns {one.name}{about.where(owner.source)}"), 2.0)
    for worker in workers_on(brain, about.files, sources=about.own) if about.places else ():
        latest = f", the latest on {worker.latest:%Y-%m-%d}" if worker.latest else ""
        said = f"{worker.who} wrote {worker.changes} of the commits there{latest}"
        why = f"worked on it{about.where(worker.source)}"
        yield Candidate(_owner(worker, said, why), 1 + worker.changes / 1e6)


def _owner(one: Owner | Worker, said: str, why: str) -> Item:
    handle = one.handle if isinstance(one, Owner) else one.ref
    return Item(
        section="ownership", handle=handle, statement=said, authority=one.authority, source=one.source, ref=one.ref,
        why=why, unverified=False,
    )  # fmt: skip

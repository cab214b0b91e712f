"""Brief a task: the directives, decisions, incidents and owners that bear on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from cortex.composer.brief.briefing import SECTIONS, Brief, Candidate, Item, LeftOut, Section, fitted
from cortex.composer.brief.relevance import Relevance
from cortex.errors import EmptyBrief
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.owners import Owner, Worker, workers_on
from cortex.substrate.paths import NOWHERE, Here, Known, Place, owners_at, places_of
from cortex.substrate.quoting import label
from cortex.substrate.rule_files import holds_in, rank_of
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, facts_naming, facts_of_kinds, records_about, standing

RELEVANT: Final = 0.35  # share of the best fact's score from which a fact bears on the task
ABOUT: Final = 0.5  # worth of a fact about a path of the task, beside its words
EVERYWHERE: Final = (0.5, 0.25, 0.0)  # worth of a directive that holds for any task, by its rank
LATEST: Final = 500  # facts about a path that are read
OWNED: Final = 20  # files of a pattern whose owners are named
RULES: Final = 2_000  # directives that are read


def brief(
    brain: Brain,
    task: str,
    paths: Sequence[str],
    *,
    budget: int,
    scope: Scope,
    here: Here = NOWHERE,
    of: str = "",
    now: datetime,
) -> Brief:
    """The facts that bear on *task* and *paths*, in a text of at most *budget* tokens.

    It is about the asker's project, else about those that know the paths, else about all. Facts of other projects come
    last, and only where they share words with the task.

    Args:
        paths: files or folders, from the root of the repository or from the asker's folder, or patterns of them.
        here: the asker's folder and its sources.
        of: the sources of *scope* as the brief is to name them; '' where they are all.

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
    names = tuple(one.name for one in places)
    return fitted(task, names, candidates, left, unknown=unknown, of=of, budget=budget)


@dataclass(frozen=True)
class About:
    """The subject of a brief.

    Attributes:
        own: names of the sources the task is about, by id.
        sources: names of all that may be read, by id.
    """

    task: str
    places: Sequence[Place]
    own: Mapping[int, str]
    sources: Mapping[int, str]

    @cached_property
    def files(self) -> list[str]:
        """Every file and folder that the paths stand for."""
        return list(dict.fromkeys(file for one in self.places for file in one.files))

    @property
    def words(self) -> str:
        """The task with the names of its files."""
        return " ".join([self.task, *(PurePosixPath(one.name).name for one in self.places)])

    def is_own(self, source: str) -> bool:
        """Whether *source* is one the task is about."""
        return source in self.own.values()

    def where(self, source: str) -> str:
        """How a reason names *source* where the brief may be about several."""
        return f" in {source}" if len(self.own) > 1 or not self.is_own(source) else ""


def _facts(brain: Brain, about: About, *, now: datetime) -> Iterator[Candidate | LeftOut]:
    relevant = {one.id: one for one in Relevance(brain, about.words, sources=about.sources).facts(SECTIONS, at=now)}
    near = _near(brain, about) if about.files else set()
    directives = facts_of_kinds(brain, ["directive"], sources=about.own, records=None, limit=RULES)
    others = [id_ for id_ in dict.fromkeys([*directives, *near]) if id_ not in relevant]
    found = [(id_, one.fact, one.score) for id_, one in relevant.items()]
    found += [(id_, one, 0.0) for id_, one in standing(brain, others, sources=about.sources, at=now)]
    for id_, one, score in found:
        bears = _bears(one, score, about, near=id_ in near)
        if bears and one.state == "active":
            item = _item(one, bears.why + about.where(one.source))
            yield Candidate(item, bears.worth, general=bears.general, beside=not about.is_own(one.source))
        elif bears:
            why = one.state + (f" by {one.replaced_by}" if one.replaced_by else "")
            yield LeftOut(section=_section(one), handle=one.handle, why=why)


def _near(brain: Brain, about: About) -> set[int]:
    records = records_about(brain, about.files, sources=about.own)
    found = facts_of_kinds(brain, [*SECTIONS], sources=about.own, records=records, limit=LATEST)
    return {*found, *facts_naming(brain, about.files, kinds=[*SECTIONS], sources=about.own, limit=LATEST)}


class Bears(NamedTuple):
    """How much a fact bears on a task, and why; `general` where it bears on any."""

    worth: float
    why: str
    general: bool = False


def _bears(one: Stood, score: float, about: About, *, near: bool) -> Bears | None:
    is_rule = one.kind == "directive" and about.is_own(one.source)
    folder = holds_in(one.path) if is_rule else ""
    if folder and about.places:
        inside = any(f"{file}/".startswith(f"{folder}/") for file in about.files)
        return Bears(1 + score, f"holds in {label(folder)}/") if inside else None
    if near:
        return Bears(ABOUT + score, f"about {', '.join(label(place.name) for place in about.places[:2])}")
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
        ref=one.ref, url=one.url, since=one.since, why=why, unverified=one.unverified,
    )  # fmt: skip


def _owners(brain: Brain, about: About) -> Iterator[Candidate]:
    known = Known(brain, about.own)
    owners = [(one, owner) for one in about.places for file in one.files[:OWNED] for owner in owners_at(known, file)]
    for one, owner in owners:
        stated = f"{label(owner.of)} is owned by {' and '.join(map(label, owner.who)) or 'nobody'}"
        yield Candidate(_owner(owner, owner.handle, stated, f"owns {label(one.name)}{about.where(owner.source)}"), 2.0)
    for worker in workers_on(brain, about.files, sources=about.own) if about.places else ():
        latest = f", the latest on {worker.latest:%Y-%m-%d}" if worker.latest else ""
        stated = f"{label(worker.who)} wrote {worker.changes} of the commits there{latest}"
        item = _owner(worker, worker.ref, stated, f"worked on it{about.where(worker.source)}")
        yield Candidate(item, 1 + worker.changes / 1e6)


def _owner(one: Owner | Worker, handle: str, stated: str, why: str) -> Item:
    return Item(
        section="ownership", handle=handle, statement=stated, authority=one.authority, source=one.source, ref=one.ref,
        why=why, unverified=False,
    )  # fmt: skip

"""What somebody should know before they start on a task: directives, decisions, incidents and owners."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from cortex.composer.briefing import SECTIONS, Brief, Candidate, Item, LeftOut, Section, fitted
from cortex.composer.relevance import Relevance, relevant_facts
from cortex.errors import EmptyBrief
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.owners import Owner, Worker, owners_of, workers_on
from cortex.substrate.rule_files import holds_in
from cortex.substrate.sources import readable
from cortex.substrate.standing import Stood, facts_of_kinds, records_about, standing
from cortex.substrate.stems import split

RELEVANT: Final = 0.35
"""Share of the best fact's score from which on a fact bears on the task."""

ABOUT: Final = 0.5
"""What a fact is worth, beside its words, for speaking of a path that was named."""

EVERYWHERE: Final = 0.25
"""What a directive is worth that shares no word with the task, but holds for it as for any."""

LOOKED_AT: Final = 500
"""Facts of a path, and directives, the latest: what is older than so many is not looked at."""


def brief(brain: Brain, task: str, paths: Sequence[str], *, budget: int, scope: Scope, now: datetime) -> Brief:
    """What bears on *task* and *paths*, in a text of at most *budget* tokens.

    Args:
        paths: of files or folders, from the root of the repository.

    Raises:
        EmptyBrief: neither a word nor a path.
        UnknownSource: the scope names a source this brain does not hold.
    """
    paths = tuple(filter(None, map(_path, paths)))
    if not paths and not split(task):
        raise EmptyBrief
    sources = readable(brain, scope)
    found = [*_facts(brain, task, paths, sources=sources, now=now), *_owners(brain, paths, sources=sources)]
    candidates = [one for one in found if isinstance(one, Candidate)]
    left = [one for one in found if isinstance(one, LeftOut)]
    return fitted(task, paths, candidates, left, budget=budget)


def _path(text: str) -> str:
    """*text* as records name files, from the root; '' for the root itself."""
    plain = normpath(text.strip().replace("\\", "/")).strip("/")
    return "" if plain == "." else plain


def _facts(
    brain: Brain, task: str, paths: Sequence[str], *, sources: Collection[int], now: datetime
) -> Iterator[Candidate | LeftOut]:
    words = " ".join([task, *(PurePosixPath(path).name for path in paths)])
    relevant = relevant_facts(brain, words, kinds=SECTIONS, sources=sources)
    about = set[int]()
    if paths:
        records = records_about(brain, paths, sources=sources)
        about |= {*facts_of_kinds(brain, [*SECTIONS], sources=sources, records=records, limit=LOOKED_AT)}
    directives = facts_of_kinds(brain, ["directive"], sources=sources, records=None, limit=LOOKED_AT)
    ids = dict.fromkeys([*relevant, *directives, *about])
    for id_, one in standing(brain, [*ids], sources=sources, at=now):
        worth, why = _worth(one, relevant.get(id_), paths, about=id_ in about)
        if worth and one.state == "active":
            yield Candidate(_item(one, why), worth * one.authority)
        elif worth:
            why = one.state + (f" by {one.replaced_by}" if one.replaced_by else "")
            yield LeftOut(section=_section(one), handle=one.handle, why=why)


def _worth(one: Stood, relevance: Relevance | None, paths: Sequence[str], *, about: bool) -> tuple[float, str]:
    """How much a fact bears on the task, 0 when not at all, and why it does."""
    score = relevance.score if relevance else 0.0
    folder = holds_in(one.path) if one.kind == "directive" else ""
    if folder and paths:
        inside = any(f"{path}/".startswith(f"{folder}/") for path in paths)
        return (1 + score if inside else 0.0), f"holds in {folder}/"
    if about:
        return ABOUT + score, "about " + ", ".join(paths[:2])
    if score >= RELEVANT:
        return score + (EVERYWHERE if one.kind == "directive" else 0.0), "shares words with the task"
    return (EVERYWHERE if one.kind == "directive" and not folder else 0.0), "holds everywhere"


def _section(one: Stood) -> Section:
    return next(section for section in SECTIONS if section == one.kind)


def _item(one: Stood, why: str) -> Item:
    return Item(
        section=_section(one), handle=one.handle, statement=one.statement, authority=one.authority, source=one.source,
        ref=one.ref, url=one.url, since=one.since, why=why,
    )  # fmt: skip


def _owners(brain: Brain, paths: Sequence[str], *, sources: Collection[int]) -> Iterator[Candidate]:
    for path in paths:
        for owner in owners_of(brain, path, sources=sources):
            said = f"{owner.of} is owned by {' and '.join(owner.who) or 'nobody'}"
            yield Candidate(_owner(owner, said, f"owns {path}"), 2.0)
    for worker in workers_on(brain, paths, sources=sources) if paths else ():
        latest = f", the latest on {worker.latest:%Y-%m-%d}" if worker.latest else ""
        said = f"{worker.who} wrote {worker.changes} of the commits there{latest}"
        yield Candidate(_owner(worker, said, "worked on it"), 1 + worker.changes / 1e6)


def _owner(one: Owner | Worker, said: str, why: str) -> Item:
    handle = one.handle if isinstance(one, Owner) else one.ref
    return Item(
        section="ownership", handle=handle, statement=said, authority=one.authority, source=one.source, ref=one.ref,
        why=why,
    )  # fmt: skip

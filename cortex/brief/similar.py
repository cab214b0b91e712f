"""Pieces of work that are like a task, found by its words and its meaning: what was done, tried or asked for before."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import exp
from typing import Final, NamedTuple

from pydantic import Field

from cortex.brief.asked import Asked
from cortex.errors import EmptyQuestion
from cortex.indexers.kinds import is_merge, spoken
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Share, Value
from cortex.substrate.paths import NOWHERE, Here, places_of
from cortex.substrate.selection import records_about
from cortex.substrate.sources import readable, timestamp
from cortex.substrate.work import (
    FAILED,
    FINISHED,
    Thread,
    Work,
    failed,
    threads_opened,
    works,
    works_behind,
    works_beside,
    works_naming,
)

NEAREST: Final = 40  # passages that are looked at for their meaning
ALIKE: Final = 0.45  # share of the best from which a piece of work is like the task
LOOKED_AT: Final = 30  # pieces of work that are weighed by their titles
BEGUN_FROM: Final = 12  # of which what they name, and what names them, is near too
MEANING: Final = 0.6  # weight of the likeness in meaning of a passage, beside that of its words
REMARK: Final = 0.6  # weight of what only a remark under it says
AGAIN: Final = 0.25  # weight of what other passages of it say
BESIDE: Final = 0.5  # weight of being named along with what is near
TITLED: Final = 0.8  # weight of what the title says of the task, beside what all of it says
THERE: Final = 0.5  # worth of having changed the files of the task
NOTED: Final = 0.2  # worth of standing in the ledger
LATELY: Final = 2.0  # worth of having been opened just now, a year later by 1/e
YEAR: Final = 365  # days
IN_PASSING: Final = 0.6  # what a passage says of the task, beside what a title says
SAYS: Final = 0.35  # how much of a task work says at least that bears on it
SAYS_FAILED: Final = 0.2  # where it failed
DONE: Final = ("merged", "committed")
_NUMBERS: Final = re.compile(r"\w*\d\w*")
TYPES: Final = ("pull", "issue", "commit", "outcome", "comment")


class Alike(NamedTuple):
    """A piece of work, how like the task it is beside others, 0 to about 2, and how much of the task it says at all."""

    work: Work
    score: float
    says: float


def bears(one: Alike) -> bool:
    """Whether a piece of work says enough of a task; of what failed less is enough."""
    return one.says >= (SAYS_FAILED if failed(one.work) else SAYS)


class Precedent(Value):
    """A finished piece of work that is like a task."""

    likeness: Share = Field(description="beside the best")
    work: Work


class Precedents(Value):
    """What was done, or tried, that is like a task, most like it first."""

    task: str
    precedents: tuple[Precedent, ...]
    files: Mapping[str, int] = Field(description="files that they changed, and how many did, most first")


def precedents(
    brain: Brain, task: str, paths: Sequence[str], *, limit: int, scope: Scope, here: Here = NOWHERE, now: datetime
) -> Precedents:
    """Finished issues and pull requests that are like *task*, or changed *paths*, most like it first.

    Args:
        paths, here: as `brief` takes them.

    Raises:
        EmptyQuestion: no letter or digit in *task*, and no path.
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    own = {id_: name for id_, name in sources.items() if name in here.home} or sources
    places = places_of(brain, paths, own=own, sources=sources, folder=here.folder)
    if not split(task) and not places:
        raise EmptyQuestion(task)
    files = [file for one in places for file in one.files]
    asked = Asked(brain, task, sources=own, now=now)
    found = similar(asked, pooled(asked, files), files)
    done = [one for one in found if one.work.fate in FINISHED and bears(one)][:limit]
    best = done[0].score if done else 1.0
    listed = tuple(Precedent(likeness=round(min(1.0, one.score / best), 3), work=one.work) for one in done)
    return Precedents(task=task, precedents=listed, files=changed(done))


class Pool(NamedTuple):
    """Pieces of work by id: how near to a task they are, 0 to about 2, and how much of it their passages say."""

    near: Mapping[int, float]
    says: Mapping[int, float]


def pooled(asked: Asked, files: Sequence[str] = ()) -> Pool:
    """The pieces of work whose passages are like the task, that changed *files*, or that are named along with these."""
    scores: defaultdict[int, list[float]] = defaultdict(list)
    says: defaultdict[int, float] = defaultdict(float)
    for one in filter(None, (asked, asked.first)):
        _add(one, scores, says)
    reader = asked.reader
    numbered = works_naming(reader.brain, asked.query.numbers, sources=reader.sources, until=reader.as_of)
    for record, sure in numbered.items():
        scores[record].append(sure)
        says[record] = 1.0
    for record in records_about(reader.brain, files, sources=reader.sources) if files else ():
        scores[record].append(THERE)
        says[record] = 1.0
    return _of_work(asked, scores, says)


def similar(asked: Asked, pool: Pool, files: Sequence[str] = (), *, there: bool = False) -> list[Alike]:
    """Pieces of work like the task, or that changed *files*, most like it first; each once.

    Args:
        there: those alone that changed them.
    """
    known = works(asked.reader.brain, nearest_of(pool), until=asked.reader.as_of)
    titled = asked.says([one.title for one in known.values()])
    here = {*files}
    alike = [
        Alike(
            one, pool.near[id_] + TITLED * said + THERE * (not here.isdisjoint(one.files)),
            max(said, pool.says.get(id_, 0.0)),
        )
        for (id_, one), said in zip(known.items(), titled, strict=True)
    ]  # fmt: skip
    alike = [one for one in alike if not (there and here.isdisjoint(one.work.files))]
    told = _told_once(sorted(alike, key=lambda one: one.work.type != "outcome"))
    return sorted(_last_of_series(told), key=lambda one: -one.score)


def nearest_of(pool: Pool) -> list[int]:
    """The nearest pieces of work, by id, those that are weighed by their titles."""
    return sorted(pool.near, key=lambda id_: -pool.near[id_])[:LOOKED_AT]


def beside(asked: Asked, pool: Pool, at: datetime) -> list[Thread]:
    """Issues and pull requests of the pool, those first that are near to the task and to *at*."""
    reader = asked.reader
    threads = threads_opened(reader.brain, [*pool.near], sources=reader.sources, until=timestamp(at))
    return sorted(threads, key=lambda one: -(pool.near[one.id] + LATELY * exp(-one.days / YEAR)))


def _add(asked: Asked, scores: defaultdict[int, list[float]], says: defaultdict[int, float]) -> None:
    reader, query, said = asked.reader, asked.query, asked.passages
    near = dict(reader.nearest(query.vector, encoder=query.encoder, limit=NEAREST)) if query.vector else {}
    rows = reader.passage_rows([*near])
    best = said[0][0] if said else 1.0
    held = map(asked.matcher.likeness, asked.matcher.holds(f"{row.called} {row.text}" for _, row in said))
    for (score, row), share in zip(said, held, strict=True):
        if row.type in TYPES:
            says[row.record_id] = max(says[row.record_id], IN_PASSING * share)
            worth = score / best + MEANING * max(0.0, near.pop(row.id, 0.0))
            scores[row.record_id].append(worth * (REMARK if row.type == "comment" else 1.0))
    for id_, likeness in near.items():
        if id_ in rows and rows[id_].type in TYPES:
            scores[rows[id_].record_id].append(MEANING * max(0.0, likeness))


def _of_work(asked: Asked, scores: Mapping[int, Sequence[float]], says: Mapping[int, float]) -> Pool:
    reader = asked.reader
    behind = works_behind(reader.brain, [*scores], until=reader.as_of)
    found: defaultdict[int, list[float]] = defaultdict(list)
    passed: defaultdict[int, float] = defaultdict(float)
    for record, ids in behind.items():
        for id_ in ids:
            found[id_] += scores[record]
            passed[id_] = max(passed[id_], says.get(record, 0.0))
    total = {id_: max(told) + AGAIN * min(1.0, sum(told) - max(told)) for id_, told in found.items()}
    for id_, share in _beside(asked, total).items():
        total[id_] = total.get(id_, 0.0) + BESIDE * share
    return Pool(total, passed)


def _last_of_series(alike: Iterable[Alike]) -> Iterator[Alike]:
    """*alike*, of finished work that is called the same but for its numbers the last, as near as the nearest of it.

    Merges that nobody worded are left out.
    """
    series: defaultdict[str, list[Alike]] = defaultdict(list)
    for one in alike:
        if one.work.fate not in DONE:
            yield one
        elif not is_merge(one.work.title):
            series[" ".join(_NUMBERS.sub("", spoken(one.work.title)).split())].append(one)
    for same in series.values():
        last = max(same, key=lambda one: str(one.work.ended or one.work.opened or ""))
        yield last._replace(score=max(one.score for one in same), says=max(one.says for one in same))


def _beside(asked: Asked, total: Mapping[int, float]) -> dict[int, float]:
    """How much the nearest pieces of work name each other one, or are named by it, as a share of the most."""
    begun = sorted(total, key=lambda id_: -total[id_])[:BEGUN_FROM]
    shares: defaultdict[int, float] = defaultdict(float)
    for id_, beside in works_beside(asked.reader.brain, begun, until=asked.reader.as_of):
        shares[beside] += total[id_] ** 2
    most = max(shares.values(), default=1.0)
    return {id_: share / most for id_, share in shares.items()}


def _told_once(alike: Sequence[Alike]) -> Iterator[Alike]:
    """*alike*, the ledger first, without what another tells: an issue its fix, a failed pull request its outcome."""
    by_ref = {(one.work.source, one.work.ref): one for one in alike}
    noted = {(one.work.source, ref) for one in alike if one.work.fate in DONE for ref in one.work.fixes}
    for one in alike:
        refs = [(one.work.source, ref) for ref in one.work.fixes] if one.work.type == "outcome" else []
        tried = [ref for ref in refs if ref in by_ref and by_ref[ref].work.fate in FAILED]
        if one.work.fate in FAILED and len(tried) == 1:
            noted.add(tried[0])
            one = one._replace(score=max(one.score, by_ref[tried[0]].score))  # noqa: PLW2901  as near as that
        elif one.work.fate not in FAILED and not by_ref.keys().isdisjoint(refs):
            noted.add((one.work.source, one.work.ref))
        if (one.work.source, one.work.ref) not in noted:
            yield one._replace(score=one.score + NOTED * (one.work.type == "outcome"))


def changed(found: Sequence[Alike]) -> dict[str, int]:
    """The files that the pieces of work changed, with how many did; those of the most like the task first."""
    counts: defaultdict[str, int] = defaultdict(int)
    worth: defaultdict[str, float] = defaultdict(float)
    for one in found:
        for file in one.work.files:
            counts[file] += 1
            worth[file] += one.score / (1 + len(one.work.files)) ** 0.5
    return {file: counts[file] for file in sorted(counts, key=lambda file: -worth[file])}

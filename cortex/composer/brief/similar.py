"""Pieces of work that are like a task, found by its words and its meaning: what was done, tried or asked for before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple

from pydantic import Field

from cortex.composer.brief.relevance import MOST, SHARE
from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.query.understand import understand
from cortex.composer.retrieve.passages import weighed
from cortex.composer.values import Query
from cortex.errors import EmptyQuestion
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Share, Value
from cortex.substrate.paths import NOWHERE, Here, places_of
from cortex.substrate.reading import Row, VerifiedReader
from cortex.substrate.sources import readable
from cortex.substrate.standing import records_about
from cortex.substrate.work import FAILED, FINISHED, Work, works, works_behind, works_naming

PASSAGES: Final = 120  # passages that are looked at for their words
NEAREST: Final = 40  # and for their meaning
LOOKED_AT: Final = 30  # pieces of work that are weighed by their titles
MEANING: Final = 0.6  # weight of the likeness in meaning of a passage, beside that of its words
REMARK: Final = 0.6  # weight of what only a remark under it says
AGAIN: Final = 0.25  # weight of what other passages of it say
TITLED: Final = 0.8  # weight of what the title says of the task, beside what all of it says
THERE: Final = 0.5  # worth of having changed the files of the task
NOTED: Final = 0.2  # worth of standing in the ledger
LONG: Final = 100  # characters after the first line of a task from which that is asked alone, too
ALIKE: Final = 0.45  # share of the best from which a piece of work is like the task
LEAST: Final = 0.5  # score below which nothing is
TYPES: Final = ("pull", "issue", "commit", "outcome", "comment")


class Alike(NamedTuple):
    """A piece of work and how like the task it is, 0 to about 2."""

    work: Work
    score: float


class Precedent(Value):
    """A finished piece of work that is like a task."""

    likeness: Share = Field(description="beside the best")
    work: Work


class Precedents(Value):
    """What was done, or tried, that is like a task, most like it first."""

    task: str
    precedents: tuple[Precedent, ...]
    files: Mapping[str, int] = Field(description="files that they changed, and how many did, most first")


class Asked:
    """A task taken apart once, and the brain it is asked of; of a long one its first line is asked, too."""

    def __init__(self, brain: Brain, task: str, *, sources: Mapping[int, str], now: datetime, until: str = "") -> None:
        self.reader = VerifiedReader(brain, sources, as_of=until)
        self.query: Query = understand(self.reader, task, brain.stemmer, now=now, encoder=brain.encoder)
        self.matcher = Matcher(self.query, brain.stemmer)
        self.likeness = Likeness(brain.encoder, self.query.vector)
        line, _, rest = task.strip().partition("\n")
        alone = len(rest) > LONG and split(line)
        self.first = Asked(brain, line, sources=sources, now=now, until=until) if alone else None

    def bind(self, sources: Mapping[int, str]) -> None:
        """Read these sources alone from now on."""
        self.reader = VerifiedReader(self.reader.brain, sources, as_of=self.reader.as_of)
        self.__dict__.pop("passages", None)
        if self.first:
            self.first.bind(sources)

    @cached_property
    def passages(self) -> list[tuple[float, Row]]:
        """Passages that hold words of the task, best first; of what only clients told the brain a few."""
        limit = PASSAGES
        while True:
            matches = self.reader.passages(self.query.terms, limit=limit)
            rows = self.reader.passage_rows([one.rowid for one in matches])
            crowd = {*[id_ for id_, row in rows.items() if row.unverified and row.type == "outcome"][SHARE:]}
            if not crowd or len(rows) - len(crowd) >= PASSAGES or len(matches) < limit or limit >= MOST:
                kept = {id_: row for id_, row in rows.items() if id_ not in crowd}
                return weighed(matches, kept, self.query, self.matcher)[:PASSAGES]
            limit *= 4

    def covered(self, text: str) -> float:
        """Share of the task's weight that the words of *text* hold."""
        return self.matcher.covered(self.matcher.holds([text])[0])

    def says(self, texts: Sequence[str]) -> list[float]:
        """How much of the task each of *texts* says, 0 to 1: in its words, or in its meaning where an encoder tells."""
        held = map(self.matcher.likeness, self.matcher.holds(texts))
        told = [max(share, near) for share, near in zip(held, self.likeness.of(texts), strict=True)]
        return list(map(max, told, self.first.says(texts))) if self.first else told


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
    found = similar(Asked(brain, task, sources=own, now=now), files)
    done = [one for one in found if one.work.fate in FINISHED][:limit]
    best = done[0].score if done else 1.0
    listed = tuple(Precedent(likeness=round(min(1.0, one.score / best), 3), work=one.work) for one in done)
    return Precedents(task=task, precedents=listed, files=changed(done))


def similar(asked: Asked, files: Sequence[str] = ()) -> list[Alike]:
    """Pieces of work like the task, or that changed *files*, most like it first; each once."""
    scores: defaultdict[int, list[float]] = defaultdict(list)
    for one in filter(None, (asked, asked.first)):
        _add(one, scores)
    reader = asked.reader
    numbered = works_naming(reader.brain, asked.query.numbers, sources=reader.sources, until=reader.as_of)
    for record, sure in numbered.items():
        scores[record].append(sure)
    for record in records_about(reader.brain, files, sources=reader.sources) if files else ():
        scores[record].append(THERE)
    return _weighed(asked, scores, {*files})


def _add(asked: Asked, scores: defaultdict[int, list[float]]) -> None:
    reader, query, said = asked.reader, asked.query, asked.passages
    near = dict(reader.nearest(query.vector, encoder=query.encoder, limit=NEAREST)) if query.vector else {}
    rows = reader.passage_rows([*near])
    best = said[0][0] if said else 1.0
    for score, row in said:
        if row.type in TYPES:
            worth = score / best + MEANING * max(0.0, near.pop(row.id, 0.0))
            scores[row.record_id].append(worth * (REMARK if row.type == "comment" else 1.0))
    for id_, likeness in near.items():
        if id_ in rows and rows[id_].type in TYPES:
            scores[rows[id_].record_id].append(MEANING * max(0.0, likeness))


def _weighed(asked: Asked, scores: Mapping[int, Sequence[float]], files: set[str]) -> list[Alike]:
    reader = asked.reader
    behind = works_behind(reader.brain, [*scores], until=reader.as_of)
    found: defaultdict[int, list[float]] = defaultdict(list)
    for record, ids in behind.items():
        for id_ in ids:
            found[id_] += scores[record]
    total = {id_: max(told) + AGAIN * min(1.0, sum(told) - max(told)) for id_, told in found.items()}
    first = sorted(total, key=lambda id_: -total[id_])[:LOOKED_AT]
    known = works(reader.brain, first, until=reader.as_of)
    titled = asked.says([one.title for one in known.values()])
    alike = [
        Alike(one, total[id_] + TITLED * said + THERE * (not files.isdisjoint(one.files)))
        for (id_, one), said in zip(known.items(), titled, strict=True)
    ]
    return sorted(_told_once(sorted(alike, key=lambda one: one.work.type != "outcome")), key=lambda one: -one.score)


def _told_once(alike: Sequence[Alike]) -> Iterator[Alike]:
    """*alike*, the ledger first, without the pull request whose failure it tells, and without what else it tells."""
    by_ref = {one.work.ref: one for one in alike}
    noted: set[str] = set()
    for one in alike:
        of = [by_ref[ref] for ref in one.work.fixes if ref in by_ref] if one.work.type == "outcome" else []
        failed = [other for other in of if other.work.fate in FAILED]
        if one.work.fate in FAILED and len(failed) == 1:
            noted.add(failed[0].work.ref)
            one = one._replace(score=max(one.score, failed[0].score))  # noqa: PLW2901  as near as what it tells of
        elif of and one.work.fate not in FAILED:
            noted.add(one.work.ref)
        if one.work.ref not in noted:
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

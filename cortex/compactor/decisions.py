"""Decisions that a later one overtook and that stand all the same: given then taken, set anew, renamed again.

Each is told by the titles of merged pull requests and commits. For each thing only the last word and the last one
against it are reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, NamedTuple

from cortex.compactor.disagreement import Contradiction, Side, contradiction
from cortex.compactor.titles import Change, changes
from cortex.indexers.distill.machines import MACHINE
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

GENERIC: Final = 3  # other titles that may name all of a thing's words; what more name is a kind of thing, not one
KNOWN_NAME: Final = 8  # titles that may name what something was renamed to; what more name is everybody's


_TOOK: Final = "the later took back what the earlier brought"


class _Decision(NamedTuple):
    side: Side
    at: str
    ref: str
    change: Change


def overtaken(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    """What a later decision took back, set to something else or renamed again."""
    stems = Stemmer()
    titles = Titles()
    every: list[_Decision] = []
    for handle, statement, authority, at, title, ref, author in brain.db.execute(
        sql("decisions"), {"source_id": source_id}
    ):
        titles.add(stems.sequence(title))
        if not MACHINE.search(author):
            side = Side(handle=handle, statement=statement, authority=authority)
            every += [_Decision(side, at, ref, change) for change in changes(title, stems.sequence)]
    yield from _taken_back(every, titles, source)
    yield from _set_anew(every, titles, source)
    yield from _renamed(every, titles, source)


class Titles:
    """Which titles hold which stems."""

    def __init__(self) -> None:
        self._every: list[frozenset[str]] = []

    def add(self, stems: Iterable[str]) -> None:
        """Remember one title."""
        self._every.append(frozenset(stems))

    def with_all(self, stems: frozenset[str]) -> int:
        """How many titles hold all of *stems*."""
        return sum(stems <= title for title in self._every)


def _taken_back(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    for decided in _about(every, ("gives",), lambda change: (change.kind, change.what)):
        last = decided[-1]
        against = [one for one in decided if one.change.positive != last.change.positive and _same_part(one, last)]
        if against and titles.with_all(last.change.what) <= len(decided) + GENERIC:
            reason = "the later brought back what the earlier took" if last.change.positive else _TOOK
            doubtful = last.change.scope != against[-1].change.scope
            yield contradiction(source, "superseded", reason, last.side, against[-1].side, doubtful=doubtful)


def _set_anew(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    for decided in _about(every, ("sets",), lambda change: (change.scope, change.what)):
        last = decided[-1]
        others = [one for one in decided if one.change.value != last.change.value]
        if others and (last.change.scope or titles.with_all(last.change.what) <= len(decided) + GENERIC):
            yield contradiction(source, "number", "the later set another value", last.side, others[-1].side)


def _renamed(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    kinds = ("renames", "switches")
    given_up: dict[Hashable, list[_Decision]] = {
        (decided[0].change.kind, decided[0].change.value): decided
        for decided in _about(every, kinds, lambda change: (change.kind, change.value))
    }
    for one in every:
        if one.change.kind in kinds and one.change.specific:
            left = given_up.get((one.change.kind, one.change.what), [])
            later = next((other for other in left if other.at > one.at and _same_part(one, other)), None)
            if later and titles.with_all(one.change.what) <= KNOWN_NAME:
                yield contradiction(source, "choice", "the later renamed or replaced it again", later.side, one.side)


def _about(
    every: Iterable[_Decision], kinds: tuple[str, ...], thing: Callable[[Change], Hashable]
) -> Iterator[list[_Decision]]:
    grouped: defaultdict[Hashable, list[_Decision]] = defaultdict(list)
    for one in every:
        if one.change.kind in kinds:
            grouped[thing(one.change)].append(one)
    yield from grouped.values()


def _same_part(one: _Decision, other: _Decision) -> bool:
    here, there = one.change.scope, other.change.scope
    return one.ref != other.ref and (here == there or not (here and there))

"""What stands in the place of each record, worked out of what changed which: undone changes count for nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from cortex.substrate.changes import Op, State

STATES: Final[Mapping[Op, State]] = {
    "supersedes": "superseded",
    "replaces": "superseded",
    "reverts": "reverted",
    "removes": "removed",
    "amends": "amended",
    "relands": "reinstated",
}


class Edge(NamedTuple):
    """A change of one record by another; edges sort in the order in which they took effect.

    Attributes:
        at: ISO 8601 time; '' from the beginning.
        rank: of those of one time, how many others it is known to follow.
    """

    at: str
    rank: int
    of: str
    by: str
    op: Op
    certainty: float


class Became(NamedTuple):
    """What became of the record *of*, from *since* until *until*, '' where it holds."""

    of: str
    state: str
    by: str
    certainty: float
    since: str
    until: str


def lineage(edges: Iterable[Edge]) -> set[Became]:
    """What became of every record that an edge is of, at every time.

    A reverted change is none: what it reverted, superseded or removed is reinstated. What was superseded has in its
    place what did so itself, not the head of the chain. Of edges that make a circle the earliest does not count.

    >>> [*lineage([Edge("2024", 0, "a", "b", "supersedes", 1.0)])]
    [Became(of='a', state='superseded', by='b', certainty=1.0, since='2024', until='')]
    """
    changed = _without_circles(edges)
    known: _Known = {}
    return {row for of in changed for row in _periods(of, changed, known)}


_Changed = Mapping[str, Sequence[Edge]]
_Known = dict[tuple[str, str], "Edge | None"]
_REVERTS: Final = ("reverts", "relands")


def _without_circles(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    kept: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in sorted(set(edges), reverse=True):
        if edge.of == edge.by or edge.of not in _above(edge.by, kept):
            kept[edge.of].append(edge)
    return {of: sorted(every) for of, every in kept.items()}


def _above(ref: str, changed: _Changed, ops: Collection[Op] = tuple(STATES)) -> set[str]:
    found, open_ = {ref}, [ref]
    while open_:
        more = {edge.by for edge in changed.get(open_.pop(), ()) if edge.op in ops} - found
        found |= more
        open_ += more
    return found


class _Now(NamedTuple):
    state: str
    by: str
    certainty: float


def _periods(of: str, changed: _Changed, known: _Known) -> Iterator[Became]:
    undoing = {ref for edge in changed[of] for ref in _above(edge.by, changed, _REVERTS)}
    days = {edge.at for edge in changed[of]}
    days |= {edge.at for ref in undoing for edge in changed.get(ref, ()) if edge.op in _REVERTS}
    begun: dict[_Now, str] = {}
    for day in sorted(days):
        now = {*_became(of, day, changed, known)}
        yield from (Became(of, *one, since=begun.pop(one), until=day) for one in {*begun} - now)
        for one in now:
            begun.setdefault(one, day)
    yield from (Became(of, *one, since=since, until="") for one, since in begun.items())


def _became(of: str, day: str, changed: _Changed, known: _Known) -> Iterator[_Now]:
    """What had become of a record on a day; of what amended it everything, and of the rest the last."""
    last: _Now | None = None
    for edge in changed[of]:
        if edge.at > day:
            break
        undone = None if edge.by == of else _undone(edge.by, day, changed, known)
        now = _Now(STATES[edge.op], edge.by, edge.certainty)
        if undone:
            if edge.op not in ("relands", "amends") and (not last or last.state == "reinstated"):
                last = _Now("reinstated", undone.by, undone.certainty)
        elif edge.op == "amends":
            yield now
        elif edge.op != "relands" or (last and last.state in ("reverted", "removed")):
            last = now
    if last:
        yield last


def _undone(ref: str, day: str, changed: _Changed, known: _Known) -> Edge | None:
    if (ref, day) not in known:
        standing: Edge | None = None
        for edge in changed.get(ref, ()):
            if edge.op in _REVERTS and edge.by != ref and edge.at <= day and not _undone(edge.by, day, changed, known):
                standing = edge if edge.op == "reverts" else None
        known[ref, day] = standing
    return known[ref, day]

"""What a process keeps of the postings it has read: the rows of each term in a scope, read anew where a source changed.

Each source has a version, which is another after every change of its rows. So what is kept of a term is taken over
but for the sources whose version is another, and a scope reads nothing that was read for another one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

MOST_BYTES: Final = 256 * 2**20
SCOPES: Final = 64  # of which the versions are kept

Array = np.ndarray[Any, Any]
Versions = Mapping[int, int]


class Columns(NamedTuple):
    """Rows of a term, in the order of their keys."""

    keys: Array
    sources: Array
    values: Array


Read = Callable[[Sequence[str], Sequence[int]], Mapping[str, Columns]]
"""Reads what some sources have of each of some terms; nothing where they have nothing."""


class _Held(NamedTuple):
    columns: Columns
    versions: Versions


class _Scope(NamedTuple):
    number: int
    state: object
    versions: Versions


_held: OrderedDict[tuple[int, str, str], _Held] = OrderedDict()
_bytes = 0
_scopes: OrderedDict[tuple[object, ...], _Scope] = OrderedDict()
_numbers = count()
_lock = Lock()


class Kept:
    """What is kept of one scope.

    Args:
        scope: what tells it from others: the database, the index, the sources.
        state: what is another when any version is.
        versions: reads the version of each source.
        empty: the rows of no term.
    """

    def __init__(
        self, scope: tuple[object, ...], state: object, versions: Callable[[], Versions], empty: Columns
    ) -> None:
        with _lock:
            before = _scopes.get(scope)
        number = before.number if before else next(_numbers)
        now = before if before and before.state == state else _Scope(number, state, versions())
        with _lock:
            _scopes[scope] = now
            _scopes.move_to_end(scope)
            while len(_scopes) > SCOPES:
                _scopes.popitem(last=False)
        self._number, self.versions, self._empty = now.number, now.versions, empty
        self._every = (*self.versions,)
        self._differing: dict[int, tuple[int, ...]] = {}

    def of(self, kind: str, terms: Collection[str], read: Read) -> dict[str, Columns]:
        """The rows of each of *terms*; *read* gives what is not kept, or of another version."""
        found: dict[str, Columns] = {}
        late: dict[tuple[int, ...], dict[str, Columns]] = {}
        with _lock:
            for term in terms:
                held = _held.get((self._number, kind, term))
                if held is None:
                    late.setdefault(self._every, {})[term] = self._empty
                    continue
                _held.move_to_end((self._number, kind, term))
                if differing := self._differing_from(held.versions):
                    late.setdefault(differing, {})[term] = held.columns
                else:
                    found[term] = held.columns
        for sources, before in late.items():
            now = read([*before], [source for source in sources if source in self.versions])
            for term, columns in before.items():
                found[term] = self._keep(kind, term, _joined(columns, now.get(term), sources))
        return found

    def holds(self, kind: str, term: str) -> Columns | None:
        """The rows of *term* where they are kept and of today."""
        with _lock:
            held = _held.get((self._number, kind, term))
            return held.columns if held and not self._differing_from(held.versions) else None

    def _differing_from(self, then: Versions) -> tuple[int, ...]:
        """The sources that came, changed or went since."""
        if then is self.versions:
            return ()
        if id(then) not in self._differing:
            self._differing[id(then)] = (*{source for source, _ in {*then.items()} ^ {*self.versions.items()}},)
        return self._differing[id(then)]

    def _keep(self, kind: str, term: str, columns: Columns) -> Columns:
        global _bytes  # noqa: PLW0603  of all scopes
        key = self._number, kind, term
        with _lock:
            if before := _held.pop(key, None):
                _bytes -= _size(before.columns)
            _held[key] = _Held(columns, self.versions)
            _bytes += _size(columns)
            while _bytes > MOST_BYTES:
                _, gone = _held.popitem(last=False)
                _bytes -= _size(gone.columns)
        return columns


def _size(columns: Columns) -> int:
    return sum(column.nbytes for column in columns) + 500  # of the key and what holds it


def _joined(columns: Columns, fresh: Columns | None, sources: Collection[int]) -> Columns:
    """*columns* with what *sources* have now in place of what they had."""
    if len(columns.keys):
        stay = ~np.isin(columns.sources, [*sources])
        columns = Columns(*(column[stay] for column in columns))
    if fresh is None or not len(fresh.keys):
        return columns
    if not len(columns.keys):
        return fresh
    return in_order(Columns(*(np.concatenate(pair) for pair in zip(columns, fresh, strict=True))))


def in_order(columns: Columns) -> Columns:
    """*columns* in the order of the keys."""
    keys = columns.keys
    if (keys[1:] >= keys[:-1]).all():
        return columns
    order = np.argsort(keys, kind="stable")
    return Columns(*(column[order] for column in columns))

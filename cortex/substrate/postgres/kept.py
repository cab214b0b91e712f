"""What a process keeps of the postings it has read: an array of each term in a scope, read anew where a source changed.

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
Read = Callable[[Sequence[str], Sequence[int]], Mapping[str, Array]]
"""Reads what some sources have of each of some terms: an array with a field `source`; none where they have nothing."""


class _Held(NamedTuple):
    array: Array
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
        empty: an array of no term.
    """

    def __init__(
        self, scope: tuple[object, ...], state: object, versions: Callable[[], Versions], empty: Array
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

    def of(self, kind: str, terms: Collection[str], read: Read) -> dict[str, Array]:
        """The array of each of *terms*; *read* gives what is not kept, or of another version."""
        found: dict[str, Array] = {}
        late: dict[tuple[int, ...], dict[str, Array]] = {}
        with _lock:
            for term in terms:
                held = _held.get((self._number, kind, term))
                if held is None:
                    late.setdefault(self._every, {})[term] = self._empty
                    continue
                _held.move_to_end((self._number, kind, term))
                if differing := self._differing_from(held.versions):
                    late.setdefault(differing, {})[term] = held.array
                else:
                    found[term] = held.array
        for sources, arrays in late.items():
            now = read([*arrays], [source for source in sources if source in self.versions])
            for term, array in arrays.items():
                found[term] = self._keep(kind, term, _joined(array, now.get(term), sources))
        return found

    def holds(self, kind: str, term: str) -> Array | None:
        """The array of *term* where it is kept and of today."""
        with _lock:
            held = _held.get((self._number, kind, term))
            return held.array if held and not self._differing_from(held.versions) else None

    def _differing_from(self, then: Versions) -> tuple[int, ...]:
        """The sources that came, changed or went since."""
        if then is self.versions:
            return ()
        if id(then) not in self._differing:
            self._differing[id(then)] = (*{source for source, _ in {*then.items()} ^ {*self.versions.items()}},)
        return self._differing[id(then)]

    def _keep(self, kind: str, term: str, array: Array) -> Array:
        global _bytes  # noqa: PLW0603  of all scopes
        key = self._number, kind, term
        with _lock:
            if before := _held.pop(key, None):
                _bytes -= _size(before.array)
            _held[key] = _Held(array, self.versions)
            _bytes += _size(array)
            while _bytes > MOST_BYTES:
                _, gone = _held.popitem(last=False)
                _bytes -= _size(gone.array)
        return array


def _size(array: Array) -> int:
    return array.nbytes + 500  # of the key and what holds it


def _joined(array: Array, fresh: Array | None, sources: Collection[int]) -> Array:
    """*array* with what *sources* have now in place of what they had, in the order of the first field."""
    stays = array[~np.isin(array["source"], [*sources])] if len(array) else array
    if fresh is None or not len(fresh):
        return stays
    return in_order(np.concatenate([stays, fresh])) if len(stays) else fresh


def in_order(array: Array) -> Array:
    """*array* in the order of its first field."""
    key = array[next(iter(array.dtype.names or ()))]
    return array if (key[1:] >= key[:-1]).all() else array[np.argsort(key, kind="stable")]

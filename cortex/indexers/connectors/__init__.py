"""Connectors fetch and normalise; they emit records and know nothing of facts.

A connector is a function `read(…) -> Iterator[Item]`: records as they come, a `Skipped` for every input that gave
less than it should, and, where it can go on from there next time, one `Cursor` last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cortex.substrate.model import Record, RecordType, Skipped, Value


class Cursor(Value):
    """Where to go on from next time; opaque to all but the connector that gave it."""

    value: str
    complete: bool = False
    """The stream was the whole of its origin: records it brought earlier and not now are gone."""
    lost: Mapping[RecordType, int] = {}
    """Inputs that could not be read, by the types of record they may have held: none of those is gone for that."""
    stopped: str = ""
    """Why the reading ended before its end."""
    unread: Mapping[str, int] = {}
    """Files that no connector reads, by how their names end."""
    files: tuple[str, ...] = ()
    """The paths of all files, where the origin is a tree."""


class Gone(Value):
    """What an origin that is not read from its beginning is known to have no longer."""

    ref: str


class Unread(NamedTuple):
    """A text whose records any process can make."""

    size: int
    read: Callable[[], Iterator[Record | Skipped]]


Item = Record | Skipped | Cursor | Gone | Unread

__all__ = ["Cursor", "Gone", "Item", "Unread"]

"""Watching a folder: its documents are indexed again when they change, until somebody says stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from cortex.errors import BadInput, MissingExtra
from cortex.indexers.connectors import outcomes, tree
from cortex.indexers.connectors.listing import list_tree
from cortex.indexers.journal.places import FOLDER, OUTCOMES, REVIEWS

DEBOUNCE_MS: Final = 600
"""An editor writes a file several times, and git many files: what comes within this time is one change."""

TICK_MS: Final = 500

Changes = Iterator[list[str]]


def changes_in(root: Path) -> Callable[[], Changes]:
    """What gives the paths that changed under *root*, together where they come together; it ends at Ctrl-C.

    The first are none: from then on nothing is missed, and what changed before is for the caller to look for.
    """
    if not root.is_dir():
        raise BadInput(root, "no such folder", hint="name a repository or a folder of documents")
    try:
        from watchfiles import Change, DefaultFilter, watch  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MissingExtra("watch", "cortex index --watch") from error
    top, usual, folders = root.resolve(), DefaultFilter(), set[str]()

    def wanted(change: Change, path: str) -> bool:
        inside = Path(path).relative_to(top).as_posix()
        if not usual(change, path):
            return False
        return (
            _is_read(inside)
            or inside in folders
            or (change == Change.added and any(map(_is_read, _below(top, inside))))
        )

    def changes() -> Changes:
        begun = False
        folders.update(_folders(path for path in list_tree(top) if isinstance(path, str)))
        for batch in watch(
            top, watch_filter=wanted, debounce=DEBOUNCE_MS, rust_timeout=TICK_MS, yield_on_timeout=True,
            raise_interrupt=False,
        ):  # fmt: skip
            if batch or not begun:
                changed = sorted({Path(path).relative_to(top).as_posix() for _, path in batch})
                for inside in changed:
                    folders.update(_folders(_below(top, inside)))
                yield changed
            begun = True

    return changes


def _is_read(inside: str) -> bool:
    return tree.wanted(inside) or inside in (outcomes.LEDGER, f"{FOLDER}/{OUTCOMES}", f"{FOLDER}/{REVIEWS}")


def _folders(paths: Iterable[str]) -> set[str]:
    """The folders that what is read of *paths* stands in: only a folder's own name is told when it goes away."""
    found = (PurePosixPath(path).parents for path in paths if _is_read(path))
    return {parent.as_posix() for parents in found for parent in parents if parent.name}


def _below(top: Path, inside: str) -> Iterator[str]:
    if not (top / inside).is_dir():
        yield inside
    for folder, _, files in os.walk(top / inside):
        yield from ((Path(folder) / name).relative_to(top).as_posix() for name in files)

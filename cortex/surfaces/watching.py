"""Watching a folder: its documents are indexed again when they change, until somebody says stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from cortex.errors import BadInput, MissingExtra
from cortex.indexers.connectors import outcomes, tree
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
    top, usual = root.resolve(), DefaultFilter()

    def wanted(change: Change, path: str) -> bool:
        """Whether what changed may be read; of a folder that comes or goes only its own name is told."""
        came, went = change == Change.added and Path(path).is_dir(), change == Change.deleted and not Path(path).suffix
        return usual(change, path) and (came or went or _is_read(Path(path).relative_to(top).as_posix()))

    def changes() -> Changes:
        begun = False
        for batch in watch(
            top, watch_filter=wanted, debounce=DEBOUNCE_MS, rust_timeout=TICK_MS, yield_on_timeout=True,
            raise_interrupt=False,
        ):  # fmt: skip
            if batch or not begun:
                yield sorted({Path(path).relative_to(top).as_posix() for _, path in batch})
            begun = True

    return changes


def _is_read(inside: str) -> bool:
    return tree.wanted(inside) or inside in (outcomes.LEDGER, f"{FOLDER}/{OUTCOMES}", f"{FOLDER}/{REVIEWS}")

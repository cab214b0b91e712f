"""Open readers, lent to one call at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, LifoQueue

from cortex.substrate.brain import Brain, open_brain
from cortex.surfaces.encoding import Models


class Readers:
    """Read-only connections to one brain, as many as calls have run at once; a brain made anew is opened anew."""

    def __init__(self, path: Path, models: Models = Models()) -> None:  # noqa: B008  immutable
        self.path, self.models = path, models
        self._idle: LifoQueue[tuple[int, Brain]] = LifoQueue()

    @contextmanager
    def lent(self) -> Iterator[Brain]:
        """An open reader that nobody else uses meanwhile.

        Raises:
            BrainError: the brain cannot be read.
        """
        which, brain = self._taken()
        try:
            yield brain
        finally:
            self._idle.put((which, brain))

    def close(self) -> None:
        """Let go of the file."""
        while True:
            try:
                _, brain = self._idle.get_nowait()
            except Empty:
                return
            brain.close()

    def _taken(self) -> tuple[int, Brain]:
        which = self.path.stat().st_ino if self.path.is_file() else 0
        while True:
            try:
                found = self._idle.get_nowait()
            except Empty:
                return which, open_brain(self.path, read_only=True).encoding(*self.models)
            if found[0] == which:
                return found
            found[1].close()

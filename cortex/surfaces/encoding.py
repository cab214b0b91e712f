"""The encoder and the re-ranker that the settings give, found when first needed, and readers that have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cortex.substrate.address import is_database
from cortex.substrate.brain import Brain, open_brain

if TYPE_CHECKING:
    from cortex.settings import Settings
    from cortex.substrate.encoder import Encoder, Reranker


def _none() -> None:
    return None


class Models(NamedTuple):
    """What finds the encoder and the re-ranker of a brain; it can be pickled."""

    find_encoder: Callable[[], Encoder | None] = _none
    find_reranker: Callable[[], Reranker | None] = _none


def models_of(settings: Settings) -> Models:
    """The encoder of the extra `semantic`, its table in the cache folder, and the re-ranker that the settings name."""
    cache = settings.cache_folder
    return Models(partial(_find_encoder, cache), partial(_find_reranker, settings.reranker, cache))


def _find_encoder(cache: Path) -> Encoder | None:
    from cortex.llm.encoder import find_encoder  # noqa: PLC0415  a brain that is not asked needs none

    return find_encoder(cache)


def _find_reranker(model: str, cache: Path) -> Reranker | None:
    if not model:
        return None
    from cortex.llm.reranker import find_reranker  # noqa: PLC0415  most name none

    return find_reranker(model, cache)


class Readers:
    """Read-only connections to one brain, as many as calls have run at once.

    A brain that was made anew is opened anew, and one whose server was started anew.
    """

    def __init__(self, path: Path, models: Models = Models()) -> None:  # noqa: B008  immutable
        self.path, self.models = path, models
        self._idle: list[tuple[int, Brain]] = []  # whose two methods below are each one step for other threads

    @contextmanager
    def lent(self) -> Iterator[Brain]:
        """An open reader that nobody else uses meanwhile.

        Raises:
            BrainError: the brain cannot be read.
        """
        which, brain = self._taken()
        try:
            brain.restrict(())  # of whoever had it before
            yield brain
        finally:
            if not brain.lost:
                self._idle.append((which, brain))

    def close(self) -> None:
        """Let go of the file."""
        while self._idle:
            self._idle.pop()[1].close()

    def _taken(self) -> tuple[int, Brain]:
        which = self.path.stat().st_ino if not is_database(self.path) and self.path.is_file() else 0
        while True:
            try:
                found = self._idle.pop()
            except IndexError:
                return which, open_brain(self.path, read_only=True).encoding(*self.models)
            if found[0] == which and not found[1].lost:
                return found
            found[1].close()

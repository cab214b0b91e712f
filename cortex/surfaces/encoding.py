"""The encoder and the re-ranker that the settings give, found when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

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

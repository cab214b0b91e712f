"""The encoder and the re-ranker that the settings give, found when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cortex.settings import Settings
    from cortex.substrate.encoder import Encoder, Reranker


def encoder_of(settings: Settings) -> Callable[[], Encoder | None]:
    """What finds the encoder of the extra `semantic`, whose table is kept in the cache folder; it can be pickled."""
    return partial(_find_encoder, settings.cache_folder)


def reranker_of(settings: Settings) -> Callable[[], Reranker | None]:
    """What finds the re-ranker that the settings name, by the extra `rerank`; it can be pickled."""
    return partial(_find_reranker, settings.reranker, settings.cache_folder)


def _find_encoder(cache: Path) -> Encoder | None:
    from cortex.llm.encoder import find_encoder  # noqa: PLC0415  a brain that is not asked needs none

    return find_encoder(cache)


def _find_reranker(model: str, cache: Path) -> Reranker | None:
    if not model:
        return None
    from cortex.llm.reranker import find_reranker  # noqa: PLC0415  most name none

    return find_reranker(model, cache)

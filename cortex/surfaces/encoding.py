"""The encoder that the settings give, found when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cortex.settings import Settings
    from cortex.substrate.encoder import Encoder


def encoder_of(settings: Settings) -> Callable[[], Encoder | None]:
    """What finds the encoder of the extra `semantic`, whose table is kept in the cache folder; it can be pickled."""
    return partial(_find, settings.cache_folder)


def _find(cache: Path) -> Encoder | None:
    from cortex.llm.encoder import find_encoder  # noqa: PLC0415  a brain that is not asked needs none

    return find_encoder(cache)

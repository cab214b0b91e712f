"""The distiller that needs no model: the rules for documents and comments, as the queue asks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cortex.indexers.distill import Distilled, Version
from cortex.indexers.distill.rules import distill
from cortex.indexers.distill.text import Text

RANK: Final = 24
"""Counted up whenever the rules make other facts of the same text: every brain then has them made again."""


class Rules(NamedTuple):
    """Keeps what decides, requires, defines, measures, warns or assigns, and can be read on its own."""

    version: Version = Version(RANK, f"rules {RANK}")
    batch: int = 256
    calls: int = 0
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled]:
        """The facts of each of *texts*."""
        return (Distilled(tuple(distill(text))) for text in texts)


RULES: Final = Rules()

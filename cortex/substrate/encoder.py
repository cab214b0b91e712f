"""What an encoder and a re-ranker are: one turns texts into vectors, the other scores texts as answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

Vector: TypeAlias = bytes
"""Signed bytes, one a dimension: a vector of length one times `SCALE`; all zeros where a text had no words."""


class Encoder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: the model, its dimensions and a checksum; vectors of different names cannot be compared.
        dims: numbers of a vector.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def dims(self) -> int: ...  # noqa: D102
    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order; zeros for a text without a word."""

    def likenesses(self, vector: Vector, texts: Sequence[str]) -> list[float]:
        """The cosine of *vector* and each of *texts*, in order."""


class Reranker(Protocol):
    """Scores texts as answers to a question.

    Attributes:
        name: the model; scores of different ones cannot be compared.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order; higher is better, without bounds."""

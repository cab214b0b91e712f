"""Likeness in meaning of texts to the question, by the encoder; 0 where none is installed."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.substrate.encoder import Encoder, Vector


class Likeness:
    """How near texts are to one question, -1 to 1; each text is encoded once."""

    def __init__(self, encoder: Encoder | None, vector: Vector) -> None:
        self._encoder, self._vector = encoder, vector
        self._known: dict[str, float] = {}

    def of(self, texts: Sequence[str]) -> list[float]:
        """The likeness of each of *texts*."""
        if self._encoder is None or not self._vector:
            return [0.0] * len(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.likenesses(self._vector, new), strict=True))
        return [self._known[text] for text in texts]

"""Vectors for the passages that have none: of new and changed ones, or of all after an encoder was installed."""

from __future__ import annotations

from typing import Final

from cortex.indexers.reading import Progress
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.vectors import put_vectors, texts_of, unencoded

AT_ONCE: Final = 2_048  # passages of a transaction: a quarter of a second


def encode_passages(brain: Brain, encoder: Encoder, progress: Progress = lambda *_: None) -> int:
    """Store a vector for each passage without one of *encoder*, and say of how many; a second time of none."""
    waiting = unencoded(brain, encoder=encoder.name)
    for start in range(0, len(waiting), AT_ONCE):
        progress("encoding", start, len(waiting))
        with brain.transaction():
            texts = dict(texts_of(brain, waiting[start : start + AT_ONCE]))
            vectors = encoder.encode([*texts.values()])
            put_vectors(brain, dict(zip(texts, vectors, strict=True)), encoder=encoder.name)
    if waiting:
        progress("encoding", len(waiting), len(waiting))
    return len(waiting)

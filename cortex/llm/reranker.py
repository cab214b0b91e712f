"""A cross-encoder that reads question and text together, where the extra `rerank` is installed and a model is named."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cortex.substrate.encoder import Reranker

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

LAID_OUT_AS: Final = "Xenova/ms-marco-MiniLM-L-6-v2"
"""The model whose files a folder of one's own has: onnx/model.onnx, tokenizer.json, config.json and those beside it."""


class CrossEncoder:
    """A model of fastembed."""

    def __init__(self, name: str, model: TextCrossEncoder) -> None:
        self.name, self._model = name, model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order; higher is better, without bounds."""
        return [float(score) for score in self._model.rerank(question, texts)] if texts else []


@lru_cache(maxsize=1)
def find_reranker(model: str, cache: Path) -> Reranker | None:
    """The cross-encoder called *model*; None where none is named or the extra `rerank` is not installed.

    Args:
        model: one that fastembed knows, whose weights it downloads once into *cache*, or the full path of a folder.

    Raises:
        ValueError: fastembed knows none of this name.
    """
    if not model or not find_spec("fastembed"):
        return None
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415  a second, for who names a model only

    if Path(model).is_absolute():  # a relative name could be a folder of the repository one stands in
        return CrossEncoder(model, TextCrossEncoder(LAID_OUT_AS, specific_model_path=model))
    return CrossEncoder(model, TextCrossEncoder(model, cache_dir=str(cache)))

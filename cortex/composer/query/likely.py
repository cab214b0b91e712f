"""What a question in any words is likely to ask of the project: a linear model over the encoder's vector of it."""

from __future__ import annotations

import json
import math
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul
from typing import Final, NamedTuple

from cortex.packaged import files
from cortex.regex import regex
from cortex.substrate.encoder import Vector
from cortex.substrate.vectors import SCALE

FIRST: Final = ("how", "what", "which", "who", "where", "when", "why", "is", "are", "does", "do", "can", "should")
LENGTH: Final = 20  # words from which a question is long
WORTH: Final = 64  # of a property of the wording, beside numbers of a vector of length `SCALE`
NOTHING: Final = "nothing"  # of what a project states

_WORD: Final = regex(r"[a-z0-9+#']+")
_NUMBER: Final = regex(r"\d")
_IDENTIFIER: Final = regex(r"[A-Za-z][._][A-Za-z]|\(\)|--\w|[a-z][A-Z]")


class Model(NamedTuple):
    """Weights by what is asked for, of an encoder's vectors.

    Attributes:
        from_: the likelihood that counts.
        words: ordinary words of the questions it was fitted on; any other may name something else.
    """

    encoder: str
    from_: float
    scale: float
    words: frozenset[str]
    weights: Mapping[str, Sequence[int]]


@cache
def read_model() -> Model:
    """The fitted weights of `likely.json`, signed bytes in base64; `bench/properties.py` makes it."""
    read = json.loads((files("cortex.composer.query") / "likely.json").read_text("utf-8"))
    weights = {name: memoryview(b64decode(row)).cast("b").tolist() for name, row in read["weights"].items()}
    return Model(read["encoder"], read["from"], read["scale"], frozenset(read["words"].split()), weights)


def measures(text: str, vector: Vector) -> list[int]:
    """What the model weighs: the vector, the first word, the length, and whether there is a number or an identifier."""
    words = _WORD.findall(text.lower()) or [""]
    wording = [
        *(words[0] == one for one in FIRST),
        min(len(words), LENGTH) / LENGTH,
        _NUMBER.search(text) is not None,
        _IDENTIFIER.search(text) is not None,
        1,
    ]
    return [*memoryview(vector).cast("b").tolist(), *(round(WORTH * float(one)) for one in wording)]


def likeliest(text: str, vector: Vector, encoder: str) -> tuple[str, float]:
    """The property or intent that *text* is likeliest to ask for, and how likely, 0 to 1; '' where it asks for none.

    Args:
        vector: of *text*, by the encoder of that name; the model knows one encoder.
    """
    model = read_model()
    if not vector or encoder != model.encoder:
        return "", 0.0
    seen = measures(text, vector)
    logits = {name: sum(map(mul, row, seen)) * model.scale / SCALE for name, row in model.weights.items()}
    most = max(logits.values())
    chances = {name: math.exp(logit - most) for name, logit in logits.items()}
    whole = sum(chances.values())
    best = max(chances, key=lambda name: chances[name])
    likelihood = chances[best] / whole
    return (best, likelihood) if best != NOTHING and likelihood >= model.from_ else ("", likelihood)

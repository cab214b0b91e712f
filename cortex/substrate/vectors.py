"""Vectors of texts: how alike two are."""

from __future__ import annotations

from collections.abc import Iterable
from operator import mul
from typing import Final, TypeAlias

Vector: TypeAlias = bytes
"""Signed bytes, one a dimension: a vector of length one times `SCALE`; all zeros where a text had no words."""

SCALE: Final = 256
"""Hardly a number of a vector of length one is over .5, which is cut to that."""


def likeness(one: Vector, other: Vector) -> float:
    """The cosine of two vectors of the same encoder, to about .01: -1 to 1; 0 where either is zeros.

    >>> likeness(bytes([127, 0]), bytes([127, 0])) > likeness(bytes([127, 0]), bytes([90, 90])) > 0
    True
    """
    return likenesses(one, [other])[0]


def likenesses(one: Vector, others: Iterable[Vector]) -> list[float]:
    """How alike *one* is to each of *others*, in their order.

    Raises:
        ValueError: they have other dimensions.
    """
    ours, others = memoryview(one).cast("b").tolist(), [*others]
    if any(len(other) != len(one) for other in others):
        raise ValueError("vectors of different encoders cannot be compared")
    return [sum(map(mul, ours, memoryview(other).cast("b"))) / SCALE**2 for other in others]

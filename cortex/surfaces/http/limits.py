"""How many requests each caller may send: a bucket of a minute's worth that fills evenly."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil
from typing import Final

from cortex.errors import TooManyRequests

KNOWN: Final = 10_000
"""Callers that are remembered; whoever has not called for longest is forgotten, and starts with a full bucket."""


class Rate:
    """So many requests a minute for each caller; 0 is any number.

    Source: the token bucket, https://en.wikipedia.org/wiki/Token_bucket.
    """

    def __init__(self, a_minute: int) -> None:
        self.a_minute = a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, caller: str, *, at: float) -> None:
        """Count a request that *caller* sends at *at* seconds of any steady clock.

        Raises:
            TooManyRequests: it has none left.
        """
        if not self.a_minute:
            return
        left = self._left_of(caller, at)
        if left < 1:
            raise TooManyRequests(seconds=max(1, ceil((1 - left) * 60 / self.a_minute)))
        self._left[caller] = left - 1, at
        self._left.move_to_end(caller)
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)

    def _left_of(self, caller: str, at: float) -> float:
        left, since = self._left.get(caller, (float(self.a_minute), at))
        return min(float(self.a_minute), left + (at - since) * self.a_minute / 60)

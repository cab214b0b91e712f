"""A circuit breaker: a tier that keeps failing is left alone for a while, then tried by one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cortex.llm.model import Failure

THRESHOLD: Final = 5  # failures in a row after which a tier rests
USELESS: Final = 9
"""Replies of no use in a row after which it does: one more than eight texts can bring about, one of them poisonous."""

REST_S: Final = 60.0
LONGEST_WAIT_S: Final = 60.0
"""Seconds; a tier that asks for more is left alone for as long as it asks, and the next one is tried."""


class Breaker:
    """Whether a tier may be called now.

    Args:
        monotonic: a stopwatch in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._useless = 0
        self._until = 0.0
        self._reason = ""

    def blocked(self) -> str:
        """Why no call may be made now; '' when one may. Of those that ask after a rest, one may."""
        now = self._monotonic()
        if not self._reason:
            return ""
        if now < self._until:
            return f"resting for {self._until - now:.0f} s more: {self._reason}"
        self._until = now + REST_S
        return ""

    def succeeded(self) -> None:
        """The tier answered what was asked."""
        self._failures, self._useless, self._reason = 0, 0, ""

    def useless(self, problem: str) -> None:
        """The tier replied, and nobody can use it: that may be the text's fault, or, in a row, its own."""
        self._failures, self._useless = 0, self._useless + 1
        if self._useless >= USELESS:
            self._until, self._reason = self._monotonic() + REST_S, problem

    def failed(self, failure: Failure) -> None:
        """Count *failure*; enough of them, or one that only a person can mend, and the tier rests."""
        if failure.unpaid or not (failure.again or failure.broken or failure.charged):
            return  # nothing is wrong with the tier: this call was not to be made
        self._failures += 1
        rest = failure.after_s or 0
        if failure.broken or self._failures >= THRESHOLD or rest > LONGEST_WAIT_S:
            self._until = self._monotonic() + max(REST_S, rest)
            self._reason = failure.reason

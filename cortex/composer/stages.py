"""The stages of an answer, and how long each takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

STAGES: Final = ("understand", "retrieve", "rank", "resolve", "judge", "answer")  # of an answer, in their order


class Clock:
    """A stopwatch for the stages, in milliseconds.

    Args:
        told: called with each stage as it begins.
    """

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told, self._begun = told, [("", time.perf_counter())]

    def begin(self, stage: str) -> None:
        """Start *stage* and end the previous one."""
        self._begun.append((stage, time.perf_counter()))
        self._told(stage)

    def timings(self) -> dict[str, float]:
        """Duration of each started stage, and the `total`."""
        now = time.perf_counter()
        ends = [begun for _, begun in self._begun[2:]] + [now]
        stages = zip(self._begun[1:], ends, strict=True)
        took = {stage: round((end - begun) * 1000, 3) for (stage, begun), end in stages}
        return took | {"total": round((now - self._begun[0][1]) * 1000, 3)}

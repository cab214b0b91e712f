"""Who works on a run, and by which clock: what a surface knows and nothing below it may look up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from cortex.indexers.distill import Distiller
from cortex.indexers.distill.by_rules import RULES
from cortex.substrate.encoder import Encoder


class Crew(NamedTuple):
    """One process and the workers it may start.

    Attributes:
        workers: processes that compute at once; they are started once there is enough to do for more than one.
        owner: tells this process from others that lease jobs of the same brain.
        alive: whether the owner of a lease can still come back; what others hold is taken from them when they cannot.
        clock: the time as it passes; None stands still at the run's.
        sleep: waits for seconds; None never waits, and what has to wait is left for another run.
        docs: distills documents.
        comments: distills comments and events.
        encoder: makes vectors of passages; None where the extra `semantic` is not installed.
    """

    workers: int = 1
    owner: str = "this process"
    alive: Callable[[str], bool] = lambda _: True
    clock: Callable[[], datetime] | None = None
    sleep: Callable[[float], None] | None = None
    docs: Distiller = RULES
    comments: Distiller = RULES
    encoder: Encoder | None = None

    def distiller(self, path: str) -> Distiller:
        """Who distills the jobs of *path*."""
        return self.docs if path == "docs" else self.comments

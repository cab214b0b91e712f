"""How long a request may read: past its deadline whatever SQL runs for it is stopped, and the caller told so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import ParamSpec, TypeVar

from cortex.errors import Interrupted, TookTooLong
from cortex.substrate.brain import Brain

P = ParamSpec("P")
R = TypeVar("R")


class Deadline:
    """The moment by which a request is answered; what a model takes is not counted, for it has limits of its own."""

    def __init__(self, operation: str, seconds: float) -> None:
        self.operation, self.seconds = operation, seconds
        self._ends, self._stopped = monotonic() + seconds, False

    def is_past(self) -> bool:
        """Whether the request has taken longer than it may."""
        return not self._stopped and monotonic() > self._ends

    @contextmanager
    def over(self, lent: AbstractContextManager[Brain]) -> Iterator[Brain]:
        """The reader that is *lent*, whose SQL stops at the deadline."""
        try:
            with lent as brain, brain.until(self.is_past):
                yield brain
        except (sqlite3.OperationalError, Interrupted) as error:
            if isinstance(error, sqlite3.Error) and error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            raise TookTooLong(self.operation, self.seconds) from error
        if self.is_past():
            raise TookTooLong(self.operation, self.seconds)

    def aside(self, model: Callable[P, R]) -> Callable[P, R]:
        """*model*, the time of whose calls is not counted."""

        def called(*args: P.args, **named: P.kwargs) -> R:
            began, self._stopped = monotonic(), True
            try:
                return model(*args, **named)
            finally:
                self._ends, self._stopped = self._ends + monotonic() - began, False

        return called

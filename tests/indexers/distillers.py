"""Distillers that do what the rules do, but for texts that hold a word they trip over; worker processes import them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cortex.indexers.distill import Distilled, Failed, Version
from cortex.indexers.distill.rules import RULES
from cortex.indexers.distill.text import Text


class Tripping(NamedTuple):
    """What happens to a text with the word: 'retry', 'never', 'raise', 'die', 'short' or 'foreign'."""

    how: str
    word: str = "POISON"
    version: Version = RULES.version
    batch: int = 8
    calls: int = 0
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled | Failed]:
        for text, found in zip(texts, RULES.distill(texts), strict=True):
            if self.word not in text.body:
                yield found
                continue
            match self.how:
                case "retry" | "never":
                    yield Failed("it tripped", retry=self.how == "retry")
                case "raise":
                    raise ValueError("it tripped")
                case "die":
                    os._exit(7)
                case "short":
                    return
                case "foreign":
                    yield Distilled([one._replace(end=10**6) for one in found.candidates])


class Once(NamedTuple):
    """Fails at each text with the word the first time, and notes that in a file."""

    notes: Path
    word: str = "POISON"
    version: Version = RULES.version
    batch: int = 8
    calls: int = 0
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled | Failed]:
        for text, found in zip(texts, RULES.distill(texts), strict=True):
            note = self.notes / str(text.record_id)
            if self.word in text.body and not note.exists():
                note.touch()
                yield Failed("not yet")
            else:
                yield found


class Slow(NamedTuple):
    """Takes its time, as a call to somebody else does or a machine that is busy."""

    seconds: float
    batch: int = 4
    calls: int = 0
    version: Version = RULES.version
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled]:
        for found in RULES.distill(texts):
            time.sleep(self.seconds)
            yield found

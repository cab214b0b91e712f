"""Distillers turn the text of a record into candidate facts; this is what the queue asks of one.

A distiller is a value that can be pickled, for one that computes runs in processes of its own. It never raises because
of what a text says: a text it cannot use has `Failed`, for good or until it is tried again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from cortex.indexers.distill.text import Text
from cortex.substrate.facts import Candidate


class Version(NamedTuple):
    """Who made the facts of a record: those of a lower rank are made again.

    Attributes:
        rank: counted up with every change of what comes out; rules count from 1, models from 1000.
        name: as `cortex queue` shows it, such as 'rules 2' or 'claude-haiku 1'.
    """

    rank: int
    name: str


class Distilled(NamedTuple):
    """The facts of one text; none, where it says nothing worth keeping.

    Attributes:
        version: who made them, where that is not the distiller that was asked, such as rules in place of a model
            without budget: they are made again once a distiller of a higher rank is asked.
    """

    candidates: Sequence[Candidate]
    version: Version | None = None


class Failed(NamedTuple):
    """Why one text could not be distilled as it was to be.

    Attributes:
        retry: whether to try again later; if not, the job is dead.
        after_s: seconds to wait at least, as a server's Retry-After says; None leaves it to the queue.
        instead: facts that it has all the same, such as the rules find in what no model could read.
    """

    reason: str
    retry: bool = True
    after_s: float | None = None
    instead: Sequence[Candidate] = ()


class Distiller(Protocol):
    """Makes facts of texts, a batch at a time."""

    @property
    def version(self) -> Version:
        """Who makes what comes out."""

    @property
    def batch(self) -> int:
        """Texts a call at most."""

    @property
    def calls(self) -> int:
        """Calls in flight at once of one that waits for somebody else; 0 for one that computes.

        Those that wait run in threads, and each is committed as it comes back, so that none waits for another. Those
        that compute run in as many processes as the run has workers, and are committed in their order.
        """

    @property
    def lease_s(self) -> float:
        """Seconds after which another worker may take the texts of a call that has not come back."""

    def distill(self, texts: Sequence[Text]) -> Iterable[Distilled | Failed]:
        """What became of each of *texts*, in their order."""


def call(distiller: Distiller, texts: Sequence[Text]) -> list[Distilled | Failed]:
    """What became of each of *texts*, in their order.

    A text that a distiller which computes trips over is found, and fails for good; the others of its call do not.
    """
    try:
        outcomes = list(distiller.distill(texts))
    except Exception as error:  # noqa: BLE001  a distiller is anybody's code; one record must not stop the rest
        if distiller.calls == 0 and len(texts) > 1:
            return [outcome for text in texts for outcome in call(distiller, [text])]
        reason = f"{distiller.version.name} raised {type(error).__name__}: {error}"
        return [Failed(reason, retry=distiller.calls > 0)] * len(texts)
    if len(outcomes) != len(texts):
        reason = f"{distiller.version.name} said {len(outcomes)} things of {len(texts)} texts"
        return [Failed(reason)] * len(texts)
    return [_held_to(text, outcome) for text, outcome in zip(texts, outcomes, strict=True)]


def _held_to(text: Text, outcome: Distilled | Failed) -> Distilled | Failed:
    for candidate in outcome.instead if isinstance(outcome, Failed) else outcome.candidates:
        if candidate.record_id != text.record_id or not 0 <= candidate.start < candidate.end <= len(text.body):
            reason = f"a fact of characters {candidate.start} to {candidate.end} of record {candidate.record_id}"
            return Failed(f"{reason}, which is outside its text", retry=False)
    return outcome

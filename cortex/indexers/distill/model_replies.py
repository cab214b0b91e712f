"""What a model is asked for of a text, and what of its reply is kept: whole sentences of the text, as they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from threading import Lock
from typing import Final, NamedTuple

from pydantic import Field

from cortex.errors import UnusableReply
from cortex.indexers.distill import Distilled, Failed
from cortex.indexers.distill.by_rules import RULES
from cortex.indexers.distill.frame import frame
from cortex.indexers.distill.text import Text
from cortex.language.markdown import Span
from cortex.language.sentences import sentences
from cortex.llm.model import Answer, Request
from cortex.llm.tiers import Tiers
from cortex.substrate.facts import Candidate, plain
from cortex.substrate.model import Kind, Value

SUREST: Final = 0.9  # however sure a model says it is
LONGEST: Final = 1_500  # characters of a fact


class Found(Value):
    """One fact, as a model gives it."""

    kind: Kind
    excerpt: str = Field(description="the characters of the text that carry it, copied exactly")
    confidence: float = Field(description="from 0 to 1", allow_inf_nan=False)


class Tally:
    """What became of a run's replies, counted over all its threads.

    Attributes:
        dropped: facts of models that were thrown away, by why.
        by_rules: texts that the rules read in place of a model.
        stopped: why no model was called any more; '' where none was in the way.
        kept: texts that have what the rules found, for nothing stood that a model did.
        passed_over: why a tier was, by its name; the first reason.
    """

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self.by_rules = 0
        self.stopped = ""
        self.kept = 0
        self.passed_over: dict[str, str] = {}
        self._lock = Lock()

    def drop(self, why: str) -> None:
        """Count a fact that was thrown away."""
        with self._lock:
            self.dropped[why] += 1

    def pass_over(self, reasons: Iterable[str]) -> None:
        """Keep why tiers were passed over, each beginning with its name."""
        with self._lock:
            for reason in reasons:
                tier, _, why = reason.partition(": ")
                self.passed_over.setdefault(tier, why)

    def best(self, text: Text, found: Sequence[Candidate]) -> Distilled:
        """What a model found, if anything; else what the rules do, which no model's silence takes away."""
        if found:
            return Distilled(found)
        (by_rules,) = RULES.distill([text])
        with self._lock:
            self.kept += bool(by_rules.candidates)
        return by_rules

    def unread(self, text: Text, problem: str) -> Failed:
        """Why no model could read *text*, and what the rules find in it."""
        (by_rules,) = RULES.distill([text])
        facts = len(by_rules.candidates)
        has = (
            f"it has {facts} {'fact' if facts == 1 else 'facts'} by the rules"
            if facts
            else "the rules find nothing in it"
        )
        return Failed(f"no model could read it: {problem}; {has}", retry=False, instead=by_rules.candidates)

    def fall_back(self, texts: Sequence[Text], why: str) -> list[Distilled]:
        """What the rules make of *texts* in place of a model; counted, and made again once a model is asked."""
        with self._lock:
            self.by_rules += len(texts)
            self.stopped = self.stopped or why
        return [one._replace(version=RULES.version) for one in RULES.distill(texts)]


def twice(tiers: Tiers, request: Request[Answer], *, run: str, tally: Tally, without: Collection[str]) -> Answer:
    """The answer to *request*, asked for once more where the first is of no use.

    Raises:
        UnusableReply: neither was; why is kept as a tier's that was passed over.
    """
    try:
        done = tiers.complete(request, run=run, without=without)
    except UnusableReply as first:
        if first.too_long:  # the same words are as long another time
            tally.pass_over([f"{first.tier}: {first.problem}"])
            raise
        try:
            done = tiers.complete(request, run=run, without=without)
        except UnusableReply as error:
            tally.pass_over([f"{error.tier}: {error.problem}"])
            raise
    tally.pass_over(done.passed_over)
    return done.answer


class Piece(NamedTuple):
    """A part of a text's body, as a model sees it."""

    text: Text
    start: int
    end: int

    @property
    def body(self) -> str:
        """What it says."""
        return self.text.body[self.start : self.end]


def whole(text: Text) -> Piece:
    """All of *text*."""
    return Piece(text, 0, len(text.body))


def verified(found: Iterable[Found], piece: Piece, tally: Tally) -> Iterator[Candidate]:
    """Of *found* what stands in *piece*, as candidates in the record's own sentences; the rest is counted."""
    text, seen = piece.text, set[str]()
    spans = [*sentences(text.body)]
    for one in found:
        at = text.body.find(one.excerpt, piece.start, piece.end) if one.excerpt.strip() else -1
        start, end = _whole(spans, at, at + len(one.excerpt))
        statement = f"{frame(text)}: {plain(text.body[start:end])}"
        if at < 0:
            tally.drop("excerpt is not verbatim in its record")
        elif end - start > LONGEST:
            tally.drop("excerpt is too long")
        elif statement not in seen:
            seen.add(statement)
            sure = round(min(max(one.confidence, 0.0), SUREST), 2)
            yield Candidate(text.record_id, one.kind, statement, start, end, sure, text.created_at)


def _whole(spans: Iterable[Span], start: int, end: int) -> tuple[int, int]:
    """The characters with all of the sentences they are of: a part of one may say the opposite."""
    held = [span for span in spans if span.start < end and start < span.end]
    return (min(start, held[0].start), max(end, held[-1].end)) if held else (start, end)

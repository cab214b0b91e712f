"""Models as distillers: sections eight a call, comments one; what is kept is whole sentences of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.indexers.distill import Distilled, Failed, Version
from cortex.indexers.distill.rules import RULES
from cortex.indexers.distill.text import Text, frame
from cortex.language.sentences import sentences
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.facts import Candidate, plain
from cortex.substrate.model import Kind, Value
from cortex.substrate.quoting import fence

BATCH: Final = {"docs": 8, "comments": 1}
MODELS: Final = 1000  # ranks of models begin here, over those of rules
REVISION: Final = 5  # counted up with every change of a prompt or of what is kept
MAX_TOKENS: Final = 16_384
LEASE_S: Final = 900.0
"""Of a call with its attempts; one that is halved down to a single piece takes less than that on any model in use."""

LONG: Final = 12_000  # characters of a text over which it is cut, each piece read by itself
SHORT: Final = 1500  # characters of a piece under which it is not cut, however little a model reads
SUREST: Final = 0.9  # however sure a model says it is
LONGEST: Final = 1_500  # characters of a fact


class Found(Value):
    """One fact, as a model gives it."""

    kind: Kind
    excerpt: str = Field(description="the characters of the text that carry it, copied exactly")
    confidence: float = Field(description="from 0 to 1", allow_inf_nan=False)


class FoundIn(Value):
    """What a model found in one piece."""

    piece: str
    facts: list[Found]


class Reply(Value):
    """What a model found in all it was given."""

    pieces: list[FoundIn]


class Piece(NamedTuple):
    """A text's body, or a part of it, as a model sees it."""

    text: Text
    start: int
    end: int

    @property
    def body(self) -> str:
        """What it says."""
        return self.text.body[self.start : self.end]


_Read = tuple[Piece, list[Found] | Exception]


@dataclass
class Tally:
    """What became of a run's replies, counted over all its threads.

    Attributes:
        dropped: facts of models that were thrown away, by why.
        by_rules: texts that the rules read in place of a model.
        stopped: why no model was called any more; '' where none was in the way.
        kept: texts that have what the rules found, for nothing stood that a model did.
        passed_over: why a tier was, by its name; the first reason.
    """

    dropped: Counter[str] = field(default_factory=Counter)
    by_rules: int = 0
    stopped: str = ""
    kept: int = 0
    passed_over: dict[str, str] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def drop(self, why: str) -> None:
        """Count a fact that was thrown away."""
        with self.lock:
            self.dropped[why] += 1

    def pass_over(self, reasons: Iterable[str]) -> None:
        """Keep why tiers were passed over, each beginning with its name."""
        with self.lock:
            for reason in reasons:
                tier, _, why = reason.partition(": ")
                self.passed_over.setdefault(tier, why)


class ByModel:
    """Makes facts of sections, eight a call, or of comments, one a call: as many calls as that takes, and not one more.

    A reply that is broken, or does not answer for each piece by its name, is asked for once more; then the pieces are
    asked for in halves, until the one that cannot be read is alone: the next tier is asked for that, and where none can
    read it, its text is dead and has what the rules find. A piece that is too long for a tier is cut in halves; the
    rules read one that is short and still too long. Where no model answers, or none can be paid, the rules take over;
    what they find stands, too, where nothing does that a model found.

    Args:
        run: what the budget of the run counts together.
    """

    lease_s = LEASE_S

    def __init__(
        self, path: Literal["docs", "comments"], tiers: Tiers, *, run: str, tally: Tally, calls: int = 4
    ) -> None:
        self._path, self._tiers, self._run, self._tally, self.calls = path, tiers, run, tally, calls
        self.batch = BATCH[path]
        self._prompt = (files("cortex.indexers.distill") / f"{path}_prompt.md").read_text("utf-8")
        self.version = Version(MODELS + REVISION, f"{tiers.model('A')} {REVISION}")

    def distill(self, texts: Sequence[Text]) -> list[Distilled | Failed]:
        """What became of each of *texts*, in their order."""
        all_, read = [piece for text in texts for piece in pieces(text)], list[_Read]()
        for at in range(0, len(all_), self.batch):
            read += self._read(all_[at : at + self.batch])
        return [self._outcome(text, [one for one in read if one[0].text is text]) for text in texts]

    def _outcome(self, text: Text, read: Sequence[_Read]) -> Distilled | Failed:
        """What the model found, or the rules where it found nothing or there is none: no silence takes theirs away."""
        candidates: list[Candidate] = []
        (by_rules,) = RULES.distill([text])
        for piece, found in read:
            if isinstance(found, UnusableReply) and not found.too_long:
                facts = len(by_rules.candidates)
                has = (
                    f"it has {facts} fact{'s' * (facts > 1)} by the rules" if facts else "the rules find nothing in it"
                )
                problem = f"no model could read it: {found.problem}; {has}"
                return Failed(problem, retry=False, instead=by_rules.candidates)
            if isinstance(found, Exception):
                with self._tally.lock:
                    self._tally.by_rules += 1
                    self._tally.stopped = self._tally.stopped or str(found)
                return by_rules._replace(version=RULES.version)  # made again once a model is asked
            candidates += _verified(found, piece, self._tally)
        if candidates:
            return Distilled(candidates)
        with self._tally.lock:
            self._tally.kept += bool(by_rules.candidates)
        return by_rules

    def _read(self, some: Sequence[Piece], unable: frozenset[str] = frozenset()) -> list[_Read]:
        """What a model found in each of *some*, in their order, or why none could read it.

        Args:
            unable: tiers that could not.
        """
        try:
            reply = self._asked(self._request(some), unable)
        except (BudgetSpent, TiersFailed) as error:
            return [(piece, error) for piece in some]
        except UnusableReply as error:
            if half := len(some) // 2:
                return [*self._read(some[:half], unable), *self._read(some[half:], unable)]
            if error.too_long and len(some[0].body) > SHORT:
                halves = pieces(some[0], len(some[0].body) // 2 + 1)
                return [one for piece in halves for one in self._read([piece], unable)]
            if self._tiers.ready("A", without=unable | {error.tier}):
                return self._read(some, unable | {error.tier})
            return [(some[0], error)]
        by_name = {one.piece: one.facts for one in reply.pieces}
        return [(piece, by_name[f"c{number}"]) for number, piece in enumerate(some, 1)]

    def _asked(self, request: Request[Reply], unable: frozenset[str], *, again: bool = True) -> Reply:
        """The reply to *request*, which is made once more where the first is of no use, unless it is too long."""
        try:
            done = self._tiers.complete(request, run=self._run, without=unable)
        except UnusableReply as error:
            if again and not error.too_long:
                return self._asked(request, unable, again=False)
            self._tally.pass_over([f"{error.tier}: {error.problem}"])
            raise
        self._tally.pass_over(done.passed_over)
        return done.answer

    def _request(self, some: Sequence[Piece]) -> Request[Reply]:
        fenced: dict[str, str] = {}
        for number, piece in enumerate(some, 1):
            fenced |= {f"c{number} frame": frame(piece.text), f"c{number}": piece.body}
        names = [f"c{number}" for number in range(1, len(some) + 1)]
        content = f"{fence(fenced, key=self._tiers.key)}\n\nAnswer for {', '.join(names)}."
        check = partial(_misanswered, asked=names)
        return Request(self._path, self._prompt, content, Reply, max_tokens=MAX_TOKENS, check=check)


def pieces(of: Text | Piece, longest: int = LONG) -> Iterator[Piece]:
    """*of* whole, or in parts of at most so many characters that end where a paragraph does, else a line."""
    text, start, end = (of.text, of.start, of.end) if isinstance(of, Piece) else (of, 0, len(of.body))
    while end - start > longest:
        window = text.body[start : start + longest]
        cut = max(window.rfind("\n\n"), 0) or max(window.rfind("\n"), 0) or longest
        yield Piece(text, start, start + cut)
        start += cut
    yield Piece(text, start, end)


def _misanswered(reply: Reply, asked: Sequence[str]) -> str:
    """What is wrong with the names *reply* answers for; '' when each stands once."""
    named = [one.piece for one in reply.pieces]
    if unknown := sorted(set(named) - {*asked}):
        return f"the reply names {', '.join(unknown)[:60]}, which nobody asked for"
    if missing := [name for name in asked if name not in named]:
        return f"the reply leaves out {', '.join(missing)}"
    return "" if len(named) == len(asked) else "the reply names a piece twice"


def _verified(found: Iterable[Found], piece: Piece, tally: Tally) -> Iterator[Candidate]:
    """Of *found* what stands in *piece*, as candidates in the record's own sentences; the rest is counted."""
    text, seen = piece.text, set[str]()
    spans = [*sentences(text.body)]
    for one in found:
        at = text.body.find(one.excerpt, piece.start, piece.end) if one.excerpt.strip() else -1
        start, end = at, at + len(one.excerpt)
        if held := [span for span in spans if span.start < end and start < span.end]:  # a part may say the opposite
            start, end = min(start, held[0].start), max(end, held[-1].end)
        statement = f"{frame(text)}: {plain(text.body[start:end])}"
        if at < 0:
            tally.drop("excerpt is not verbatim in its record")
        elif end - start > LONGEST:
            tally.drop("excerpt is too long")
        elif statement not in seen:
            seen.add(statement)
            sure = round(min(max(one.confidence, 0.0), SUREST), 2)
            yield Candidate(text.record_id, one.kind, statement, start, end, sure, text.created_at)

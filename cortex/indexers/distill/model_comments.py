"""The model distiller of comments and reviews: one a call, four calls in flight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.indexers.distill import Distilled, Failed
from cortex.indexers.distill.frame import frame
from cortex.indexers.distill.model_docs import LEASE_S, model_version, prompt
from cortex.indexers.distill.model_replies import Found, Piece, Tally, twice, verified
from cortex.indexers.distill.text import Text
from cortex.llm.model import Request, fence
from cortex.llm.tiers import Tiers
from cortex.substrate.facts import Candidate
from cortex.substrate.model import Value

LONG: Final = 12_000  # characters of a comment over which it is cut, each part a call of its own
SHORT: Final = 1500  # characters of a comment under which it is not cut, however little a model reads
MAX_TOKENS: Final = 8192


class Facts(Value):
    """What a model found in a comment."""

    facts: list[Found]


class CommentsByModel:
    """Makes facts of comments, one a call; a long one is cut between paragraphs, in halves where a model reads less.

    One that a model cannot read twice is put to the next tier; where none can, it is dead and has what the rules find.
    Where no model answers, or none can be paid, the rules take over; what they find stands, too, where nothing does
    that a model found.

    Args:
        run: what the budget of the run counts together.
    """

    batch = 1
    lease_s = LEASE_S

    def __init__(self, tiers: Tiers, *, run: str, tally: Tally, calls: int = 4) -> None:
        self._tiers, self._run, self._tally, self.calls = tiers, run, tally, calls
        self.version = model_version(tiers)

    def distill(self, texts: Sequence[Text]) -> list[Distilled | Failed]:
        """What became of each of *texts*, in their order."""
        return [self._of(text) for text in texts]

    def _of(self, text: Text) -> Distilled | Failed:
        found: list[Candidate] = []
        try:
            for piece in pieces(text):
                found += verified(self._facts(piece), piece, self._tally)
        except (BudgetSpent, TiersFailed) as error:
            return self._tally.fall_back([text], str(error))[0]
        except UnusableReply as error:
            if error.too_long:
                return self._tally.fall_back([text], str(error))[0]
            return self._tally.unread(text, error.problem)
        return self._tally.best(text, found)

    def _facts(self, piece: Piece, unable: frozenset[str] = frozenset()) -> list[Found]:
        content = fence({"frame": frame(piece.text), "comment": piece.body}, key=self._tiers.key)
        request = Request("comments", prompt("comments"), content, Facts, max_tokens=MAX_TOKENS)
        try:
            return twice(self._tiers, request, run=self._run, tally=self._tally, without=unable).facts
        except UnusableReply as error:
            if error.too_long and len(piece.body) > SHORT:
                return [one for half in pieces(piece, len(piece.body) // 2 + 1) for one in self._facts(half, unable)]
            if not self._tiers.ready("A", without=unable | {error.tier}):
                raise
            return self._facts(piece, unable | {error.tier})


def pieces(of: Text | Piece, longest: int = LONG) -> Iterator[Piece]:
    """*of* whole, or in parts of at most so many characters that end where a paragraph does, else a line."""
    text, start, end = (of.text, of.start, of.end) if isinstance(of, Piece) else (of, 0, len(of.body))
    while end - start > longest:
        window = text.body[start : start + longest]
        cut = max(window.rfind("\n\n"), 0) or max(window.rfind("\n"), 0) or longest
        yield Piece(text, start, start + cut)
        start += cut
    yield Piece(text, start, end)

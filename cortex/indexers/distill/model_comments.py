"""The model distiller of comments and reviews: one a call, four calls in flight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.indexers.distill import Distilled, Failed
from cortex.indexers.distill.frame import frame
from cortex.indexers.distill.model_docs import LEASE_S, model_version, prompt
from cortex.indexers.distill.model_replies import Found, Piece, Tally, verified
from cortex.indexers.distill.text import Text
from cortex.llm.fence import fence
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.substrate.facts import Candidate
from cortex.substrate.model import Value

LONG: Final = 12_000
"""Characters of a comment over which it is cut, each part a call of its own."""

MAX_TOKENS: Final = 8192


class Facts(Value):
    """What a model found in a comment."""

    facts: list[Found]


class CommentsByModel:
    """Makes facts of comments, one a call; a long one is cut between paragraphs.

    Where no model answers, or none can be paid, the rules take over.

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
                facts = self._facts(piece)
                if isinstance(facts, Failed):
                    return facts
                found += verified(facts, piece, self._tally)
        except (BudgetSpent, TiersFailed) as error:
            return self._tally.fall_back([text], str(error))[0]
        return Distilled(found)

    def _facts(self, piece: Piece) -> list[Found] | Failed:
        """What a model finds in *piece*, asked twice where its first reply is of no use."""
        content = fence({"frame": frame(piece.text), "comment": piece.body}, key=self._tiers.key)
        request = Request("comments", prompt("comments"), content, Facts, max_tokens=MAX_TOKENS)
        problem = ""
        for _ in range(2):
            try:
                return self._tiers.complete(request, run=self._run).answer.facts
            except UnusableReply as error:
                problem = error.problem
        return Failed(f"no model could read it: {problem}", retry=False)


def pieces(text: Text) -> Iterator[Piece]:
    """*text* whole, or in parts of at most 12,000 characters that end where a paragraph does, else a line."""
    start, end = 0, len(text.body)
    while end - start > LONG:
        window = text.body[start : start + LONG]
        cut = max(window.rfind("\n\n"), 0) or max(window.rfind("\n"), 0) or LONG
        yield Piece(text, start, start + cut)
        start += cut
    yield Piece(text, start, end)

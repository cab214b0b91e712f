"""The model distiller of documents: eight sections a call, each answered for by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Final

from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.indexers.distill import Distilled, Failed, Version
from cortex.indexers.distill.model_replies import Found, Tally, twice, verified, whole
from cortex.indexers.distill.text import Text
from cortex.llm.model import Request, fence
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.model import Value

CHUNKS: Final = 8
MODELS: Final = 1000  # ranks of models begin here, over those of rules
REVISION: Final = 5  # counted up with every change of a prompt or of what is kept
MAX_TOKENS: Final = 16_384
LEASE_S: Final = 900.0
"""Of a call with its attempts; one that is halved down to a single chunk takes less than that on any model in use."""


class Chunk(Value):
    """What a model found in one chunk."""

    chunk: str
    facts: list[Found]


class Chunks(Value):
    """What a model found in all it was given."""

    chunks: list[Chunk]


class DocsByModel:
    """Makes facts of sections, eight a call: as many calls as there are eights of them, and not one more.

    A reply that is broken, or does not answer for each section by its name, is asked for once more; then its sections
    are asked for in halves, until the one that cannot be read is alone: the next tier is asked for that, and where none
    can read it, it is dead and has what the rules find. What is too long for the tiers is asked for in halves at once;
    the rules read a section that alone is. Where no model answers, or none can be paid, the rules take over; what they
    find stands, too, where nothing does that a model found.

    Args:
        run: what the budget of the run counts together.
    """

    batch = CHUNKS
    lease_s = LEASE_S

    def __init__(self, tiers: Tiers, *, run: str, tally: Tally, calls: int = 4) -> None:
        self._tiers, self._run, self._tally, self.calls = tiers, run, tally, calls
        self.version = model_version(tiers)

    def distill(self, texts: Sequence[Text], unable: frozenset[str] = frozenset()) -> list[Distilled | Failed]:
        """What became of each of *texts*, in their order.

        Args:
            unable: tiers that could not read them.
        """
        try:
            reply = twice(self._tiers, self._request(texts), run=self._run, tally=self._tally, without=unable)
        except (BudgetSpent, TiersFailed) as error:
            return [*self._tally.fall_back(texts, str(error))]
        except UnusableReply as error:
            if len(texts) > 1:
                half = len(texts) // 2
                return [*self.distill(texts[:half], unable), *self.distill(texts[half:], unable)]
            if self._tiers.ready("A", without=unable | {error.tier}):
                return self.distill(texts, unable | {error.tier})
            if error.too_long:
                return [*self._tally.fall_back(texts, str(error))]
            return [self._tally.unread(texts[0], error.problem)]
        return self._kept(reply, texts)

    def _request(self, texts: Sequence[Text]) -> Request[Chunks]:
        fenced: dict[str, str] = {}
        for number, text in enumerate(texts, 1):
            fenced |= {f"c{number} headings": text.title, f"c{number}": text.body}
        content = f"{fence(fenced, key=self._tiers.key)}\n\nAnswer for {_names(len(texts))}."
        check = partial(_misanswered, chunks=len(texts))
        return Request("docs", prompt("docs"), content, Chunks, max_tokens=MAX_TOKENS, check=check)

    def _kept(self, reply: Chunks, texts: Sequence[Text]) -> list[Distilled | Failed]:
        by_name = {chunk.chunk: chunk.facts for chunk in reply.chunks}
        return [
            self._tally.best(text, [*verified(by_name[f"c{number}"], whole(text), self._tally)])
            for number, text in enumerate(texts, 1)
        ]


def _names(chunks: int) -> str:
    return ", ".join(f"c{number}" for number in range(1, chunks + 1))


def _misanswered(reply: Chunks, chunks: int) -> str:
    """What is wrong with the names *reply* answers for; '' when each stands once."""
    named = [chunk.chunk for chunk in reply.chunks]
    asked = [f"c{number}" for number in range(1, chunks + 1)]
    if unknown := sorted(set(named) - {*asked}):
        return f"the reply names {', '.join(unknown)[:60]}, which nobody asked for"
    if missing := [name for name in asked if name not in named]:
        return f"the reply leaves out {', '.join(missing)}"
    return "" if len(named) == len(asked) else "the reply names a chunk twice"


def model_version(tiers: Tiers) -> Version:
    """Who makes the facts: the first model that is asked."""
    return Version(MODELS + REVISION, f"{tiers.model('A')} {REVISION}")


@cache
def prompt(name: str) -> str:
    """What a model is told to do with docs, or comments."""
    return (files("cortex.indexers.distill") / f"{name}_prompt.md").read_text("utf-8")

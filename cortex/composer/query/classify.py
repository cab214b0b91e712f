"""The model classifier: class, answer type and alternative wordings of a question in one call."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from typing import Final

from pydantic import ConfigDict, Field

from cortex.composer.values import AnswerType, Query
from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.model import QuestionClass, Value
from cortex.substrate.quoting import fence
from cortex.substrate.search import query_terms

VARIANTS: Final = 5
LONGEST: Final = 200  # characters of a variant
MOST_VARIED: Final = 20
MAX_TOKENS: Final = 1024
QUESTION_CHARACTERS: Final = 4000

_log = logging.getLogger("cortex.composer")


class Classified(Value):
    """A question as a model classifies it."""

    class_: QuestionClass = Field(alias="class")
    type: AnswerType
    variants: list[str] = Field(description="other wordings, at most five")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class ModelClassifier:
    """Adds the class, answer type and wordings that a small model returns.

    Args:
        run: names what the budget of a run counts together.
    """

    def __init__(self, tiers: Tiers, *, run: str) -> None:
        self._tiers, self._run = tiers, run

    def __call__(self, query: Query) -> Query:
        """*query* as classified by a model; unchanged if no model returns a usable reply."""
        if not self._tiers.ready("A"):
            return query
        content = fence({"question": query.text[:QUESTION_CHARACTERS]}, key=self._tiers.key)
        request = Request("classify", _prompt(), content, Classified, max_tokens=MAX_TOKENS)
        try:
            found = self._tiers.complete(request, run=self._run).answer
        except (BudgetSpent, TiersFailed, UnusableReply) as error:
            _log.warning("the question is classified by rules: %s", error)
            return query
        wordings = " ".join(one[:LONGEST] for one in found.variants[:VARIANTS])
        words = [word for word in query_terms(wordings) if word not in query.terms]
        variant = tuple(dict.fromkeys([*words, *query.variant]))[:MOST_VARIED]
        return replace(query, class_=found.class_, type=found.type, variant=variant)


@cache
def _prompt() -> str:
    return (files("cortex.composer.query") / "classify.md").read_text("utf-8")

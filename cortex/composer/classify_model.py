"""The model classifier: what kind of question it is, what it names and how sources may word it, in one call."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from typing import Final

from pydantic import ConfigDict, Field

from cortex.composer.answer_types import AnswerType
from cortex.composer.question import Question
from cortex.composer.synonyms import MOST_VARIED
from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.llm.fence import fence
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.model import QuestionClass, Value
from cortex.substrate.search import query_terms

VARIANTS: Final = 5
LONGEST: Final = 200
"""Characters of a variant."""

MAX_TOKENS: Final = 1024
QUESTION_CHARACTERS: Final = 4000

_log = logging.getLogger("cortex.composer")


class Classified(Value):
    """A question taken apart.

    Attributes:
        entities: characters of the question.
        variants: other wordings, at most five.
    """

    class_: QuestionClass = Field(alias="class")
    type: AnswerType
    entities: list[str]
    variants: list[str]

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


def by_rules(question: Question) -> Classified:
    """What the rules made of *question*."""
    return Classified(
        class_=question.class_, type=question.type, entities=[f"#{number}" for number in question.numbers], variants=[]
    )


def classify(question: Question, tiers: Tiers, *, run: str) -> Classified:
    """What a small model makes of *question*; what the rules made of it where no model says anything of use.

    Args:
        run: what the budget of a run counts together.
    """
    known = by_rules(question)
    if not tiers.ready("A"):
        return known
    content = fence({"question": question.text[:QUESTION_CHARACTERS]}, key=tiers.key)
    try:
        found = tiers.complete(
            Request("classify", _prompt(), content, Classified, max_tokens=MAX_TOKENS), run=run
        ).answer
    except (BudgetSpent, TiersFailed, UnusableReply) as error:
        _log.warning("the question is classified by rules: %s", error)
        return known
    said = question.text.casefold()
    named = (" ".join(one.split()) for one in found.entities)
    variants = (" ".join(one.split())[:LONGEST] for one in found.variants)
    return found.model_copy(
        update={
            "entities": list(
                dict.fromkeys([*known.entities, *(one for one in named if one and one.casefold() in said)])
            ),
            "variants": [one for one in dict.fromkeys(variants) if one and one.casefold() != said][:VARIANTS],
        }
    )


class ModelClassifier:
    """Gives a question the class and the type a small model finds.

    Args:
        run: what the budget of a run counts together.
    """

    def __init__(self, tiers: Tiers, *, run: str) -> None:
        self._tiers, self._run = tiers, run

    def __call__(self, question: Question) -> Question:
        """*question* as a model classifies it, searched for by the words of its variants too."""
        found = classify(question, self._tiers, run=self._run)
        varied = [word for word in query_terms(" ".join(found.variants)) if word not in question.terms]
        variant = tuple(dict.fromkeys([*varied, *question.variant]))[:MOST_VARIED]
        return replace(question, class_=found.class_, type=found.type, variant=variant)


@cache
def _prompt() -> str:
    return (files("cortex.composer") / "classify_prompt.md").read_text("utf-8")

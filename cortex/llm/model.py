"""What is asked of a model, with text of records as data behind a fence, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel

TierName = Literal["claude", "anthropic", "openai"]
Class = Literal["A", "B"]

TIMEOUT_S: Final[dict[Class, float]] = {"A": 60, "B": 300}
"""Seconds a call may take: A asks the small model, B the large one."""

MOST_TOKENS: Final = 10**8  # what no call has; a tier that counts more, or less than none, has not counted
Answer = TypeVar("Answer", bound="str | BaseModel")


@dataclass(frozen=True)
class Request(Generic[Answer]):
    """One question to a model.

    Attributes:
        purpose: what it is for, as the calls are counted: docs, comments, compose.
        system: what the model is told to do; never text of a record.
        content: what it is to do it with; text of records stands in it only as `fence` leaves it.
        answer: the pydantic model its reply is validated by, whose fields have no defaults; `str` for plain text.
        class_: A for the small model, B for the large one.
        max_tokens: of the reply, what the model thinks to itself included.
        check: what is wrong with an answer that is of the schema; '' where nothing is.
    """

    purpose: str
    system: str
    content: str
    answer: type[Answer]
    class_: Class = "A"
    max_tokens: int = 8192
    check: Callable[[Answer], str] = lambda _: ""

    @property
    def seconds(self) -> float:
        """How long one attempt may take."""
        return TIMEOUT_S[self.class_]

    @property
    def schema(self) -> dict[str, Any] | None:
        """JSON Schema of the reply; None where it is plain text."""
        return self.answer.model_json_schema() if issubclass(self.answer, BaseModel) else None


@dataclass(frozen=True)
class Completion(Generic[Answer]):
    """What a model answered.

    Attributes:
        answer: the validated reply, or its text.
        cost_usd: of this call; those before it that failed are in the brain.
        passed_over: tiers before this one, each with why it did not answer.
    """

    answer: Answer
    tier: TierName
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float
    passed_over: tuple[str, ...] = ()


class Reply(NamedTuple):
    """What came back from a tier, before anybody has looked at it.

    Attributes:
        input_tokens: None where the tier did not say.
        output_tokens: None where the tier did not say.
        problem: why it cannot be used, in a clause: refused, cut off; '' when it may be fine.
        cost_usd: as the tier itself says; None where tokens and prices tell.
    """

    text: str
    input_tokens: int | None
    output_tokens: int | None
    problem: str = ""
    cost_usd: float | None = None


def tokens(*counts: object) -> int | None:
    """The sum of *counts*, as a tier told them; None where one of them can be no number of tokens.

    >>> tokens(970, 30), tokens(-1), tokens(10**30), tokens(None), tokens(float("nan"))
    (1000, None, None, None, None)
    """
    known = [int(count) for count in counts if isinstance(count, int | float) and 0 <= count <= MOST_TOKENS]
    return sum(known) if len(known) == len(counts) else None


STOPPED: Final = {
    **dict.fromkeys(("refusal", "content_filter"), "the model refused"),
    **dict.fromkeys(("length", "max_tokens", "model_context_window_exceeded"), "the reply was cut off"),
}
"""What is wrong with a reply, by the reason a tier gives for its end."""


class Failure(NamedTuple):
    """Why a tier gave no reply.

    Attributes:
        again: whether another attempt may do better.
        after_s: seconds the tier asked to be left alone.
        charged: whether the call may have cost something: `cost_usd` where the tier told, else nobody knows.
        broken: the tier will not answer anybody before somebody mends it: a wrong key, a missing program.
        unpaid: no call was made, for the budget does not cover it.
        hopeless: nor will it when every call in flight turns out to have cost nothing.
        too_long: it was asked more than it reads; less may do.
    """

    reason: str
    again: bool = False
    after_s: float | None = None
    charged: bool = False
    broken: bool = False
    unpaid: bool = False
    hopeless: bool = False
    too_long: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class Caller(Protocol):
    """One tier's way of making a call."""

    async def call(self, model: str, request: Request[Answer], *, worst_usd: float) -> Reply | Failure:
        """What the tier says to *request*; never raises for what a tier, its program or the network does."""

    async def close(self) -> None:
        """Let go of connections and folders."""

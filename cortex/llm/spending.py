"""What calls cost, kept in the brain: reserved before a call at the most it may cost, settled after it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Final

from pydantic import Field

from cortex.llm.model import Answer, Failure, Reply, Request
from cortex.llm.setup import Seat
from cortex.substrate import calls
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Value
from cortex.substrate.secrets import redact
from cortex.substrate.sources import timestamp

LONGEST_REASON: Final = 300

FRAMING_TOKENS: Final = 512  # what an API adds to a request of its own, at most
CLI_TOKENS: Final = 20_000
"""What the Claude CLI is taken to add of its own to each turn; nothing tells beforehand, so the sum is its limit."""

CLI_TURNS: Final = 2  # a structured answer is a turn of its own


class Spent(Value):
    """What the calls of one model came to."""

    tier: str
    model: str
    calls: int
    answered: int
    unusable: int = Field(description="replied to, and the reply was of no use")
    failed: int
    unknown: int = Field(description="under way, or ended without anybody saying what they cost")
    input_tokens: int
    output_tokens: int
    cost_usd: float
    assumed_usd: float = Field(description="of that, what nobody told: counted as the most it may be")


class Book:
    """The calls of one brain, over a connection of its own; any thread may use it.

    Args:
        clock: the moment, in UTC.
    """

    def __init__(self, path: Path, *, of_run: float, of_day: float, clock: Callable[[], datetime]) -> None:
        self._path, self._of_run, self._of_day, self._clock = path, of_run, of_day, clock
        self._lock = Lock()
        self._opened: Brain | None = None

    def reserve(self, seat: Seat, request: Request[Answer], *, run: str, worst_usd: float) -> int | Failure:
        """The number of a call that may be made now, or why the budget does not cover it."""
        now = timestamp(self._clock())
        values = {
            "run": run, "purpose": request.purpose, "tier": seat.tier.name, "model": seat.model,
            "class": seat.class_, "now": now, "day": now[:10], "worst": worst_usd,
            "of_run": self._of_run, "of_day": self._of_day,
        }  # fmt: skip
        with self._lock, (brain := self._brain()).transaction():
            if made := calls.reserve_call(brain, values):
                return made
            of_run, run_paid, day_paid = calls.taken(brain, values)
        over_run = of_run + worst_usd > self._of_run
        name, budget = ("run", self._of_run) if over_run else ("day", self._of_day)
        why = f"the budget of the {name}, {dollars(budget)}, does not cover a call of up to {dollars(worst_usd)} more"
        hopeless = run_paid + worst_usd > self._of_run or day_paid + worst_usd > self._of_day
        return Failure(why, unpaid=True, hopeless=hopeless)

    def settle(self, call: int, result: Reply | Failure, *, cost_usd: float | None, problem: str = "") -> None:
        """Keep what became of *call*.

        Args:
            cost_usd: None where nobody knows: the most it may have cost stands.
            problem: why a reply is of no use.
        """
        if isinstance(result, Failure):
            outcome, reason = "unknown" if cost_usd is None else "failed", result.reason
        else:
            outcome, reason = "unusable" if problem else "answered", problem
        values = {
            "id": call, "outcome": outcome, "reason": redact(reason)[:LONGEST_REASON],
            "input": result.input_tokens or 0, "output": result.output_tokens or 0, "cost": cost_usd,
        }  # fmt: skip
        with self._lock, (brain := self._brain()).transaction():
            calls.settle_call(brain, values)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._opened:
                self._opened.close()
            self._opened = None

    def _brain(self) -> Brain:
        if self._opened is None:
            self._opened = open_brain(self._path)
        return self._opened


def dollars(amount: float) -> str:
    """*amount* as people read it, to the hundredth of a cent.

    >>> dollars(10), dollars(0.00451), dollars(0)
    ('$10', '$0.0045', '$0')
    """
    return f"${amount:.4f}".rstrip("0").rstrip(".")


def spent(brain: Brain, *, since: datetime, run: str | None = None) -> list[Spent]:
    """What calls since the day of *since* cost, by tier and model, dearest first; of one *run* or of all."""
    found = calls.spent(brain, since=timestamp(since)[:10], of_run=run)
    return [Spent(**dict(zip(Spent.model_fields, row, strict=True))) for row in found]


def worst_cost(seat: Seat, request: Request[Answer]) -> float:
    """US dollars that one attempt may cost at most: a token is a byte at least."""
    told = request.system + request.content + (str(request.schema) if request.schema else "")
    asked = len(told.encode()) + FRAMING_TOKENS
    if seat.tier.name == "claude":
        return CLI_TURNS * seat.price.cost(input_tokens=asked + CLI_TOKENS, output_tokens=request.max_tokens)
    return seat.price.cost(input_tokens=asked, output_tokens=request.max_tokens)


def cost_of(seat: Seat, result: Reply | Failure) -> float | None:
    """What *result* cost; None where nobody knows."""
    if seat.price.free:
        return 0.0
    if isinstance(result, Failure):
        return result.cost_usd if result.charged else 0.0
    if result.cost_usd is not None or result.input_tokens is None or result.output_tokens is None:
        return result.cost_usd
    return seat.price.cost(input_tokens=result.input_tokens, output_tokens=result.output_tokens)

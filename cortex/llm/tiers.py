"""The tiers in the order they are tried, each call paid for before it is made."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic as stopwatch
from typing import Final, Self, TypeVar
from zlib import crc32

from pydantic import BaseModel, ValidationError

from cortex.errors import BudgetSpent, NoModel, TiersFailed, UnusableReply
from cortex.llm.apis import AnthropicApi, OpenAiApi, one_line
from cortex.llm.breaker import LONGEST_WAIT_S, Breaker
from cortex.llm.claude_cli import ClaudeCli
from cortex.llm.loop import Loop, wait_for_one
from cortex.llm.model import Answer, Caller, Class, Completion, Failure, Reply, Request, TierName
from cortex.llm.setup import Seat, Setup, Tier, seats
from cortex.llm.spending import Book, cost_of, worst_cost

ATTEMPTS: Final = 3
FIRST_PAUSE_S: Final = 0.5

Entry = TypeVar("Entry")

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")

_log = logging.getLogger("cortex.llm")


class Tiers:
    """Asks the first tier that is ready, then the next: a model's validated answer, or an error that says why not.

    With nothing ready nothing is made that could call: no client, no thread, no program. Ask `ready` first where there
    is another way, as the extractive composer is:

        with Tiers(setup, brain.path, clock=clock, key=token_bytes()) as tiers:
            if tiers.ready("B"):
                request = Request("compose", system, fence({"row-1": row}, key=tiers.key), Composed, class_="B")
                done = tiers.complete(request, run="ask:1")
                done.answer, done.tier, done.model, done.cost_usd

    `complete` blocks; `submit` gives a future, and as many calls are in flight as the setup allows. Any thread may
    call either, outside a transaction of the same brain: each call is written there before and after it is made.

    A call of class A goes to the tier's small model and takes 60 s at most, one of B to the large one and 300 s.
    An attempt that fails (429, 5xx, 529, a cut connection, a program that breaks) is made three times, after as long
    as the tier asks; one that took too long is not made again. A tier that asks for over a minute, has failed five
    times in a row or given nine replies in a row that nobody can use, rests, and the next is tried: `passed_over` says
    so, and so does the log `cortex.llm`, each reason once as a warning.

    Args:
        brain: the file that keeps what calls cost; budgets count across processes.
        clock: the moment, in UTC: budgets are of its day.
        key: what the marks of fences are drawn from; nobody else may know it.
        sleep: waits some seconds.
        monotonic: a stopwatch in seconds, for tiers at rest.
    """

    def __init__(
        self,
        setup: Setup,
        brain: Path,
        *,
        clock: Callable[[], datetime],
        key: bytes,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        monotonic: Callable[[], float] = stopwatch,
    ) -> None:
        self.key = key
        self._seats = seats(setup)
        self._clock, self._sleep = clock, sleep
        self._book = Book(brain, of_run=setup.budget_run_usd, of_day=setup.budget_day_usd, clock=clock)
        self._breakers = {seat.tier.name: Breaker(monotonic) for seat in self._seats}
        self._turns = {seat.tier.name: asyncio.Semaphore(setup.at_once) for seat in self._seats}
        self._callers: dict[TierName, Caller] = {}
        self._clerk = ThreadPoolExecutor(1, "cortex-spending")
        self._in_flight, self._settled = 0, asyncio.Event()
        self._told: set[str] = set()
        self._starting = Lock()
        self._loop: Loop | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ready(self, class_: Class, *, without: Collection[str] = ()) -> bool:
        """Whether a call of this class could be made, budget permitting, by a tier other than those."""
        return any(seat.class_ == class_ and seat.tier.name not in without for seat in self._seats)

    def model(self, class_: Class) -> str:
        """The model that is asked first; '' where none is ready."""
        return next((seat.model for seat in self._seats if seat.class_ == class_), "")

    def complete(self, request: Request[Answer], *, run: str, without: Collection[str] = ()) -> Completion[Answer]:
        """The answer to *request*, from the first tier that gives one.

        Args:
            run: what the budget of a run counts together, such as 'index:12'.
            without: tiers that are not to be asked, such as those whose replies to it were of no use.

        Raises:
            BudgetSpent: the run or the day cannot pay for another call.
            TiersFailed: every tier failed, or is at rest.
            UnusableReply: a model answered, and not what was asked: refused, cut off, not of the schema. Nobody else
                is asked, for the same words may do better another time; a tier that does nothing else rests. Or it was
                asked more than it reads, and no other answered.
        """
        future = self.submit(request, run=run, without=without)
        wait_for_one([future])
        return future.result()

    def submit(
        self, request: Request[Answer], *, run: str, without: Collection[str] = ()
    ) -> Future[Completion[Answer]]:
        """The future of `complete`; as many are in flight as the setup allows, the others wait their turn.

        Raises:
            CancelledError: the tiers are closed.
        """
        if not self.ready(request.class_, without=without):
            raise NoModel(request.class_)
        with self._starting:
            if self._closed:
                raise CancelledError
            if self._loop is None:
                self._loop = Loop()
            return self._loop.submit(self._complete(request, run, without))

    def close(self) -> None:
        """Call off what is in flight and what comes late, and let go of connections, programs and the brain."""
        with self._starting:
            self._closed = True
        if self._loop:
            self._loop.call_off()
            self._loop.submit(self._close_callers()).result()
            self._loop.close()
            self._loop = None
        self._clerk.shutdown(cancel_futures=True)
        self._book.close()

    async def _close_callers(self) -> None:
        for caller in self._callers.values():
            await caller.close()
        self._callers.clear()

    async def _complete(self, request: Request[Answer], run: str, without: Collection[str]) -> Completion[Answer]:
        passed: list[str] = []
        unpaid = False
        unread: tuple[Seat, str] | None = None
        for seat in self._seats:
            if seat.class_ != request.class_ or seat.tier.name in without:
                continue
            result = await self._insist(seat, request, run)
            if isinstance(result, Completion):
                return replace(result, passed_over=tuple(passed))
            unpaid |= result.unpaid
            if result.too_long:
                unread = seat, result.reason
            passed.append(f"{seat.tier.name}: {result.reason}")
            self._tell(f"{seat.tier.name} gave no answer for {request.purpose}: {result.reason}")
        if unread and not unpaid:
            raise UnusableReply(unread[0].tier.name, unread[0].model, f"{UnusableReply.MORE_THAN_READ}: {unread[1]}")
        raise BudgetSpent(passed) if unpaid else TiersFailed(passed)

    def _tell(self, why: str) -> None:
        """Log why a tier was passed over: a warning the first time, whatever numbers it names."""
        kind = _NUMBER.sub("", why)
        _log.log(logging.INFO if kind in self._told else logging.WARNING, "%s", why)
        self._told.add(kind)

    async def _insist(self, seat: Seat, request: Request[Answer], run: str) -> Completion[Answer] | Failure:
        breaker = self._breakers[seat.tier.name]
        for attempt in range(1, ATTEMPTS + 1):
            result = await self._in_turn(seat, request, run)
            if isinstance(result, Completion):
                return result
            breaker.failed(result)
            wait = _pause(attempt, request) if result.after_s is None else result.after_s
            if not result.again or wait > LONGEST_WAIT_S or attempt == ATTEMPTS:
                return result
            _log.info("%s: %s; again in %.1f s", seat.tier.name, result.reason, wait)
            await self._sleep(wait)
        raise AssertionError("the last attempt returns")

    async def _in_turn(self, seat: Seat, request: Request[Answer], run: str) -> Completion[Answer] | Failure:
        """An attempt; where calls in flight leave the budget no room for it, another once one of them is settled."""
        while True:
            settled = self._settled
            async with self._turns[seat.tier.name]:
                if why := self._breakers[seat.tier.name].blocked():
                    return Failure(why)
                result = await self._attempt(seat, request, run)
            if isinstance(result, Completion) or not result.unpaid or result.hopeless:
                return result
            if not (self._in_flight or settled.is_set()):
                return result
            await settled.wait()

    async def _attempt(self, seat: Seat, request: Request[Answer], run: str) -> Completion[Answer] | Failure:
        worst = worst_cost(seat, request)
        call = await self._booked(partial(self._book.reserve, seat, request, run=run, worst_usd=worst))
        if isinstance(call, Failure):
            return call
        self._in_flight += 1
        try:
            result = await self._call(seat, request, worst)
            cost = cost_of(seat, result)
            problem, answer = _read(request, result, seat.tier) if isinstance(result, Reply) else ("", None)
            await self._booked(partial(self._book.settle, call, result, cost_usd=cost, problem=problem))
        finally:
            self._in_flight -= 1
            self._settled.set()
            self._settled = asyncio.Event()
        if isinstance(result, Failure):
            return result
        if answer is None:
            self._breakers[seat.tier.name].useless(problem)
            raise UnusableReply(seat.tier.name, seat.model, problem)
        self._breakers[seat.tier.name].succeeded()
        return Completion(
            answer, seat.tier.name, seat.model, result.input_tokens or 0, result.output_tokens or 0,
            worst if cost is None else cost,
        )  # fmt: skip

    async def _booked(self, entry: Callable[[], Entry]) -> Entry:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, entry)

    async def _call(self, seat: Seat, request: Request[Answer], worst: float) -> Reply | Failure:
        if seat.tier.name not in self._callers:
            tier, clock = seat.tier, self._clock
            api = AnthropicApi if tier.name == "anthropic" else OpenAiApi
            self._callers[tier.name] = ClaudeCli(tier) if tier.name == "claude" else api(tier, clock)
        try:
            async with asyncio.timeout(request.seconds):
                return await self._callers[seat.tier.name].call(seat.model, request, worst_usd=worst)
        except TimeoutError:
            return Failure(f"no reply within {request.seconds:g} s", charged=True)


def _read(request: Request[Answer], reply: Reply, tier: Tier) -> tuple[str, Answer | None]:
    if reply.problem:
        return reply.problem, None
    text = _said(tier.blotted(reply.text))
    if not issubclass(request.answer, BaseModel):
        return ("", request.answer(text)) if text.strip() else ("the reply was empty", None)
    try:
        answer = request.answer.model_validate_json(_unwrapped(text))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        return one_line(f"the reply is not of the schema: {f'{where}: ' if where else ''}{first['msg']}", tier), None
    problem = request.check(answer)
    return problem, None if problem else answer


def _said(text: str) -> str:
    thought, end, said = text.partition("</think>")
    opened = thought.lstrip().startswith("<think>")
    return said if end and (opened or not thought.lstrip().startswith(("{", "[", "```"))) else text


def _unwrapped(text: str) -> str:
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        return text.partition("\n")[2].removesuffix("```")
    return text


def _pause(attempt: int, request: Request[Answer]) -> float:
    """Seconds before the next attempt: doubled each time, and spread by what is asked, so that four do not march."""
    spread = crc32(request.content.encode()) % 1000 / 1000
    return FIRST_PAUSE_S * 2.0 ** (attempt - 1) * (0.75 + 0.5 * spread)

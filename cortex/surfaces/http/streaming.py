"""An answer as it comes about: each stage as it begins, then statement by statement, then the whole.

No word is sent before it was held to its row, so that none has to be taken back: `cite or recant` comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from cortex.surfaces.contract import one_line
from cortex.surfaces.http.answering import JSON, Asked, Outcome
from cortex.surfaces.http.server import RESULTS, Server

EVENTS: Final = "text/event-stream"
DESCRIBED: Final = (
    "Server-sent events, each with a JSON object: `stage` as each stage begins, `statement` for each statement"
    " of the answer, then `answer`, the whole as above; or `error`, with the status it would have had."
)


async def streamed(server: Server, asked: Asked, notes: dict[str, Any]) -> Response:
    """The answer as events; what is refused before the first stage has begun is an error like any other."""
    stages: asyncio.Queue[str] = asyncio.Queue()
    answering = asyncio.create_task(server.perform(asked, stages.put_nowait))
    begun = asyncio.create_task(stages.get())
    await asyncio.wait((answering, begun), return_when=asyncio.FIRST_COMPLETED)
    if not begun.done():
        begun.cancel()
        outcome = await answering
        note(notes, outcome)
        if outcome.status != 200:
            return Response(outcome.body, outcome.status, media_type=JSON)
        return StreamingResponse(_said(outcome), media_type=EVENTS)
    return StreamingResponse(_events(begun.result(), stages, answering, notes), media_type=EVENTS)


def note(notes: dict[str, Any], outcome: Outcome) -> None:
    """Note what came of it for the log."""
    if outcome.refused is not None:
        notes["result"] = RESULTS[outcome.refused]


async def _events(
    first: str, stages: asyncio.Queue[str], answering: asyncio.Task[Outcome], notes: dict[str, Any]
) -> AsyncIterator[bytes]:
    yield _event("stage", {"stage": first})
    answering.add_done_callback(lambda _: stages.put_nowait(""))
    while stage := await stages.get():
        yield _event("stage", {"stage": stage})
    outcome = await answering
    note(notes, outcome)
    async for event in _said(outcome):
        yield event


async def _said(outcome: Outcome) -> AsyncIterator[bytes]:
    content = outcome.content
    if outcome.status != 200:
        yield _event("error", {"status": outcome.status, **content["error"]})
        return
    for statement in content["statements"]:
        yield _event("statement", statement)
    yield _event("answer", content)


def _event(name: str, content: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {one_line(content)}\n\n".encode()

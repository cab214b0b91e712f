"""What each MCP client asked about last, so that a question which names nothing follows up on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from cortex.composer.query.following import next_topic

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

SESSION: Final = "mcp-session-id"
LASTS: Final = timedelta(minutes=30)  # after the last answer
MOST: Final = 10_000  # conversations


class Topics:
    """The topics of conversations, those of long ago forgotten."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, datetime]] = OrderedDict()

    def of(self, conversation: str, now: datetime) -> str:
        """The handle that the next question may follow up on; '' where there is none."""
        topic, then = self._kept.get(conversation, ("", now))
        return topic if now - then <= LASTS else ""

    def note(self, conversation: str, asked: str, answer: Mapping[str, Any], now: datetime) -> None:
        """Keep what *answer*, as JSON, is about, where it was *asked* for."""
        cited = [one["handle"] for one in answer["citations"]]
        topic = next_topic(self.of(conversation, now), asked, answer["question"], cited)
        self._kept[conversation] = topic, now
        self._kept.move_to_end(conversation)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


def conversation(context: ServerRequestContext[Any, Any], by: str = "") -> str:
    """What tells a conversation from others: who asks, in which session, or with which client where there is none."""
    session = context.request.headers.get(SESSION, "") if context.request else ""
    client = context.session.client_params
    about = client.client_info if client and not session else None
    return "\n".join([by, session, *((about.name, about.version) if about else ())])

"""The Anthropic API, through its official client."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from cortex.llm.api_failures import direct, garbled, refused, unconnected
from cortex.llm.model import Answer, Failure, Reply, Request, tokens
from cortex.llm.setup import Tier

if TYPE_CHECKING:
    from anthropic.types import Message, OutputConfigParam


class AnthropicApi:
    """Messages of the Anthropic API; retries are the tiers' own, for each attempt is reserved and counted."""

    def __init__(self, tier: Tier, clock: Callable[[], datetime]) -> None:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient  # noqa: PLC0415  the extra may be missing

        self._tier, self._clock = tier, clock
        self._client = AsyncAnthropic(
            api_key=tier.key.get_secret_value() if tier.key else "none",
            base_url=tier.url,
            max_retries=0,
            open_telemetry=False,
            http_client=DefaultAsyncHttpxClient(**direct(tier)) if tier.local else None,
        )

    async def call(self, model: str, request: Request[Answer], *, worst_usd: float) -> Reply | Failure:  # noqa: ARG002
        """What the model says to *request*."""
        from anthropic import APIConnectionError, APIError, APIStatusError, APITimeoutError, omit, transform_schema  # noqa: PLC0415

        schema = request.schema
        shape: OutputConfigParam | None = (
            {"format": {"type": "json_schema", "schema": transform_schema(schema)}} if schema else None
        )
        try:
            message = await self._client.messages.create(
                model=model,
                max_tokens=request.max_tokens,
                system=request.system,
                messages=[{"role": "user", "content": request.content}],
                output_config=shape or omit,
                timeout=request.seconds,
            )
            return _read(message)
        except APITimeoutError:
            return Failure(f"no reply within {request.seconds:g} s", charged=True)
        except APIStatusError as error:
            return refused(
                error.status_code, error.api_message or error.message, error.response.headers, self._clock, self._tier
            )
        except APIConnectionError as error:
            return unconnected(error, self._tier)
        except (APIError, AttributeError, TypeError, ValueError) as error:
            return garbled(str(error), self._tier)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _read(message: Message) -> Reply:
    """*message* as a reply; the client does not check what a server sends, so any of it may be missing.

    Raises:
        AttributeError: it is no message.
    """
    text = "".join(block.text for block in message.content if block.type == "text")
    usage = getattr(message, "usage", None)
    cached = (getattr(usage, f"cache_{name}_input_tokens", None) or 0 for name in ("creation", "read"))
    asked, told = tokens(getattr(usage, "input_tokens", None), *cached), tokens(getattr(usage, "output_tokens", None))
    problem = {
        "refusal": "the model refused",
        "max_tokens": "the reply was cut off",
        "model_context_window_exceeded": "the reply was cut off",
    }.get(message.stop_reason or "", "")
    return Reply(text, asked, told, problem)

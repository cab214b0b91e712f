"""Any endpoint that speaks as OpenAI's chat completions do, through the official client."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cortex.llm.api_failures import UNPROXIED, garbled, refused, unconnected
from cortex.llm.model import Answer, Failure, Reply, Request, tokens
from cortex.llm.setup import Tier

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion
    from openai.types.chat.completion_create_params import ResponseFormat

OWN: Final = "api.openai.com"


class OpenAiApi:
    """Chat completions; retries are the tiers' own, for each attempt is reserved and counted."""

    def __init__(self, tier: Tier, clock: Callable[[], datetime]) -> None:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient  # noqa: PLC0415  the extra may be missing

        self._tier, self._clock = tier, clock
        # OpenAI's own models refuse max_tokens; many others know nothing else.
        self._own = urlsplit(tier.url).hostname == OWN
        direct = DefaultAsyncHttpxClient(trust_env=False, mounts=UNPROXIED) if tier.local else None
        self._client = AsyncOpenAI(
            api_key=tier.key.get_secret_value() if tier.key else "none",
            base_url=tier.url,
            max_retries=0,
            http_client=direct,
        )

    async def call(self, model: str, request: Request[Answer], *, worst_usd: float) -> Reply | Failure:  # noqa: ARG002
        """What the model says to *request*."""
        from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, omit  # noqa: PLC0415

        schema = request.schema
        shape: ResponseFormat | None = (
            {"type": "json_schema", "json_schema": {"name": request.purpose, "schema": schema, "strict": True}}
            if schema
            else None
        )
        try:
            completion = await self._client.chat.completions.create(
                model=model,
                max_tokens=omit if self._own else request.max_tokens,
                max_completion_tokens=request.max_tokens if self._own else omit,
                messages=[
                    {"role": "system", "content": request.system},
                    {"role": "user", "content": request.content},
                ],
                response_format=shape or omit,
                timeout=request.seconds,
            )
            return _read(completion)
        except APITimeoutError:
            return Failure(f"no reply within {request.seconds:g} s", charged=True)
        except APIStatusError as error:
            return refused(error.status_code, error.message, error.response.headers, self._clock, self._tier)
        except APIConnectionError as error:
            return unconnected(error, self._tier)
        except (APIError, AttributeError, IndexError, TypeError, ValueError) as error:
            return garbled(str(error), self._tier)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _read(completion: ChatCompletion) -> Reply:
    """*completion* as a reply; the client does not check what a server sends, so any of it may be missing.

    Raises:
        AttributeError: it is no completion.
        IndexError: it holds no choice.
    """
    choice, usage = completion.choices[0], getattr(completion, "usage", None)
    said = {"length": "the reply was cut off", "content_filter": "the model refused"}
    problem = "the model refused" if choice.message.refusal else said.get(choice.finish_reason, "")
    asked, told = (tokens(getattr(usage, name, None)) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(choice.message.content or "", asked, told, problem)

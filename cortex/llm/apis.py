"""The APIs of Anthropic and OpenAI, through their official clients, and what those raise, as failures."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cortex.llm.model import STOPPED, Answer, Failure, Reply, Request, tokens
from cortex.llm.setup import Tier
from cortex.substrate.secrets import redact

if TYPE_CHECKING:
    from anthropic.types import Message
    from openai.types.chat import ChatCompletion


PERSON_MENDS: Final = frozenset({401, 402, 403, 404})
_AGAIN: Final = frozenset({408, 409, 429})
_TOO_LARGE: Final = 413
_TOO_LONG: Final = re.compile(
    r"context[_ ](?:length|window|size)|(?:prompt|input|request) is too long|too many (?:input )?tokens"
    r"|maximum (?:input|prompt|number of (?:input )?tokens)|reduce the length",
    re.I,
)
_LONGEST: Final = 200
_NEVER_MADE: Final = frozenset({"ConnectError", "ConnectTimeout"})  # of the library below the clients, which may change


def direct(tier: Tier) -> dict[str, Any]:
    """Options of a client of this machine's own endpoints: no proxy of the environment leads there.

    Where the endpoint is not encrypted the client trusts no authority either, for loading all takes 40 ms.
    """
    encrypted = tier.url.startswith("https:")
    verify = True if encrypted else SSLContext(PROTOCOL_TLS_CLIENT)
    return {"trust_env": False, "mounts": dict.fromkeys(("http://", "https://", "all://")), "verify": verify}


def is_too_long(message: str) -> bool:
    """Whether *message* says that more was asked than the model reads."""
    return _TOO_LONG.search(message) is not None


def retry_after(headers: Mapping[str, str], clock: Callable[[], datetime]) -> float | None:
    """Seconds that *headers* ask to wait; None where they do not.

    Source: RFC 9110, 10.2.3; retry-after-ms is what both vendors send beside it.
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = headers.get(name, "").strip()
        try:
            return max(float(value) / unit, 0.0)
        except ValueError:
            pass
    try:
        return max((parsedate_to_datetime(headers.get("retry-after", "")) - clock()).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def one_line(text: str, tier: Tier) -> str:
    """*text* as one line that is not too long for a table, without a secret, which is told before it is cut."""
    line = " ".join(redact(tier.blotted(text)).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


class _Api(ABC):
    """An API through its vendor's client; retries are the tiers' own, for each attempt is reserved and counted.

    Both clients are generated alike, so their errors and options have the same names.
    """

    def __init__(self, tier: Tier, clock: Callable[[], datetime], sdk: str, client: str, **options: object) -> None:
        self._tier, self._clock = tier, clock
        self._sdk = import_module(sdk)  # the extra may be missing
        self._client = getattr(self._sdk, client)(
            api_key=tier.key.get_secret_value() if tier.key else "none", base_url=tier.url, max_retries=0,
            http_client=self._sdk.DefaultAsyncHttpxClient(**direct(tier)) if tier.local else None, **options,
        )  # fmt: skip

    async def call(self, model: str, request: Request[Answer], *, worst_usd: float) -> Reply | Failure:  # noqa: ARG002
        """What the model says to *request*."""
        try:
            return await self._ask(model, request)
        except self._sdk.APITimeoutError:
            return Failure(f"no reply within {request.seconds:g} s", charged=True)
        except self._sdk.APIStatusError as error:
            said = f"{getattr(error, 'api_message', '') or error.message} {getattr(error, 'code', '') or ''}"
            return self._refused(error.status_code, said, error.response.headers)
        except self._sdk.APIConnectionError as error:
            cause = error.__cause__
            made = type(cause).__name__ not in _NEVER_MADE
            why = (
                f"{'the connection was cut' if made else 'no connection'}: {one_line(str(cause or error), self._tier)}"
            )
            return Failure(why, again=True, charged=made)
        except (self._sdk.APIError, AttributeError, IndexError, TypeError, ValueError) as error:
            return Failure(f"not the API's answer: {one_line(str(error), self._tier)}", again=True, charged=True)

    @abstractmethod
    async def _ask(self, model: str, request: Request[Answer]) -> Reply | Failure: ...

    def _refused(self, status: int, message: str, headers: Mapping[str, str]) -> Failure:
        """An answer of the server that is no success, as a failure."""
        told = headers.get("x-should-retry")
        again = told == "true" if told in {"true", "false"} else status in _AGAIN or status >= 500
        return Failure(
            f"HTTP {status}: {one_line(message, self._tier)}", again=again, after_s=retry_after(headers, self._clock),
            broken=status in PERSON_MENDS, too_long=status == _TOO_LARGE or (not again and is_too_long(message)),
        )  # fmt: skip

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


class AnthropicApi(_Api):
    """Messages of the Anthropic API."""

    def __init__(self, tier: Tier, clock: Callable[[], datetime]) -> None:
        super().__init__(tier, clock, "anthropic", "AsyncAnthropic", open_telemetry=False)

    async def _ask(self, model: str, request: Request[Answer]) -> Reply:
        schema, sdk = request.schema, self._sdk
        shape = {"format": {"type": "json_schema", "schema": sdk.transform_schema(schema)}} if schema else sdk.omit
        message = await self._client.messages.create(
            model=model, max_tokens=request.max_tokens, system=request.system,
            messages=[{"role": "user", "content": request.content}], output_config=shape, timeout=request.seconds,
        )  # fmt: skip
        return _read_message(message)


def _read_message(message: Message) -> Reply:
    """*message* as a reply; the client does not check what a server sends, so any of it may be missing.

    Raises:
        AttributeError: it is no message.
    """
    text = "".join(block.text for block in message.content if block.type == "text")
    usage = getattr(message, "usage", None)
    cached = (getattr(usage, f"cache_{name}_input_tokens", None) or 0 for name in ("creation", "read"))
    asked, told = tokens(getattr(usage, "input_tokens", None), *cached), tokens(getattr(usage, "output_tokens", None))
    return Reply(text, asked, told, STOPPED.get(message.stop_reason or "", ""))


OWN: Final = "api.openai.com"

_SCHEMA, _OBJECT, _PLAIN = "json_schema", "json_object", ""
_PLAINER: Final[Mapping[str, str]] = {_SCHEMA: _OBJECT, _OBJECT: _PLAIN}
"""How a reply's shape is asked for where an endpoint refuses it so: the schema stands in the prompt then."""

_NOT_SO: Final = frozenset({400, 404, 415, 422, 501})
_SHAPE: Final = re.compile(r"response_?format|json_?schema|json_?object|structured[ _]output|guided|grammar", re.I)
_BAD_REQUEST, _BAD_GATEWAY = 400, 502
_STATUS: Final[Mapping[str, int]] = {
    "rate_limit_exceeded": 429, "rate_limit_error": 429, "insufficient_quota": 402, "invalid_api_key": 401,
    "context_length_exceeded": 400, "invalid_request_error": 400, "model_not_found": 404,
}  # fmt: skip
"""Of errors that a success is answered with, and that name no status."""


class OpenAiApi(_Api):
    """Chat completions."""

    def __init__(self, tier: Tier, clock: Callable[[], datetime]) -> None:
        super().__init__(tier, clock, "openai", "AsyncOpenAI")
        self._shapes: dict[str, str] = {}
        # OpenAI's own models refuse max_tokens; many others know nothing else.
        self._own = urlsplit(tier.url).hostname == OWN

    async def _ask(self, model: str, request: Request[Answer]) -> Reply | Failure:
        while True:
            shape = self._shapes.get(model, _SCHEMA)
            try:
                return await self._ask_for(model, request, shape)
            except self._sdk.APIStatusError as error:
                of_shape = error.status_code in _NOT_SO and _SHAPE.search(f"{error.message} {error.param or ''}")
                if not (request.schema and shape in _PLAINER and of_shape):
                    raise
                self._shapes[model] = _PLAINER[shape]

    async def _ask_for(self, model: str, request: Request[Answer], shape: str) -> Reply | Failure:
        omit = self._sdk.omit
        schema, system = request.schema, request.system
        if schema and shape != _SCHEMA:
            system += f"\n\nReply with one JSON object, and nothing else, of this JSON Schema:\n{json.dumps(schema)}"
        strict = {"name": request.purpose, "schema": schema, "strict": True}
        formats = {_SCHEMA: {"type": _SCHEMA, _SCHEMA: strict}, _OBJECT: {"type": _OBJECT}}
        answered = await self._client.chat.completions.with_raw_response.create(
            model=model,
            max_tokens=omit if self._own else request.max_tokens,
            max_completion_tokens=request.max_tokens if self._own else omit,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": request.content}],
            response_format=formats.get(shape, omit) if schema else omit,
            timeout=request.seconds,
        )
        completion = answered.parse()
        if error := _error(completion):
            status, said = error
            spent = tokens(getattr(getattr(completion, "usage", None), "total_tokens", None))
            return self._refused(status, said, answered.headers)._replace(charged=bool(spent))
        return _read_completion(completion)


def _error(completion: ChatCompletion) -> tuple[int, str] | None:
    """The status and the words of an error that came as a success; None where none did.

    Source: https://openrouter.ai/docs/api-reference/errors
    """
    choices = getattr(completion, "choices", None) or ()
    told = [getattr(one, "error", None) for one in (completion, *choices[:1])]
    error = next(filter(None, told), None)
    if error is None:
        return None
    if not isinstance(error, dict):
        return _BAD_GATEWAY, str(error)
    code = str(error.get("code") or error.get("status") or "")
    number = int(code) if code.isdigit() else 0
    status = number if number >= _BAD_REQUEST else _STATUS.get(code, _BAD_GATEWAY)
    return status, f"{error.get('message') or ''} {'' if number else code}"


def _read_completion(completion: ChatCompletion) -> Reply:
    """*completion* as a reply; the client does not check what a server sends, so any of it may be missing.

    Raises:
        AttributeError: it is no completion.
        ValueError: it holds no choice.
    """
    if not completion.choices:
        raise ValueError("it holds no choice")
    choice, usage = completion.choices[0], getattr(completion, "usage", None)
    problem = STOPPED.get("refusal" if choice.message.refusal else choice.finish_reason, "")
    asked, told = (tokens(getattr(usage, name, None)) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(choice.message.content or "", asked, told, problem)

"""What an API's client raised, as a failure; both official clients raise the same shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Final

from cortex.llm.model import Failure
from cortex.llm.setup import Tier
from cortex.substrate.secrets import redact

_PERSON_MENDS: Final = frozenset({401, 402, 403, 404})
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


def refused(
    status: int, message: str, headers: Mapping[str, str], clock: Callable[[], datetime], tier: Tier
) -> Failure:
    """An answer of the server that is no success, as a failure."""
    told = headers.get("x-should-retry")
    again = told == "true" if told in {"true", "false"} else status in _AGAIN or status >= 500
    return Failure(
        f"HTTP {status}: {one_line(message, tier)}", again=again, after_s=retry_after(headers, clock),
        broken=status in _PERSON_MENDS, too_long=status == _TOO_LARGE or (not again and is_too_long(message)),
    )  # fmt: skip


def is_too_long(message: str) -> bool:
    """Whether *message* says that more was asked than the model reads."""
    return _TOO_LONG.search(message) is not None


def unconnected(error: Exception, tier: Tier) -> Failure:
    """A connection that was never made, or was cut, as a failure."""
    cause = error.__cause__
    why = one_line(str(cause or error), tier)
    if type(cause).__name__ in _NEVER_MADE:
        return Failure(f"no connection: {why}", again=True)
    return Failure(f"the connection was cut: {why}", again=True, charged=True)


def garbled(problem: str, tier: Tier) -> Failure:
    """A success whose content is none, as a failure."""
    return Failure(f"not the API's answer: {one_line(problem, tier)}", again=True, charged=True)


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

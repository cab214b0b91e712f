"""Secrets, told by the shape of their values, and what stands in their place before anything is stored.

By shape and not by name, for a name ("the token's length is …") is no secret; only where a name is followed by an
assigned value that looks random is the value taken too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Final

_SHAPES: Final = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    "AWS access key": r"(?:AKIA|ASIA|AROA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "GitHub token": r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})(?![A-Za-z0-9])",
    "GitLab token": r"gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,}",
    "Slack token": r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "Slack webhook": r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    "Anthropic key": r"sk-ant-[A-Za-z0-9_-]{20,}",
    "OpenAI key": r"sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}",
    "Google key": r"AIza[A-Za-z0-9_-]{35}",
    "Stripe key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "npm token": r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])",
    "PyPI token": r"pypi-[A-Za-z0-9_-]{50,}",
    "Hugging Face token": r"hf_[A-Za-z0-9]{30,}(?![A-Za-z0-9])",
    "SendGrid key": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "JSON web token": r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
}
_SHAPED: Final = re.compile(
    "(?<![A-Za-z0-9])(?:" + "|".join(f"(?P<s{n}>{shape})" for n, shape in enumerate(_SHAPES.values())) + ")", re.DOTALL
)
_NAMES: Final = tuple(_SHAPES)

_IN_ADDRESS: Final = re.compile(r"(?<=://)([^/\s:@]{0,64}):([^/\s@]{1,256})@")
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/-]{16,}={0,2})")
_ASSIGNED: Final = re.compile(
    r"(?i)\b([\w-]{0,40}(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|credential)[\w-]{0,20}"
    r"[\"']?\s{0,3}(?::=|=>|=|:)\s{0,3}[\"']?)([^\s\"'`,;)}\]]{8,256})"
)
_RANDOM_BITS: Final = 2.8
"""Bits a character: words of prose and identifiers of eight or more are mostly below, or have no digit among them."""


def redact(text: str) -> str:
    """*text* with '[redacted: what it was]' in place of every value that looks like a secret.

    >>> redact("it failed with AKIAABCDEFGHIJKLMNOP set")
    'it failed with [redacted: AWS access key] set'
    >>> redact("postgres://cortex:hunter2@db/brain")
    'postgres://cortex:[redacted: password]@db/brain'
    >>> redact("what does the token: busy_timeout mean?")
    'what does the token: busy_timeout mean?'
    """
    text = _SHAPED.sub(lambda found: f"[redacted: {_NAMES[int((found.lastgroup or 's0')[1:])]}]", text)
    text = _IN_ADDRESS.sub(r"\1:[redacted: password]@", text)
    text = _BEARER.sub(r"\1\2[redacted: credential]", text)
    return _ASSIGNED.sub(_without_value, text)


def _without_value(found: re.Match[str]) -> str:
    return f"{found[1]}[redacted: value]" if _looks_random(found[2]) else found[0]


def _looks_random(value: str) -> bool:
    """Whether *value* has letters and digits or signs in a mixture that words do not have."""
    if value.startswith("[redacted") or not re.search(r"\d", value) or not re.search(r"[A-Za-z]", value):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return bits >= _RANDOM_BITS

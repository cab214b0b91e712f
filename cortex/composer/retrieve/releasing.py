"""What tells of a project's releases where no changelog does: a version, or a day, beside what is said of a release."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cortex.composer.dates import DATE
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import VERSION
from cortex.composer.retrieve.filters import WORD
from cortex.composer.retrieve.releases import asks_for_end

_RELEASE: Final = r"(?:releas(?:e[sd]?)|tag(?:s|ged)?|(?:latest|newest|current|next|last) (?:stable )?version)"
_NUMBERED: Final = rf"(?=v?\d+\.\d|v\d)v?{VERSION}(?![\w]|\.\d)"
_BETWEEN: Final = (
    r"[^\w\n]+(?:(?:is|was|be|been|has|got|just|now|the|our|a|of|on|in|as|version|prepare|for|to|date)\W+){0,4}"
)
_TELLS: Final = re.compile(
    rf"\b{_RELEASE}{_BETWEEN}(?:{_NUMBERED}|{DATE.pattern})|(?<![\w.]){_NUMBERED}{_BETWEEN}{_RELEASE}\b"
    rf"|\A\W*{_NUMBERED}\W*$",
    re.I | re.M,
)
"""'Release 2.0', 'our latest release is of May 2024', '2.0 was tagged', or a title that is a version."""


def asks_for_release(question: Question, sources: Iterable[str]) -> bool:
    """Whether it asks for the newest release of what one of *sources* is called, or the next, and for nothing more."""
    called = {word for source in sources for word in WORD.findall(source.lower())}
    return asks_for_end(question, called)


def tells_release(text: str) -> bool:
    """Whether *text* tells of a release which it was, or when that was."""
    return _TELLS.search(text) is not None

"""What tells of a project's releases where no changelog does: a version, or a day, beside what is said of a release."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from cortex.composer.dates import DATE
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import NAMED_VERSION, VERSION
from cortex.composer.retrieve.filters import WORD
from cortex.composer.retrieve.release_words import names_in
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


_LINE_END: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_MADE: Final = re.compile(r"\b(?:version|stable|bump|prepare|cut)(?:s|ed)?\b", re.I)
_COLUMN: Final = re.compile(rf"^\|\s*(?:version|release)\s*\|[^\n]*\n\|[-:| ]+\n\|\s*{_NUMBERED}\s*\|", re.I | re.M)


def asks_for_release(question: Question, sources: Iterable[str]) -> bool:
    """Whether it asks for the newest release of what one of *sources* is called, or the next, and for nothing more."""
    return asks_for_end(question, _called(sources))


def tells_release(text: str, sources: Iterable[str]) -> bool:
    """Whether *text* tells of a release of what one of *sources* is called which it was, or when that was."""
    if _TELLS.search(text) or _COLUMN.search(text):
        return True
    called = _called(sources)
    return any(_is_version_alone(line, called) for line in _LINE_END.split(text))


def _is_version_alone(line: str, called: AbstractSet[str]) -> bool:
    """Whether a sentence tells a version and no more: 'We are at version 4.2 since May', 'Bump version to 4.3.0'."""
    if not (_MADE.search(line) and re.search(rf"(?<![\w.]){_NUMBERED}", line)):
        return False
    rest = DATE.sub(" ", NAMED_VERSION.sub(" ", _MADE.sub(" ", line)))
    return names_in(rest) <= called


def _called(sources: Iterable[str]) -> frozenset[str]:
    return frozenset(word for source in sources for word in WORD.findall(source.lower()))

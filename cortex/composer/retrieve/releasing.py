"""What tells of a project's releases where no changelog does: a version, or a day, and nothing of another thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cortex.composer.dates import DATE
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import NAMED_VERSION
from cortex.composer.retrieve.filters import WORD
from cortex.composer.retrieve.release_words import names_in
from cortex.composer.retrieve.releases import asks_for_end

_LINE_END: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_MADE: Final = re.compile(
    r"\b(?:(?:bump|prepare|cut|tag)(?:s|p?ed|ged)?|releas(?:e[sd]?|ing)|versions?|stable)\b", re.I
)


def asks_for_release(question: Question, sources: Iterable[str]) -> bool:
    """Whether it asks for the newest release of what one of *sources* is called, or the next, and for nothing more."""
    return asks_for_end(question, _called(sources))


def tells_release(text: str, sources: Iterable[str]) -> bool:
    """Whether a line of *text* tells which release of what one of *sources* is called there was, or when, and no more.

    >>> [tells_release(f"{one} at 4.2 since May 2024", ["a/keel"]) for one in ("We are", "The file is")]
    [True, False]
    """
    called = _called(sources)
    for line in _LINE_END.split(text):
        rest = DATE.sub(" ", undated := NAMED_VERSION.sub(" ", line))
        told = undated != line or (rest != undated and _MADE.search(rest))
        if told and names_in(_MADE.sub(" ", rest)) <= called:
            return True
    return False


def _called(sources: Iterable[str]) -> frozenset[str]:
    return frozenset(word for source in sources for word in WORD.findall(source.lower()))

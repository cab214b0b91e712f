"""What tells that something was decided, by its cues: what the composer puts first."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from cortex.language.patterns import patterns, read_table
from cortex.regex import regex

CUES: Final[list[dict[str, Any]]] = read_table("deciding")["cue"]
_DECIDES: Final = tuple((regex(cue["pattern"]), tuple(cue.get("words", ("",)))) for cue in CUES)

_OVERTURNS: Final = patterns("deciding", "overturns")["pattern"]


@lru_cache(256)  # several steps of an answer ask it of a row
def decides(text: str) -> bool:
    """Whether somebody in *text* says what was decided."""
    said = text.lower()
    return any(cue.search(said) for cue, words in _DECIDES if any(map(said.__contains__, words)))


def overturns(text: str) -> bool:
    """Whether somebody in *text* gives up what was decided before.

    >>> overturns("Change of plan: we ship on Friday."), overturns("We ship on Friday.")
    (True, False)
    """
    return _OVERTURNS.search(text) is not None

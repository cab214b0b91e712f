"""Whether what is said of a reference is said of all of it: 'reverts #12, minus the docs' takes back a part."""

from __future__ import annotations

import re
from typing import Final

from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("references", "in_part")

PARTLY: Final = _ENGLISH["partly"]
"""Right before what says that something is taken back."""


def is_in_part(text: str, target: re.Match[str], before: str, start: int, end: int) -> bool:
    """Whether what stands after *target*, or in *before* from *start* to *end*, says that a part of it is meant."""
    return bool(_ENGLISH["mostly"].search(before, start, end) or _ENGLISH["in_part"].match(text, target.end()))


def takes_part(text: str, target: re.Match[str], before: str, verb: tuple[int, int]) -> bool:
    """Whether it is told that something stays of what is taken back.

    Args:
        verb: where in *before* it is said to be taken back.
    """
    at, until = verb
    part = _ENGLISH["reverts_part"].search(before, 0, at) or _ENGLISH["some"].search(before, 0, until)
    return bool(part or _ENGLISH["stays"].match(text, target.end()))


def is_elsewhere(text: str, target: re.Match[str], before: str, verb: tuple[int, int]) -> bool:
    """Whether it is told that it was taken back on a branch, or but to try; *verb* as for `takes_part`."""
    at, until = verb
    tried = before[at:until].lower().endswith("ed") and _ENGLISH["tried"].match(text, target.end())
    return bool(tried or _ENGLISH["elsewhere"].search(before, 0, at))


def stands_whole(text: str, end: int, *, needs_end: bool) -> bool:
    """Whether what follows a reference that ends at *end* leaves it whole.

    Args:
        needs_end: whether a clause has to end there.
    """
    return (_ENGLISH["whole"] if needs_end else _ENGLISH["stands"]).match(text, end) is not None

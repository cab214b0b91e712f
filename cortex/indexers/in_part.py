"""Whether what is said of a reference is said of all of it: 'reverts #12, minus the docs' takes back a part."""

from __future__ import annotations

import re
from typing import Final

from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("references", "in_part")

_MOSTLY: Final = _ENGLISH["mostly"]
PARTLY: Final = _ENGLISH["partly"]
"""Right before what says that something is taken back."""

_IN_PART: Final = _ENGLISH["in_part"]
_STAYS: Final = _ENGLISH["stays"]
"""What the next sentence says is not taken back: 'Reverts #12. The tests stay.'"""

_ELSEWHERE: Final = _ENGLISH["elsewhere"]
"""What says before it that an older branch is meant: '[1.x] Reverts #12'."""

_TRIED: Final = _ENGLISH["tried"]
"""What came of taking it back to try: 'I reverted #12 and it works again'."""

_REVERTS_PART: Final = _ENGLISH["reverts_part"]
"""What says before it that only a part is taken back: 'Docs-only revert. Reverts #12.'"""

_STANDS: Final = _ENGLISH["stands"]
"""What may follow a whole that is reverted or replaced: 'reverts #12 behaviour' does not take #12 back."""

_WHOLE: Final = _ENGLISH["whole"]

_SOME: Final = _ENGLISH["some"]


def is_in_part(text: str, target: re.Match[str], before: str, start: int, end: int) -> bool:
    """Whether what stands after *target*, or in *before* from *start* to *end*, says that a part of it is meant."""
    return bool(_MOSTLY.search(before, start, end) or _IN_PART.match(text, target.end()))


def takes_part(text: str, target: re.Match[str], before: str, verb: tuple[int, int]) -> bool:
    """Whether it is told that something stays of what is taken back.

    Args:
        verb: where in *before* it is said to be taken back.
    """
    at, until = verb
    part = _REVERTS_PART.search(before, 0, at) or _SOME.search(before, 0, until)
    return bool(part or _STAYS.match(text, target.end()))


def is_elsewhere(text: str, target: re.Match[str], before: str, verb: tuple[int, int]) -> bool:
    """Whether it is told that it was taken back on a branch, or but to try; *verb* as for `takes_part`."""
    at, until = verb
    tried = before[at:until].lower().endswith("ed") and _TRIED.match(text, target.end())
    return bool(tried or _ELSEWHERE.search(before, 0, at))


def stands_whole(text: str, end: int, *, needs_end: bool) -> bool:
    """Whether what follows a reference that ends at *end* leaves it whole.

    Args:
        needs_end: whether a clause has to end there.
    """
    return (_WHOLE if needs_end else _STANDS).match(text, end) is not None

"""What stands on both sides of a reference says what it is: 'removes what #12 added', '#12 is superseded by this'."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.meant import is_done
from cortex.language.patterns import patterns
from cortex.substrate.model import Relation

_ENGLISH: Final = patterns("references", "around")


def _sides(**of: Relation) -> tuple[tuple[Relation, re.Pattern[str], re.Pattern[str]], ...]:
    """Each relation with what stands before and after a reference that has it."""
    return tuple((one, _ENGLISH[f"{name}_before"], _ENGLISH[f"{name}_after"]) for name, one in of.items())


# A negation reaches further than a 'might', up to a clause of its own: 'I don't think it is superseded by #12'.
DOUBTED: Final = _ENGLISH["doubted"]

# What stands around a reference, and the relation it makes where neither side says so alone.
_AROUND: Final = _sides(takes_all_back="reverts", pulled_out="reverts", makes_obsolete="supersedes")
_OPENED: Final = _sides(
    superseded_by_this="supersedes", is_obsolete="supersedes", instead_of="supersedes", reverted_here="reverts"
)
SUBJECT: Final = _ENGLISH["subject"]

_AROUND_IT: Final = 500
"""How many on either side tell whether it is done once more."""


def said_around(text: str, target: re.Match[str], before: str, *, after_one: bool) -> Relation:
    """What is said of *target* by what stands before and after it: 'removes what #12 added'."""
    start = target.start() - len(before)
    for relation, left, right in _AROUND:
        if (found := left.search(before)) and (end := right.match(text, target.end())):
            doubted = DOUBTED.search(before, 0, found.start()) is not None
            of_another = after_one and SUBJECT.fullmatch(before, 0, found.start())
            again = "past" in found.groupdict() and is_again(text, target)
            verb = (start + found.start("verb"), start + found.end("verb"))
            done = not (doubted or of_another or again) and is_done(text, verb, end.end())
            return relation if done else "mentions"
    for relation, left, right in _OPENED:
        opened = left.search(before)
        if opened and not (after_one and opened.start() == 0) and right.match(text, target.end()):
            return "mentions" if relation == "reverts" and is_again(text, target) else relation
    told = _ENGLISH["is_reverted"].match(text, target.end()) and _ENGLISH["first"].fullmatch(text, 0, target.start())
    return "reverts" if told and not is_again(text, target) else "mentions"


def is_again(text: str, target: re.Match[str]) -> bool:
    """Whether what stands near *target* does once more what was reverted."""
    return _ENGLISH["again"].search(text, max(0, target.start() - _AROUND_IT), target.end() + _AROUND_IT) is not None

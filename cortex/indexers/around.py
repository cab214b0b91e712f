"""What stands on both sides of a reference says what it is: 'removes what #12 added', '#12 is superseded by this'."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.meant import is_done
from cortex.substrate.model import Relation

# A negation reaches further than a 'might', up to a clause of its own: 'I don't think it is superseded by #12'.
DOUBTED = re.compile(
    r"(?:n['’]t|\b(?:not(?!\s+only\b)|never|no|cannot|may|might|could|would|should|maybe|partial(?:ly)?|partly|instead\s+of|does\s+this))"
    r"\s+(?:\w+\s+){0,2}$"
    r"|(?:n['’]t|\b(?:not(?!\s+only\b)|never|cannot|unsure|unlikely|doubt(?:s|ed|ful)?"
    r"|probably|possibly|perhaps|presumably|potentially|supposedly|likely|hopefully))\s+"
    r"(?:(?!(?:since|because|after|as|but|and|which|(?<!doubt\s)(?<!think\s)(?<!believe\s)(?<!sure\s)that|so|now)\s)"
    r"[\w'’]+\s+){0,6}$"
    r"|\b(?:if|unless|whether|in[^\S\n]case)[^\S\n]+(?:(?!then\s)[\w'’]+[^\S\n]+){0,6}$",
    re.I,
)
END: Final = r"\s*(?:[.;!)\n]|\Z)"

# What stands around a reference, and the relation it makes where neither side says so alone.
_AROUND: Final[tuple[tuple[Relation, re.Pattern[str], re.Pattern[str]], ...]] = (
    (
        "reverts",
        re.compile(
            r"(?:\A|[.!?;:\n]\s*(?:[-*+•]\s+)?|\b(?:this(?:\s+(?:pr|mr|pull\s+request|change|commit|patch))?|we|i|also)\s+)"
            r"(?P<verb>revert(?:s|ed|ing)?|undo(?:es|ing)?|remov(?:es?|ed|ing)|drop(?:s|ped|ping)?|takes?\s+(?:back|out))"
            r"\s+(?:everything|all|what(?:ever)?)\s+(?:that\s+)?(?:was\s+(?:added|introduced|changed|done)\s+(?:in|by|with)\s+)?$",
            re.I,
        ),
        re.compile(rf"(?:\s+(?:has\s+)?(?:added|introduced|brought|did|changed|made))?{END}", re.I),
    ),
    (
        "reverts",
        re.compile(
            r"\b(?:we|i)\s+(?P<verb>(?P<past>had\s+to\s+(?:pull|take|back|roll)|pulled|took|backed|rolled))\s+(?:pr\s+)?$",
            re.I,
        ),
        re.compile(rf"\s+(?:back\s+out|back|out)(?:{END}|,|\s+(?:again|because|as|since)\b)", re.I),
    ),
    (
        "supersedes",
        re.compile(r"\b(?P<verb>mak(?:es|ing))\s+(?:(?:issue|pr|pull\s+request)\s+)?$", re.I),
        re.compile(
            r"\s+(?:obsolete|superfluous|redundant|moot|unnecessary)(?:\s*[.,;:!)\n]|\Z|\s+(?:as|because|since)\b)",
            re.I,
        ),
    ),
)
_SENTENCE: Final = r"(?:\A|[.!?;:]\s+|\n[^\S\n]*(?:[-*+•]\s+)?)"
_OPENED: Final[tuple[tuple[Relation, re.Pattern[str], re.Pattern[str]], ...]] = (
    (
        "supersedes",
        re.compile(
            rf"(?:{_SENTENCE}|,\s+(?:so|and|hence)\s+|\bwhich\s+means\s+(?:that\s+)?)(?:pr\s+|issue\s+)?$", re.I
        ),
        re.compile(
            r"\s+(?:is|was|gets)\s+(?:now\s+|thereby\s+|thus\s+)?(?:superse[dc]ed|replaced|obsoleted|made\s+obsolete)\s+by\s+this"
            rf"(?:\s+(?:pr|mr|pull\s+request|one|change|commit|patch|branch|issue))?(?:{END}|,|\s+(?:as|because|since)\b)",
            re.I,
        ),
    ),
    (
        "supersedes",
        re.compile(rf"{_SENTENCE}(?:pr\s+)?$", re.I),
        re.compile(
            r"\s+is\s+(?:now\s+|thereby\s+|thus\s+|then\s+)?(?:obsolete|superfluous|redundant|moot)"
            rf"(?:\s+(?:now|then|(?:with|after)\s+this))?(?:{END}|,|\s+(?:as|because|since)\b)",
            re.I,
        ),
    ),
    ("supersedes", re.compile(rf"{_SENTENCE}instead\s+of\s+(?:pr\s+)?$", re.I), re.compile(END)),
    (
        "reverts",
        re.compile(r"(?:\A|\n[^\S\n]*\n[^\S\n]*)(?:pr\s+)?$", re.I),
        re.compile(
            r"\s+(?:is|gets)\s+(?:now\s+|hereby\s+)?(?:reverted|backed\s+out|rolled\s+back|taken\s+back)"
            r"\s+(?:here|(?:by|in|with)\s+this(?:\s+(?:pr|mr|pull\s+request|one|change|commit))?)"
            rf"(?:{END}|,\s+(?!so\b|and\b|but\b|then\b|this\b|we\b)|\s+(?:as|because|due\s+to)\b)",
            re.I,
        ),
    ),
)
_FIRST = re.compile(r"(?:[^\n]{0,300}\n[^\S\n]*\n)?[^\S\n]*(?:pr\s+)?", re.I)
"""What stands before the first words of a text: nothing, or its title."""

_IS_REVERTED = re.compile(
    r"\s+(?:is|gets|got)\s+(?:now\s+|hereby\s+)?(?:reverted|backed\s+out|rolled\s+back|taken\s+back)"
    rf"(?:{END}|,\s+(?!(?:so|and|but|then|this|we|which|hence|therefore|thus|yet|still|while)\b))",
    re.I,
)
_AGAIN = re.compile(
    r"\b(?:again|once\s+more|re-?appl\w+|re-?land\w*|re-?do\w*|re-?introduc\w+|re-?try|second|another\s+(?:try|attempt)"
    r"|attempt|try|tries|(?:bring|brings|brought)\b[^.\n]{0,80}\bback|until|instead)\b",
    re.I,
)
"""Whoever does once more what was reverted tells of it as does who reverts it."""

SUBJECT = re.compile(r"[^\S\n]+(?:(?:also|now|just)\s+)?")

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
    told = _IS_REVERTED.match(text, target.end()) and _FIRST.fullmatch(text, 0, target.start())
    return "reverts" if told and not is_again(text, target) else "mentions"


def is_again(text: str, target: re.Match[str]) -> bool:
    """Whether what stands near *target* does once more what was reverted."""
    return _AGAIN.search(text, max(0, target.start() - _AROUND_IT), target.end() + _AROUND_IT) is not None

"""Whether what is said of a reference is said of all of it: 'reverts #12, minus the docs' takes back a part."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.around import END

_MOSTLY = re.compile(
    r"\b(?:(?:mostly|largely)\s+|(?:half|parts?|most|some|bits?|pieces?)\s+of\s+)(?:\w+\s+){0,2}$", re.I
)
PARTLY: Final = re.compile(r"\b(?:partial(?:ly)?|partly|in\s+part)\s+$", re.I)
"""Right before what says that something is taken back."""

_SCOPE: Final = r"(?:the\s+)?(?:docs?|documentation|tests?|(?:[\w-]*/)*`?[\w-]{2,}(?:\.[a-z]\w{0,4}|/)`?)"
"""What a part is called by in any project: its texts, its tests, a path."""

_ENDS: Final = r"(?=[^\S\n]*+(?:[)\],.;\n]|\Z))"
_ONLY: Final = r"(?:only|just)\b(?!\s+(?:for|to|as|because|since|until|temporar\w+|while)\b)"
_IN_PART = re.compile(
    r"['’]s?\s+\w|[\s,(:]*(?:partial(?:ly)?|partly|in\s+part|mostly|except|apart\s+from|minus|excluding"
    r"|with\s+(?:the\s+)?exception|save\s+for|without\s+(?:the|its)|but\s+(?:not|only)"
    r"|(?:but|and|while|yet)\s+(?:keep|leav|retain|preserv)\w*)\b|[^\S\n]*+,\s*(?:keep|leav|retain|preserv)ing\b"
    rf"|[^\S\n]*+[.;–—-]\s*(?:(?:but\s+)?only\s+)?(?:partial(?:ly)?|partly|in\s+part){END}"
    rf"|[^\S\n]*+(?:[(\[,:–—-]\s*)?(?:{_ONLY}|(?:on|in|for|within|inside)\s+(?:{_SCOPE}\b|(?-i:[A-Z])\w|v?\d|new\b|production\b|staging\b))"
    rf"|[^\S\n]*+(?:[(\[,:/–—-]\s*{_SCOPE}|/\s*[\w.-]+){_ENDS}"
    rf"|[^\S\n]*+(?:[(\[,:–—-]|in\b|on\b|for\b)[^.,;()\[\]\n]{{0,60}}\b(?:only|parts?|half)(?:\s+of\s+(?:it|that|them))?{_ENDS}"
    r"|\s+to\s+\d",
    re.I,
)
_STAYS = re.compile(
    rf"[^\S\n]*+[.;]?\s*+(?:only\s+(?:the\s+)?[\w./-]+"
    r"|(?:the|its?|their)\s+(?!old|previous)(?:[\w-]+\s+){1,2}(?:stays?|remains?|(?:is|are|was|were)\s+(?:kept|left|retained|preserved))"
    r"(?:\s+(?:in|in\s+place|there|as\s+is|untouched|for\s+now))?"
    rf"|(?:(?:we|i|this|it)\s+)?(?:keep|leave|retain|preserve)s?\s+(?:the|its?|their)\s+[\w./-]+){END}",
    re.I,
)
"""What the next sentence says is not taken back: 'Reverts #12. The tests stay.'"""

_ELSEWHERE = re.compile(
    r"(?:^|[.!?\n])\W*(?:back-?port\w*|v?\d+(?:\.\d+)*\.(?:\d+|x|\*)|(?:release|stable|maint\w*)(?:[-/ ][\w.]+)?)"
    r"(?:\s+\w+)?\s*[\]):]\s*(?:this\s+)?$",
    re.I,
)
"""What says before it that an older branch is meant: '[1.x] Reverts #12'."""

_TRIED = re.compile(
    r"\s+and\s+(?:it|this|that|everything|all|now|the\s+(?:\w+\s+){1,2}(?:is|was|are|went|work\w*|pass\w*))\b"
)
"""What came of taking it back to try: 'I reverted #12 and it works again'."""

_REVERTS_PART = re.compile(
    r"(?<!\bnot\sa\s)\b(?:partial|\w+-only)\s+(?:revert|roll-?back|back-?out)\b(?!\s+of\s+(?:pr\s+)?#)",
    re.I,
)
"""What says before it that only a part is taken back: 'Docs-only revert. Reverts #12.'"""

_STANDS = re.compile(
    rf"{END}|\s*[\],:([{{–—+&/|*_~\"'“”\u2600-\u27bf\U0001f000-\U0001faff-]|\s+(?:because|as|since|due|which|that|who|where|until|while|and|or|so|but|to|with"
    r"|of|after|before|by(?!\s+\w+ing\b(?!\s+(?:it|them|all|everything)\b))|in|on|at|for|under|again|altogether|too|also|instead|here|now"
    r"|then|merged|modulo|is|was|has|had|does|did|it|this|if|when|unless|once|(?!local)\w+ly)\b|\s+from\s+(?:@|[\w.-]+/|(?:the\s+)?[\w.-]+\s+(?:branch|fork)\b)",
    re.I,
)
"""What may follow a whole that is reverted or replaced: 'reverts #12 behaviour' does not take #12 back."""

_WHOLE = re.compile(rf"{END}|[,:]|\s+(?:because|as|since|due|which|that|until|while|and)\b", re.I)

_SOME = re.compile(r"\b(?:half|soft|semi)\s+(?:revert|roll-?back|back-?out)\s+of$", re.I)


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

"""Whether what is said of a reference is said of all of it: 'reverts #12, minus the docs' takes back a part."""

from __future__ import annotations

import re

from cortex.indexers.around import END

_MOSTLY = re.compile(
    r"\b(?:(?:mostly|largely)\s+|(?:half|parts?|most|some|bits?|pieces?)\s+of\s+)(?:\w+\s+){0,2}$", re.I
)
_IN_PART = re.compile(
    r"['’]s?\s+\w|[\s,(:]*(?:partial(?:ly)?|partly|in\s+part|mostly|except|apart\s+from|minus|excluding|with\s+(?:the\s+)?exception|save\s+for|but\s+(?:not|only)"
    r"|(?:but|and|while|yet)\s+(?:keep|leav|retain|preserv)\w*)\b"
    rf"|[^\S\n]*+[.;–—-]\s*(?:(?:but\s+)?only\s+)?(?:partial(?:ly)?|partly|in\s+part){END}"
    r"|[^\S\n]*+(?:[(\[][^)\]\n]{0,80}\b(?:only|parts?|just)\b"
    r"|[,:–—-][^.,;\n]{0,40}\b(?:only|parts?|half)(?:\s+of\s+(?:it|that|them))?(?=[^\S\n]*+(?:[.;\n]|\Z)))"
    r"|[^\S\n]*+[(\[]the\s+(?![^)\]\n]{0,80}\b(?:one|whole|entire|full|original|first|last|latest|previous|same|other|prs?|pull"
    r"|commits?|changes?|merge|patch|fix|feature)\b)[\w.`-]+(?:\s+[\w.`-]+){0,2}[)\]]"
    r"|[^\S\n]*+[(\[:,]\s*(?:[\w-]*/)*`?[\w-]{2,}(?:\.[a-z]\w{0,4}|/)`?(?=\s*(?:[)\],.;\n]|\Z))"
    r"|[^\S\n]*+[(\[](?!(?:see|as|because|since|due|for|by|from|too|again|and|was|is|it|broke|breaks|caus\w+|merged|sorry"
    r"|\w+(?:ly|ed|ing|ky|gy|cy|ow|en))\b)(?-i:[a-z])\w*(?:\s+\w+)?[)\]]"
    r"|[^\S\n]*+/[^\S\n]++\w"
    r"|\s+to\s+\d"
    r"|[^\S\n]*+(?:[,:–—-][^\S\n]*+)?(?:only|just|(?:on|in|for|at|under|within|inside|without)\s+"
    r"(?!(?:full|its?|their|whole|total|light|favou?r|order|view|response|preparation|now|good|this|the\s+(?:time|moment)"
    r"|\w+ing\b|(?:\w+\s+)?pressure|(?:the\s+)?(?:request|behalf|advice)|(?:\w+\s+){0,2}reasons?\b)))",
    re.I,
)
_STAYS = re.compile(
    r"[^\S\n]*+[.;]?\s*+(?:only\s+\w|(?![^.\n]{0,80}\b(?:old|previous|before|until|revert\w*|open|eye|mind|out|issue"
    r"|undone|green|bugs?|problems?|questions?)\b)"
    r"(?:(?:the|its?|their|this|that|we|i)\s+)?(?:[\w-]+\s+){0,3}(?:stay|remain|keep|retain|preserv|surviv)(?:s|ed|ing|e[sd]?)?\b(?!\s+\w+ing\b)"
    r"|(?:the\s+)?(?:[\w-]+\s+){1,3}(?:is|are|was|were)\s+(?:kept|left|retained|preserved)\b)",
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
    """Whether it is told that something stays of what is taken back, that a branch is meant, or that it was but tried.

    Args:
        verb: where in *before* it is said to be taken back.
    """
    at, until = verb
    part = _REVERTS_PART.search(before, 0, at) or _SOME.search(before, 0, until) or _ELSEWHERE.search(before, 0, at)
    tried = before[at:until].lower().endswith("ed") and _TRIED.match(text, target.end())
    return bool(part or tried or _STAYS.match(text, target.end()))


def stands_whole(text: str, end: int, *, needs_end: bool) -> bool:
    """Whether what follows a reference that ends at *end* leaves it whole.

    Args:
        needs_end: whether a clause has to end there.
    """
    return (_WHOLE if needs_end else _STANDS).match(text, end) is not None

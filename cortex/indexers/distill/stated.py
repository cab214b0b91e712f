"""What says of itself that it decides, explains, warns or assigns: kept wherever somebody states it."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.unit import Unit

STATED: Final = 0.76
"""How sure the rules are of it at least; too few such sentences were judged to fit it."""

_CUE: Final = re.compile(
    r"\b(?:root cause (?:of [^.;?]{3,80} )?(?:is|was|turned out to be)\b(?! (?:unknown|unclear|not|still|that\?))"
    r"|(?:was|were|is|are) caused by (?:a|an|the)\b"
    r"|we(?:'ve| have)? decided (?:to|not|that|on|against)\b"
    r"|we(?:'ll|'re going to| are going to| will)? go with \w"
    r"|i(?:'ve| have)? measured\b"
    r"|will be (?:handled|fixed|addressed|done|taken care of) (?:by (?:@\w|the\b|a\b)|in (?:pr |pull request )?#\d))"
    r"|^\W*(?:(?:this|it|that|the \w+|still|currently|is|was|remains) ){0,3}blocked (?:on|by) (?:@?\w|#\d)"
    r"|^\W*(?:decision|conclusion|root cause|outcome|resolution): ?\w"
    r"|^\W*(?:be careful|careful|beware|caution|warning|watch out)[:,!] \S+ \S"
    r"|^\W*(?:beware|be careful) (?:that|of|not to|when|with)\b"
    r"|^\W*(?:decision|conclusion) (?:at|in|from|of|on|by) [^.:?]{2,60}(?:: ?\w| (?:was|is) (?:to|that|not)\b)"
    r"|^\W*(?:re)?assigned to @?\w"
    r"|^\W*(?:reverted|nack|rejected)\b[^.?]{0,30}\b(?:because|since|due to)\b"
)
_NOT_STATED: Final = re.compile(
    r"\b(?:if|whether|unless|until|suppos\w+|would|could|should|might|may|maybe|perhaps|probably|possibly|likely|guess"
    r"|wonder|think|unsure|not sure|why|how|what|who|no|not|n't|imagine|assum\w+|hope|say|says|said|asked)\b|\?|n't\b"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def is_stated(unit: Unit) -> bool:
    """Whether a sentence of *unit* states such a thing: not asked, denied or supposed, and not what others said."""
    return any(_states(sentence) for sentence in _SENTENCE.split(unit.text.lower()))


def _states(sentence: str) -> bool:
    cue = _CUE.search(sentence)
    return cue is not None and not sentence.endswith("?") and not _NOT_STATED.search(sentence, 0, cue.end())

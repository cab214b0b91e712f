"""What says of itself that it decides, explains, warns or assigns: kept wherever somebody states it."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.denied import is_stated_in
from cortex.indexers.distill.unit import Unit

STATED: Final = 0.76
"""How sure the rules are of it at least; too few such sentences were judged to fit it."""

_DECIDES: Final = (
    r"\bwe(?:'ve| have)? decided (?:to|not|that|on|against)\b|\bwe did decide\b|\bwe(?:'ve| have)? decided: ?\w"
    r"|^\W*(?:i(?:'m| am| have|'ve)? )?(?:concept |approach )?(?:reverted|reverting|nack|rejected|rejecting|closing"
    r"|closed)\b[^.?]{0,40}"
    r"\b(?:because|since|due to)\b"
)
_DECISION: Final = re.compile(_DECIDES)
_CUE: Final = re.compile(
    _DECIDES
    + r"|\b(?:root cause (?:of [^.;?]{3,80} )?(?:is|was|turned out to be)\b(?! (?:unknown|unclear|not|still|that\?))"
    r"|(?:(?:is|am|are|was|were|remains|still|currently)|(?:we|they|i|it|that|this)'(?:re|m|s)) (?:still |currently )?"
    r"blocked (?:on|by) (?:@?\w|#\d)"
    r"|(?:was|were|is|are) caused by (?:a|an|the)\b"
    r"|we(?:'ll|'re going to| are going to| will)? go with \w"
    r"|i(?:'ve| have)? measured\b"
    r"|will be (?:handled|fixed|addressed|done|taken care of) (?:by (?!https?:)\w|(?:by|in) (?:pr "
    r"|pull request )?[@#]\w))"
    r"|^\W*(?:still |currently )?blocked (?:on|by) (?:@?\w|#\d)"
    r"|^\W*(?:decision|conclusion|root cause|outcome|resolution): ?\w"
    r"|^\W*(?:be careful|careful|beware|caution|warning|watch out)[:,!] \S+ \S"
    r"|^\W*(?:beware|be careful) (?:that|of|not to|when|with)\b"
    r"|^\W*(?:decision|conclusion) (?:at|in|from|of|on|by) [^.:?]{2,60}(?:: ?\w| (?:was|is) (?:to|that|not)\b)"
    r"|^\W*(?:re)?assigned to @?\w"
)
_NOT_STATED: Final = re.compile(
    r"\b(?:if|whether|unless|until|suppos\w+|would|could|should|might|may|maybe|perhaps|probably|possibly|likely|guess"
    r"|wonder|think|unsure|not sure|why|how|what|who|no|not|n't|imagine|assum\w+|hope|say|says|said|asked)\b|\?|n't\b"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def is_stated(unit: Unit, after: str = "") -> bool:
    """Whether a sentence of *unit* states such a thing: not asked, denied or supposed, and not what others said.

    Args:
        after: what follows it in its comment, and may take it back.
    """
    return _is_stated(_CUE, unit, after)


def is_decided_outright(unit: Unit) -> bool:
    """Whether a sentence of *unit* says that its author, or all together, decided."""
    return _is_stated(_DECISION, unit)


def _is_stated(form: re.Pattern[str], unit: Unit, after: str = "") -> bool:
    said = unit.text.lower()
    return is_stated_in(form, said, after) and any(_states(form, sentence) for sentence in _SENTENCE.split(said))


def _states(form: re.Pattern[str], sentence: str) -> bool:
    cue = form.search(sentence)
    return cue is not None and not sentence.endswith("?") and not _NOT_STATED.search(sentence, 0, cue.start())

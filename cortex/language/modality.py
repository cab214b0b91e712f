"""How a sentence means what it says: stated as true, asked, proposed, negated, a rule and more."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from cortex.language.patterns import read_table
from cortex.regex import regex


class Modality(StrEnum):
    """One way a sentence may be meant; several hold of one sentence."""

    ASSERTED = "asserted"
    ASKED = "asked"
    PROPOSED = "proposed"
    CONDITIONAL = "conditional"
    NEGATED = "negated"
    HEDGED = "hedged"
    REPORTED = "reported"
    RULE = "rule"


_UNSURE: Final = frozenset(Modality) - {Modality.ASSERTED, Modality.RULE}
_ASKS: Final = regex(r"\?[\"'”’)\]*_`]*\s*$")
_INVERTED: Final = regex(
    r"\W*(?:(?:and|but|so|or|also)\s+)?(?:(?:am|are|is|was|were|do|does|did|has|have|had|will|would|can|could|shall|should|may|might)"
    r"(?:n['’]t)?\s+(?:i|we|you|he|she|it|they|this|that|there|the|an?y?)|who|what|when|where|why|how|which)\b",
    re.I,
)
_TO_DO: Final = regex(r"\s*(?:[-*+]\s+)?\[ \]\s|\W*to-?do\b", re.I)
_CLAUSE: Final = regex(
    r"[;:()—–]\s|,\s+(?=(?:and|but|so|we|it|this|which|because|since|as)\b)|\s-+\s|\s(?:and|but|because|since|so|although"
    r"|though|while|whereas|which)\s(?!(?:if|when|not)\b)",
    re.I,
)


def _phrase(cue: str) -> str:
    pattern = re.escape(cue).replace(r"\*", r"\w*").replace("_", r"\s+")
    return pattern if cue.startswith("*") else rf"(?<![\w'’-]){pattern}"


def _cues(words: str) -> re.Pattern[str]:
    cues = words.split()
    beside = {cue.strip("*").partition("_")[0] for cue in cues}
    return regex(rf"(?:{'|'.join(map(_phrase, cues))})(?![\w'’])", re.I, beside=beside)


_CUES: Final = {Modality(name): _cues(words) for name, words in read_table("modality").items()}


def modalities(sentence: str, at: int | None = None) -> frozenset[Modality]:
    """How *sentence* means what it says; `ASSERTED` where nothing makes it less, `RULE` beside anything.

    Args:
        at: only what bears on the character there counts: the cues before it in its clause, and a question mark.

    >>> sorted(map(str, modalities("Should we drop Python 3.8?")))
    ['asked', 'proposed', 'rule']
    >>> sorted(map(str, modalities("We dropped the cache because it would leak.", at=3)))
    ['asserted']
    """
    seen = sentence if at is None else _before(sentence, at)
    found = {one for one, cues in _CUES.items() if cues.search(seen)}
    if _ASKS.search(sentence) or (at is None and _INVERTED.match(sentence) and "?" in sentence):
        found.add(Modality.ASKED)
    if _TO_DO.match(sentence):
        found.add(Modality.PROPOSED)
    return frozenset(found if found & _UNSURE else found | {Modality.ASSERTED})


def is_asserted(sentence: str, at: int | None = None) -> bool:
    """Whether *sentence* states, as true, what stands there."""
    return Modality.ASSERTED in modalities(sentence, at)


def _before(sentence: str, at: int) -> str:
    """What stands before *at* in its clause; a condition that opens the sentence bears on all of it."""
    start = max((border.end() for border in _CLAUSE.finditer(sentence, 0, at)), default=0)
    opens = _CUES[Modality.CONDITIONAL].match(sentence.lstrip("*_ "))
    return (opens[0] + " " if opens and start else "") + sentence[start:at]

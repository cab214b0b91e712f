"""What binds, in few words: "Every job must have an owner.", and items of a list that says what is required."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import PATTERNS
from cortex.indexers.distill.unit import SHORT, WORD, Unit

FEWEST_WORDS: Final = 3
TERSE: Final = 0.5
"""What a complete rule of few words adds to the log odds of a fact: too few were judged to fit it."""

_BINDS: Final = re.compile(
    r"\b(?:must|shall|mandatory|always|never|do(?: not|n't) (?!worry|forget|hesitate|mind)|needs?|requires?"
    r"|(?:is|are) required|ha(?:s|ve) to|may only|forbidden|prohibited|not (?:allowed|permitted)|at (?:least|most)"
    r"|no (?:more|less|fewer|later) than|up to|(?:limited|defaults?|set) to [^.]*\d)\b"
)
_INTRODUCES: Final = re.compile(
    r"\b(?:must|shall|needs?|requires?|required|mandatory|ha(?:s|ve) to|never|always)\b[^.;]*$"
)
_SENTENCE: Final = re.compile(r"[^\W_a-z].*[.!)`*_]", re.DOTALL)
_UNFINISHED: Final = (
    *(PATTERNS[name] for name in ("that", "goes on", "supposes", "hedges", "i")),
    re.compile(r"\b(?:it|this|that|them|so)\W*$"),
)


def requires_each(lead: str) -> bool:
    """Whether a sentence that introduces a list requires what stands in it."""
    said = lead.lower()
    return _INTRODUCES.search(said) is not None and not PATTERNS["that"].search(said)


def whole(unit: Unit) -> Unit:
    """*unit* as the sentence that it makes with the words that introduce it, where these require it; else as it is."""
    if unit.shape == "item" and requires_each(unit.context):
        return unit._replace(text=f"{unit.context}: {unit.text.rstrip('.')}.")
    return unit


def binds(unit: Unit) -> bool:
    """Whether *unit* says what must be, however that is said."""
    return _BINDS.search(unit.text.lower()) is not None


def is_terse(unit: Unit) -> bool:
    """Whether *unit* is a complete rule, bound or quantity of three to eight words."""
    said = unit.text.lower()
    return (
        FEWEST_WORDS <= len(WORD.findall(said)) < SHORT
        and (unit.shape == "item" or _SENTENCE.fullmatch(unit.text.lstrip("\"'`*_")) is not None)
        and (binds(unit) or PATTERNS["quantity"].search(said) is not None)
        and not any(cue.search(said) for cue in _UNFINISHED)
    )

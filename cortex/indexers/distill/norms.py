"""What binds, in few words: "Every job must have an owner.", and items of a list that says what is required."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import PATTERNS
from cortex.indexers.distill.unit import SHORT, WORD, Unit
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "norms")

FEWEST_WORDS: Final = 3
_LEFT_OFF: Final = 3  # words that are not counted, at most
TERSE: Final = 0.5  # what a complete rule of few words adds to the log odds of a fact: too few were judged to fit it
_TOKEN: Final = re.compile(r"\w[\w.-]*")
_SENTENCE: Final = re.compile(r"[^\W_a-z].*[.!)`*_]", re.DOTALL)
_UNFINISHED: Final = (
    *(PATTERNS[name] for name in ("that", "goes on", "supposes", "scenario", "hedges", "i")),
    _ENGLISH["points_back"],
)


def requires_each(lead: str) -> bool:
    """Whether a sentence that introduces a list requires what stands in it."""
    said = lead.lower()
    return _ENGLISH["introduces"].search(said) is not None and not PATTERNS["that"].search(said)


def whole(unit: Unit) -> Unit:
    """*unit* as the sentence that it makes with the words that introduce it, where these require it; else as it is."""
    if unit.shape == "item" and requires_each(unit.context):
        return unit._replace(text=f"{unit.context}: {unit.text.rstrip('.')}.")
    return unit


def binds(unit: Unit) -> bool:
    """Whether *unit* says what must be, however that is said."""
    return _ENGLISH["binds"].search(unit.text.lower()) is not None


def is_terse(unit: Unit) -> bool:
    """Whether *unit* is a complete rule, bound or quantity of three to eight words."""
    if len(WORD.findall(unit.text)) > SHORT + _LEFT_OFF:
        return False
    said = _ENGLISH["nobody"].sub("", _ENGLISH["itself"].sub("the document ", unit.text.lower()))
    replaced = _ENGLISH["replaces"].search(said) is not None
    words = len((_TOKEN if replaced else WORD).findall(said))
    return (
        (replaced or binds(unit) or counts(unit))
        and FEWEST_WORDS <= words < SHORT
        and (
            unit.shape == "item"
            or _SENTENCE.fullmatch(unit.text.lstrip("\"'`*_")) is not None
            or (replaced and said.endswith("."))
        )
        and not any(cue.search(said) for cue in _UNFINISHED)
    )


def counts(unit: Unit) -> bool:
    """Whether *unit* tells a number: of a unit, a bound, a default, a share."""
    said = unit.text.lower()
    return PATTERNS["quantity"].search(said) is not None or _ENGLISH["counts"].search(said) is not None

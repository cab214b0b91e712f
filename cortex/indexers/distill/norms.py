"""What binds, in few words: "Every job must have an owner.", and items of a list that says what is required."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import NORMS, holds
from cortex.indexers.distill.unit import SHORT, WORD, Unit, count_words

FEWEST_WORDS: Final = 3
_LEFT_OFF: Final = 3  # words that are not counted, at most
TERSE: Final = 0.5  # what a complete rule of few words adds to the log odds of a fact: too few were judged to fit it
_TOKEN: Final = re.compile(r"\w[\w.-]*")
_SENTENCE: Final = re.compile(r"[^\W_a-z].*[.!)`*_]", re.DOTALL)
_UNFINISHED: Final = ("that", "goes on", "supposes", "scenario", "hedges", "i", "points_back")


def requires_each(lead: str) -> bool:
    """Whether a sentence that introduces a list requires what stands in it."""
    said = lead.lower()
    return holds(said, "introduces") and not holds(said, "that")


def whole(unit: Unit) -> Unit:
    """*unit* as the sentence that it makes with the words that introduce it, where these require it; else as it is."""
    if unit.shape == "item" and requires_each(unit.context):
        return unit._replace(text=f"{unit.context}: {unit.text.rstrip('.')}.")
    return unit


def binds(unit: Unit) -> bool:
    """Whether *unit* says what must be, however that is said."""
    return holds(unit.text.lower(), "binds")


def is_terse(unit: Unit) -> bool:
    """Whether *unit* is a complete rule, bound or quantity of three to eight words."""
    if count_words(unit.text) > SHORT + _LEFT_OFF:
        return False
    said = unit.text.lower()
    if holds(said, "itself"):
        said = NORMS["itself"].sub("the document ", said)
    if holds(said, "nobody"):
        said = NORMS["nobody"].sub("", said)
    replaced = holds(said, "replaces")
    words = len((_TOKEN if replaced else WORD).findall(said))
    return (
        (replaced or binds(unit) or counts(unit))
        and FEWEST_WORDS <= words < SHORT
        and (
            unit.shape == "item"
            or _SENTENCE.fullmatch(unit.text.lstrip("\"'`*_")) is not None
            or (replaced and said.endswith("."))
        )
        and not any(holds(said, cue) for cue in _UNFINISHED)
    )


def counts(unit: Unit) -> bool:
    """Whether *unit* tells a number: of a unit, a bound, a default, a share."""
    said = unit.text.lower()
    return holds(said, "quantity") or holds(said, "counts")

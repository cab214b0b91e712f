"""Cues: what a sentence holds that speaks for keeping it as a fact, or against it.

Norms among them, what binds in few words: "Every job must have an owner.", and items of a list that says what is
required.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from cortex.indexers.distill.tells import CUES
from cortex.indexers.distill.unit import SHORT, WORD, Unit, count_words
from cortex.language.needs import Patterns
from cortex.language.patterns import patterns, read_table
from cortex.regex import regex
from cortex.substrate.model import Kind

_CUES: Final[list[dict[str, Any]]] = [*read_table("cues")["cue"], *CUES]
PATTERNS: Final[dict[str, re.Pattern[str]]] = {cue["name"]: regex(cue["pattern"]) for cue in _CUES}
KINDS: Final[dict[str, Kind]] = {cue["name"]: cue["kind"] for cue in _CUES if "kind" in cue}
NORMS: Final = patterns("distill", "norms")
_POINTS: Final = patterns("distill", "prose")["points"]
FEWEST_WORDS: Final = 3
_LEFT_OFF: Final = 3  # words that are not counted, at most
TERSE: Final = 0.5  # what a complete rule of few words adds to the log odds of a fact: too few were judged to fit it
_TOKEN: Final = re.compile(r"\w[\w.-]*")
_SENTENCE: Final = re.compile(r"[^\W_a-z].*[.!)`*_]", re.DOTALL)
_UNFINISHED: Final = ("that", "goes on", "supposes", "scenario", "hedges", "i", "points_back")
_NAMES: Final = frozenset(PATTERNS)


def cues_in(sentence: str, among: frozenset[str] = _NAMES) -> frozenset[str]:
    """The names of the cues *sentence* holds; *among* these, where others do not matter."""
    return frozenset(_patterns().found(sentence.lower(), _mask(among)))


def holds_any(sentence: str, among: frozenset[str]) -> bool:
    """Whether *sentence*, however it is written, holds one of the cues or norms *among* all."""
    return next(_patterns().found(sentence.lower(), _mask(among)), "") != ""


def holds(sentence: str, name: str) -> bool:
    """Whether *sentence*, in lower case, holds the cue of that *name*, or the pattern of a norm."""
    if not _patterns.cache_info().currsize:  # a question looks for two: what all of them need takes 0.1 s to read
        return (PATTERNS.get(name) or NORMS[name]).search(sentence) is not None
    return _patterns().holds(sentence, name)


@cache
def _patterns() -> Patterns:
    return Patterns({**PATTERNS, **NORMS})


@cache
def _mask(names: frozenset[str]) -> int:
    return _patterns().mask(names)


def whole(unit: Unit) -> Unit:
    """*unit* as the sentence that it makes with the words that introduce it, where these require it; else as it is."""
    lead = unit.context.lower()
    if unit.shape == "item" and holds(lead, "introduces") and not holds(lead, "that"):
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


def leans(text: str) -> bool:
    """Whether a sentence cannot be read without the one before it."""
    said = text.lower()
    return holds(said, "that") or holds(said, "goes on") or _POINTS.match(said) is not None

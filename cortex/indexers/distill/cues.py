"""Cues: what a sentence holds that speaks for keeping it as a fact, or against it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from cortex.indexers.distill import deciding
from cortex.language.needs import Patterns
from cortex.language.patterns import patterns, read_table
from cortex.regex import regex
from cortex.substrate.model import Kind

_CUES: Final[list[dict[str, Any]]] = [*read_table("cues")["cue"], *deciding.CUES]
PATTERNS: Final[dict[str, re.Pattern[str]]] = {cue["name"]: regex(cue["pattern"]) for cue in _CUES}
KINDS: Final[dict[str, Kind]] = {cue["name"]: cue["kind"] for cue in _CUES if "kind" in cue}
NORMS: Final = patterns("distill", "norms")
PRIORS: Final[dict[str, float]] = {cue["name"]: cue.get("prior", 0.0) for cue in _CUES}
"""What a cue weighs before anything is judged; bench/distilling.py fits from there."""


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


def may_hold(sentence: str, name: str) -> bool:
    """Whether a word of *sentence*, in lower case, can be part of what `holds` looks for."""
    return _patterns().may_hold(sentence, name)


@cache
def _patterns() -> Patterns:
    return Patterns({**PATTERNS, **NORMS})


@cache
def _mask(names: frozenset[str]) -> int:
    return _patterns().mask(names)

"""Cues: what a sentence holds that speaks for keeping it as a fact, or against it."""

from __future__ import annotations

import re
from typing import Any, Final

from cortex.indexers.distill import deciding
from cortex.language.patterns import read_table
from cortex.substrate.model import Kind

_CUES: Final[list[dict[str, Any]]] = [*read_table("cues")["cue"], *deciding.CUES]
PATTERNS: Final[dict[str, re.Pattern[str]]] = {cue["name"]: re.compile(cue["pattern"]) for cue in _CUES}
KINDS: Final[dict[str, Kind]] = {cue["name"]: cue["kind"] for cue in _CUES if "kind" in cue}
PRIORS: Final[dict[str, float]] = {cue["name"]: cue.get("prior", 0.0) for cue in _CUES}
"""What a cue weighs before anything is judged; bench/distilling.py fits from there."""


def cues_in(sentence: str) -> frozenset[str]:
    """The names of the cues *sentence* holds."""
    said = sentence.lower()
    return frozenset(name for name, pattern in PATTERNS.items() if pattern.search(said))

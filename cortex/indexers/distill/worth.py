"""What a sentence says for itself, by its cues: what the composer quotes by."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any, Final

CUES: Final[list[dict[str, Any]]] = tomllib.loads((files("cortex.indexers.distill") / "worth.toml").read_text("utf-8"))[
    "cue"
]
PATTERNS: Final[dict[str, re.Pattern[str]]] = {cue["name"]: re.compile(cue["pattern"]) for cue in CUES}

_WORTH: Final[tuple[tuple[float, re.Pattern[str]], ...]] = tuple((cue["worth"], PATTERNS[cue["name"]]) for cue in CUES)
_DECIDES: Final = tuple(PATTERNS[name] for name in ("we decided", "group decided", "settles", "settles for"))
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_TYPES: Final = {"doc": 0.30, "comment": 0.10, "event": 0.05}


def worth(sentence: str, type_: str) -> float:
    """How much *sentence* says for itself in a record of this type, 0 to 0.9."""
    words = len(_WORD.findall(sentence))
    if not 5 <= words <= 70:
        return 0.0
    said = sentence.lower()  # once, which is far cheaper than twenty patterns that match in any case
    return min(0.9, _TYPES.get(type_, 0.0) + sum(weight for weight, cue in _WORTH if cue.search(said)))


def decides(text: str) -> bool:
    """Whether somebody in *text* says what was decided."""
    said = text.lower()
    return any(cue.search(said) for cue in _DECIDES)

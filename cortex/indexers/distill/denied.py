"""Decisions, incidents and measurements that nobody states: denied, doubted, supposed, or only told of by others."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import KINDS, PATTERNS
from cortex.language.patterns import patterns
from cortex.language.sentences import split_line

_ENGLISH: Final = patterns("distill", "denied")

_STATING: Final = {
    *(name for name, kind in KINDS.items() if kind in ("decision", "incident")),
    *("closes", "we decided", "group decided", "settles", "settles for", "cause", "tried"),
}
"""Cues of what happened or was decided, which do not speak for a sentence that denies it."""

_NOT: Final = (
    r"(?:not|never|no|nobody|no one|none|nothing|neither|nor|hardly|barely|without|cannot"
    r"|(?:is|are|was|were|do|does|did|has|have|had|wo|ca|would|could|should)n't)"
)
_NEGATED: Final = re.compile(rf"\b{_NOT}\b")
_TAKEN_BACK: Final = _ENGLISH["taken_back"]
_TO_DO: Final = "☐"
_AHEAD: Final = 100
"""Characters after a text that may take it back."""


def denied_cues(said: str, found: frozenset[str], after: str = "") -> frozenset[str]:
    """Those of the cues *found* in *said* that speak of what nobody states; none where *said* states one of them.

    Args:
        after: what follows *said* in its comment.
    """
    told = found & _STATING if "root cause" in said else found & _STATING - {"cause"}
    if not told or any(is_stated_in(PATTERNS[name], said, after) for name in told):
        return frozenset()
    return told | {"measures"} if "tried" in told else told


def is_stated_in(cue: re.Pattern[str], said: str, after: str = "") -> bool:
    """Whether a sentence of *said*, in lower case, holds *cue* and means it."""
    sentences = split_line(said)
    return any(
        not _is_denied(f"{sentence} {following}", match.start(), match.end())
        for sentence, following in zip(sentences, [*sentences[1:], _following(after)], strict=True)
        for match in cue.finditer(sentence)
    )


def _following(after: str) -> str:
    """What may take back what stands before it: the next sentence, and what its author added later."""
    added = _ENGLISH["later"].search(after)
    later = after[added.end() : added.end() + _AHEAD] if added else ""
    return f"{split_line(after[:_AHEAD].strip().lower())[0]} {later.lower()}"


def _word_end(said: str, start: int, end: int) -> int:
    """Where the first word of a cue ends: what follows it may be taken back before the cue is through."""
    found = said.find(" ", start, end)
    return found if found > 0 else end


def _is_denied(said: str, start: int, end: int) -> bool:
    """Whether `said[start:end]`, which says that something happened or was decided, is not what *said* means."""
    before = _ENGLISH["clause"].split(said[:start])[-1]
    lacks = not said.startswith(("consensus", "agreement"), start) and _NEGATED.search(
        before
    )  # that there is none is an outcome
    return bool(
        lacks
        or said.startswith(_TO_DO)
        or _ENGLISH["supposed"].search(before)
        or _ENGLISH["before"].search(said[:start])
        or _ENGLISH["hardly_done"].search(said, start, end)
        or _ENGLISH["undone"].match(said, said.rfind(" ", start, end) + 1)
        or _TAKEN_BACK.search(said[end:])
        or _TAKEN_BACK.search(said[_word_end(said, start, end) :])
    )

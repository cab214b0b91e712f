"""Decisions, incidents and measurements that nobody states: denied, doubted, supposed, or only told of by others."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import KINDS, PATTERNS
from cortex.language.modality import Modality, modalities
from cortex.language.patterns import patterns
from cortex.language.sentences import split_line
from cortex.substrate.voice import TO_DO

_ENGLISH: Final = patterns("distill", "denied")

_STATING: Final = {
    *(name for name, kind in KINDS.items() if kind in ("decision", "incident")),
    *("closes", "settled by", "we decided", "group decided", "settles", "settles for", "cause", "tried"),
}
"""Cues of what happened or was decided, which do not speak for a sentence that denies it."""

_DENIES: Final = {Modality.NEGATED, Modality.CONDITIONAL}
_AHEAD: Final = 100  # characters after a text that may take it back


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
    """Whether a sentence of *said*, in lower case, holds *cue* and means it, and no next one takes it back."""
    sentences = split_line(said)
    return any(
        not _is_denied(f"{sentence} {following}", sentence, match.start(), match.end())
        for sentence, following in zip(sentences, [*sentences[1:], after[:_AHEAD].lower()], strict=True)
        for match in cue.finditer(sentence)
    )


def _is_denied(said: str, sentence: str, start: int, end: int) -> bool:
    outcome = said.startswith(("consensus", "agreement"), start)  # that there is none is one
    word_end = max(said.find(" ", start, end), start) if " " in said[start:end] else end
    return bool(
        (not outcome and modalities(sentence, start) & _DENIES)
        or said.startswith(TO_DO)
        or any(_ENGLISH[name].search(said[:start]) for name in ("supposed", "before"))
        or _ENGLISH["undone"].match(said, said.rfind(" ", start, end) + 1)
        or _ENGLISH["taken_back"].search(said[word_end:])
    )

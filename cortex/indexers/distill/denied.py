"""Decisions, incidents and measurements that nobody states: denied, doubted, supposed, or only told of by others."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import KINDS, PATTERNS

_STATING: Final = {
    *(name for name, kind in KINDS.items() if kind in ("decision", "incident")),
    *("closes", "we decided", "group decided", "settles", "settles for", "cause", "tried"),
}
"""Cues of what happened or was decided, which do not speak for a sentence that denies it."""

_NOT: Final = (
    r"(?:not|never|no|nobody|no one|none|nothing|neither|nor|hardly|barely|without|cannot"
    r"|(?:is|are|was|were|do|does|did|has|have|had|wo|ca|would|could|should)n't)"
)
_DONE: Final = (
    r"(?:decided?|agreed?|chose|concluded?|settled?|opted|measured?|benchmarked|timed|profiled|tested|verified|ran"
    r"|confirmed|bisected"
    r"|reproduced)"
)
_CLAUSE: Final = re.compile(
    r"[,;:()—–]\s|\s-+\s|\b(?:and|but|because|since|so|although|though|while|whereas|as|which|after"
    r"|before)\b(?! (?:if|though)\b)"
)
_NEGATED: Final = re.compile(rf"\b{_NOT}\b")
_SUPPOSED: Final = re.compile(
    r"\b(?:if|whether|unless|until|in case|suppos\w+|assum\w+|imagin\w+|pretend\w*|let's say|what if|as though"
    r"|would|allegedly"
    r"|(?:had|should|were|once) (?:we|i|you|they|it|the|this)"
    r"|doubt\w*|unsure|unclear|unlikely|wonder\w*|thought|believed|hop(?:e|ed|ing)|wish\w*|(?:sounds|looks|seems"
    r"|feels) (?:like|as)"
    r"|false|falsely|wrongly|untrue|myth|an? (?:lie|hoax|joke)|rumou?rs?|withdr[ae]w\w*|retract\w*|revok\w*"
    r"|take back|took back|(?:is|was|be) (?:wrong|untrue|incorrect|false|not (?:true|right|correct|the case)) that"
    r"|(?<!\bi )(?<!\bwe )(?:say|says|said|claim|claims|claimed|told|heard|according to|alleg\w+|reportedly))\b"
    r"|\b(?:had|should|were|once|who(?:ever)?)\W*$"
)
_HARDLY_DONE: Final = re.compile(rf"\b(?:{_NOT}|almost|nearly) {_DONE}$")
_UNDONE: Final = re.compile(
    rf"(?:{_DONE}|is|was|cause)\W+(?:(?:is|was|has|been|still) )*(?:never|nothing|unknown|unclear|unidentified"
    r"|undetermined|otherwise|not (?:yet|found|known|clear|identified|understood|established|determined)"
    r"|(?:(?:this|that|it|them|these) )?(?:wrongly|incorrectly|badly|falsely))\b"
)
_FALSE: Final = (
    r"(?:false|wrong|not true|untrue|incorrect|not the case|a myth|nonsense|a joke)(?=\W*$|[.,;:!)]| because| but)"
)
_TAKEN_BACK: Final = re.compile(
    rf"\b(?:which|that|this|it)(?:'s| is| was| turned out(?: to be)?) (?:\w+ )?{_FALSE}"
    r"|\b(?:which|that|this|it) (?:isn't|wasn't) (?:true|right|correct|the case)\b"
    r"|\bignore (?:my|the|these|those|that|this)\b|\b(?:just )?kidding\b|\bbut (?:is|are)(?:n't"
    r"| not) any ?(?:more|longer)\b"
    r"|\bnever ?mind\b|\bscratch that\b|\bor so (?:i|we|they|he|she|everyone) (?:thought|believed)\b"
    r"|\b(?:revert|revers|revok|rescind|overturn|withdr[ae]w|undid|undone|reconsider)\w* (?:that|this|the|our) "
    r"(?:decision|choice|agreement|conclusion)\b|\b(?:took|taken|take|taking) (?:(?:that|this|it|them) back"
    r"|back (?:that|this|it))\b"
    r"|\bchanged (?:my|our|their) minds?\b|\b(?:that|this) (?:decision|agreement|conclusion) (?:is|was"
    r"|has been) (?:\w+ )?"
    r"(?:revert|revers|revok|rescind|overturn|withdrawn|undone|void)\w*"
    r"|\b(?:numbers?|results?|measurements?|benchmarks?)\b.{0,20}\b(?:is|are|was|were) (?:wrong|bogus|invalid"
    r"|incorrect)\b"
    r"|^\W*(?:would|could|might)\b|^[^,;:.]{0,60}\b(?:helps? nobody|is what (?:the|some|he|she|they))\b"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_LATER: Final = re.compile(r"(?:\A|(?<=\s))[*_]*(?:edit(?:ed)?|update[d]?|correction)[*_ ]*\d*[*_]*:", re.IGNORECASE)
"""What an author adds to what stands above it."""

_BEFORE: Final = re.compile(r"\b(?:before|until|by the time|long after)(?: we)?\W*$")
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
    sentences = _SENTENCE.split(said)
    return any(
        not _is_denied(f"{sentence} {following}", match.start(), match.end())
        for sentence, following in zip(sentences, [*sentences[1:], _following(after)], strict=True)
        for match in cue.finditer(sentence)
    )


def _following(after: str) -> str:
    """What may take back what stands before it: the next sentence, and what its author added later."""
    added = _LATER.search(after)
    later = after[added.end() : added.end() + _AHEAD] if added else ""
    return f"{_SENTENCE.split(after[:_AHEAD].strip().lower())[0]} {later.lower()}"


def _word_end(said: str, start: int, end: int) -> int:
    """Where the first word of a cue ends: what follows it may be taken back before the cue is through."""
    found = said.find(" ", start, end)
    return found if found > 0 else end


def _is_denied(said: str, start: int, end: int) -> bool:
    """Whether `said[start:end]`, which says that something happened or was decided, is not what *said* means."""
    before = _CLAUSE.split(said[:start])[-1]
    lacks = not said.startswith(("consensus", "agreement"), start) and _NEGATED.search(
        before
    )  # that there is none is an outcome
    return bool(
        lacks
        or said.startswith(_TO_DO)
        or _SUPPOSED.search(before)
        or _BEFORE.search(said[:start])
        or _HARDLY_DONE.search(said, start, end)
        or _UNDONE.match(said, said.rfind(" ", start, end) + 1)
        or _TAKEN_BACK.search(said[end:])
        or _TAKEN_BACK.search(said[_word_end(said, start, end) :])
    )

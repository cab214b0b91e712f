"""The rule distiller: sentences that decide, require, define, measure, warn or assign; no model.

Each sentence is scored by the cues it holds; one that says something for itself becomes a fact under its record's
title. Greetings, approvals, questions and quoted text do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cortex.indexers.kinds import kind_of_words
from cortex.substrate.facts import Candidate, plain
from cortex.substrate.sentences import sentences

KEEP: Final = 0.5


class Text(NamedTuple):
    """What a distiller is given of a record."""

    record_id: int
    type: str
    ref: str
    title: str
    body: str
    author: str
    state: str
    created_at: str | None


_CUES: Final[tuple[tuple[float, re.Pattern[str]], ...]] = tuple(
    (weight, re.compile(pattern, re.I))
    for weight, pattern in (
        (0.45, r"\bwe(?:'ve| have)? (?:decided|agreed|chose|concluded|settled|will not|won't|are not going to)\b"),
        (0.45, r"\b(?:as|was|were|been) (?:discussed|agreed|decided|resolved)\b|\b(?:discussed|agreed|decided|resolved|consensus|conclusion|resolution)\b.{0,40}\b(?:call|meeting|interim|chat|irc|mailing list|summit|sync|to|that|was|is)\b"),
        (0.35, r"^(?:clos(?:ing|ed)|merg(?:ing|ed)|reject(?:ing|ed)|superseded|nack|concept nack)\b"),
        (0.40, r"\b(?:clos(?:ing|ed)|reject(?:ing|ed)|nack|concept nack|dropping|reverting)\b.{0,40}\b(?:because|since|as|in favou?r|due to)\b"),
        (0.40, r"\b(?:root cause|caused by|the (?:reason|problem|culprit|bug) (?:is|was)|turns out)\b"),
        (0.35, r"\b(?:must(?: not|n't)?|shall(?: not)?|never|always|required to|(?:is|are) required|may only|do not|don't ever)\b"),
        (0.30, r"\b(?:at (?:least|most)|no (?:more|less|fewer) than|up to|exactly|default(?:s)? (?:to|is)|limit(?:ed)? (?:to|of))\b"),
        (0.30, r"\b(?:i|we)(?:'ve| have)? (?:measured|benchmarked|tested|verified|confirmed|bisected|reproduced)\b"),
        (0.30, r"\b(?:deprecat\w+|supersed\w+|replaced (?:by|with)|no longer|removed in|instead of|in favou?r of|obsolete)\b"),
        (0.30, r"\b(?:(?:is|are|was|will be) (?:responsible|owned|maintained|handled|assigned)|in charge of|step(?:ping|ped)? down|taking over)\b"),
        (0.25, r"\b(?:blocked (?:on|by)|depends on|requires|prerequisite|once .{3,40} (?:is|are) merged)\b"),
        (0.25, r"\b(?:means|refers to|is (?:a|an|the)|are (?:the|those)|consists of|is called|known as)\b"),
        (0.25, r"\b(?:warning|caution|careful|beware|important|security|vulnerab\w+|unsafe|dangerous)\b"),
        (0.20, r"\b(?:because|therefore|so that|in order to|otherwise|to avoid|which means|the point (?:is|of))\b"),
        (0.20, r"\b(?:should(?:n't| not)?|recommend\w*|prefer\w*|ought to|best to|better to)\b"),
        (0.20, r"\d(?:[\d.,]*)\s?(?:%|ms|µs|us|ns|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[kmg]i?b|bytes?|bits?|lines?|x\b)"),
        (0.15, r"\b\d+\.\d+(?:\.\d+)?\b|`[^`]+`"),
        (-0.30, r"^(?:thanks|thank you|hi|hello|hey|lgtm|ack|utack|tack|\+1|nice|great|cool|good (?:catch|point|idea)|sure|done|fixed|ok(?:ay)?|yes|no|nit)\b[^,:;]{0,40}$"),
        (-0.25, r"\?\s*$"),
        (-0.15, r"^(?:it|this|that|they|these|those|he|she|same|so|but|and|also|then|maybe|perhaps|hm+|i (?:think|guess|wonder))\b"),
    )
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_TYPES: Final = {"doc": 0.30, "comment": 0.10, "event": 0.05}


def distill(text: Text) -> Iterator[Candidate]:
    """The facts in *text*, in order; each excerpt is one sentence of its body."""
    said: set[str] = set()
    for span in sentences(text.body):
        sentence = plain(text.body[span.start : span.end])
        confidence = _confidence(sentence, text.type)
        if confidence >= KEEP and sentence not in said:
            said.add(sentence)
            yield Candidate(
                text.record_id, kind_of_words(sentence), f"{_context(text)}: {sentence}",
                span.start, span.end, round(confidence, 2), text.created_at,
            )  # fmt: skip


def _confidence(sentence: str, type_: str) -> float:
    words = len(_WORD.findall(sentence))
    if not 5 <= words <= 70:
        return 0.0
    return min(0.9, _TYPES.get(type_, 0.0) + sum(weight for weight, cue in _CUES if cue.search(sentence)))


def _context(text: Text) -> str:
    if text.type == "doc":
        return text.title or text.ref.partition(":")[2]
    thread = text.ref.partition(":")[2].partition("#")[0]
    day = f" on {text.created_at[:10]}" if text.created_at else ""
    return f"{text.author or 'someone'}{day} in #{thread} “{text.title}”"

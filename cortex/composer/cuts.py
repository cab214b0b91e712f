"""Where a text may be cut so that what is kept of a sentence still says what the sentence does."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.claims import BINDING, CONTRASTS, GOING_ON, LABELS, LIMITS, NEGATIONS, OWN_CLAUSE, tokens
from cortex.substrate.sentences import Span, sentences_of

TURNING: Final = BINDING | LIMITS | NEGATIONS

_LEFT_OPEN: Final = frozenset(("or", "nor"))
_JOINED: Final = re.compile(r"[-–−/]\w")
_PAUSES: Final = frozenset(",(—–")
_PAUSE: Final = re.compile(r"[,;:.!?](?=\s|$)|[()—–]")
_MARKS: Final = " *_`'’\""
CLAUSE_END: Final = re.compile(r"[.!?:;…][\"'”’)\]*_`]*\s|\n")
SENTENCE_END: Final = re.compile(r"[.!?;…][\"'”’)\]*_`]*\s|\n")
_LABEL: Final = re.compile(r":[\"'”’)\]*_`]*\s")
_FEW: Final = re.compile(r"[…\s]*(?:few|little)\b", re.I)


def keeps_sense(before: str, after: str, quoted: str) -> bool:
    """Whether *quoted*, which stands between the two, leaves nothing out of its sentences that turns what it says.

    It begins with a clause; a cut within one at its end is marked with '…'.
    """
    begun = SENTENCE_END.split(before)[-1]
    label, _, begun = begun.rpartition(found[-1]) if (found := _LABEL.findall(begun)) else ("", "", begun)
    if not LABELS.issuperset(tokens(label)) or not TURNING.isdisjoint(tokens(begun)):
        return False
    if _is_within_clause(before[::-1], "") or (begun.lower().split()[-1:] == ["a"] and _FEW.match(quoted)):
        return False
    if quoted.rstrip(f"{_MARKS}.)”").endswith("?"):
        return True
    return not _is_within_clause(after, quoted[-1]) and not turned_by(after) and not _is_left_open(after, quoted[-1])


def _is_within_clause(beyond: str, end: str) -> bool:
    return end != "…" and (beyond.lstrip(_MARKS)[:1].isalnum() or _JOINED.match(beyond) is not None)


def _is_left_open(after: str, end: str) -> bool:
    """Whether a sentence goes on after a comma or in brackets, unmarked, with what may narrow what was said."""
    beyond = after.lstrip(f"{_MARKS})]")
    if end == "…" or not beyond or beyond[0] not in _PAUSES:
        return False
    clause = tokens(_PAUSE.split(_rest_of_sentence(beyond)[1:])[0])
    return bool(clause) and clause[0] not in GOING_ON and (beyond[0] != "," or len(clause) < OWN_CLAUSE)


def turned_by(after: str) -> bool:
    """Whether the sentence that goes on with *after* turns there what it said before."""
    left = tokens(_rest_of_sentence(after))
    return bool(left) and (left[0] in _LEFT_OPEN or not (TURNING | CONTRASTS).isdisjoint(left))


def _rest_of_sentence(after: str) -> str:
    line = after.partition("\n")[0]
    return next((line[: span.end] for span in sentences_of(line, Span(0, len(line)))), "")


def shortened(text: str, longest: int) -> str:
    """*text*, one line of it, cut at the last sentence or word that fits *longest* characters; '…' marks a word's.

    A sentence that turns what it says after the cut is quoted to its end.
    """
    if len(text) <= longest:
        return text
    ends = [span.end for span in sentences_of(text, Span(0, len(text)))]
    fitting = [end for end in ends if longest // 2 < end <= longest]
    if fitting:
        return text[: fitting[-1]]
    cut = text[:longest].rpartition(" ")[0].rstrip(",;:")
    if turned_by(text[len(cut) :]):
        return text[: next(end for end in ends if end > len(cut))]
    return f"{cut} …"

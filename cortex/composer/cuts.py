"""Where a text may be cut so that what is kept of a sentence still says what the sentence does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from cortex.composer.afterthoughts import belongs, retracts, takes_back
from cortex.composer.claims import (
    BINDING,
    CONTRASTS,
    GOING,
    GOING_ON,
    LABELS,
    LIMITS,
    NEGATIONS,
    NOW,
    SCOPES,
    TAKING_BACK,
    TURNED,
    tokens,
    undoes,
)
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of

TRIED: Final = 12
"""Places at which a sentence is tried to be cut, from the last that fits on: more are in no prose."""

TURNING: Final = BINDING | LIMITS | NEGATIONS

_CELL: Final = re.compile(r"\s[·|]\s")
_LEFT_OPEN: Final = frozenset(("or", "nor"))
_JOINED: Final = re.compile(r"[-–−/]\w")
_PAUSE: Final = re.compile(r"([,;:.!?…](?=[\s\"'”’)\]*_`]|$)|[()—–]|\s-(?=\s))")
_INTRODUCING: Final = re.compile(r"[\"'”’)\]*_`]*:[*_`]*\n+")
_MARKS: Final = " *_`'’\""
CLAUSE_END: Final = re.compile(r"[.!?:;…][\"'”’)\]*_`]*\s|\n")
SENTENCE_END: Final = re.compile(r"[.!?;…][\"'”’)\]*_`]*\s|\n")
_LABEL: Final = re.compile(r":[\"'”’)\]*_`]*\s")
_ENDING: Final = tuple(",;:(—–-")
_APART: Final = ";—–"
_FEW: Final = re.compile(r"[…\s]*(?:few|little)\b", re.I)


def keeps_sense(before: str, after: str, quoted: str) -> bool:
    """Whether *quoted*, which stands between the two, leaves nothing out of its sentences that turns what it says.

    It begins with a clause and ends with one.
    """
    begun = SENTENCE_END.split(before)[-1]
    label, _, begun = begun.rpartition(found[-1]) if (found := _LABEL.findall(begun)) else ("", "", begun)
    if not LABELS.issuperset(tokens(label)) or not TURNING.isdisjoint(tokens(begun)):
        return False
    if _CELL.search(begun) and not TURNED.isdisjoint(tokens(begun)):
        return False
    if _is_within_clause(before[::-1]) or (begun.lower().split()[-1:] == ["a"] and _FEW.match(quoted)):
        return False
    if quoted.rstrip(f"{_MARKS}.)”").endswith("?"):
        return True
    if is_taken_back(after):
        return False
    if quoted.endswith(":"):
        after = after.partition("\n")[0]  # it shows that a list follows
    return _may_be_left(_rest_of_sentence(after), is_marked=quoted.endswith("…"))


def is_taken_back(after: str) -> bool:
    """Whether what follows the sentence that goes on with *after* takes that back, or belongs to it."""
    line, _, below = after.partition("\n")
    following = [line[span.start : span.end] for span in islice(sentences_of(line, Span(0, len(line))), 1, 2)]
    return belongs(following[0]) if following else retracts(below)


def _may_be_left(rest: str, *, is_marked: bool) -> bool:
    """Whether a sentence may be left before its *rest*: where a clause ends, and no later one narrows what it said.

    Args:
        is_marked: with '…', which stands for the rest of a list too.
    """
    if _turns(rest):
        return False
    cut = _PAUSE.split(rest)
    every = zip(["", *cut[1::2]], cut[::2], strict=True)
    left = [(mark.strip(), clause, said) for mark, clause in every if (said := tokens(clause))]
    if not left:
        return True
    mark, _, first = left[0]
    if mark not in _ENDING or any(said[0] in SCOPES or _undoes(clause, said) for _, clause, said in left):
        return False
    if mark in _APART and belongs(left[0][1]):
        return False
    goes_on = mark in ";:" or (mark == "," and is_marked)
    return (goes_on and first[0] != NOW) or (first[0] in GOING_ON and TAKING_BACK.isdisjoint(first[:GOING]))


def _undoes(clause: str, said: Sequence[str]) -> bool:
    return undoes(said) if said[0] in GOING_ON else takes_back(clause)


def _is_within_clause(beyond: str) -> bool:
    return beyond.lstrip(_MARKS)[:1].isalnum() or _JOINED.match(beyond) is not None


def turned_by(after: str) -> bool:
    """Whether the sentence that goes on with *after* turns there what it said before."""
    return _turns(_rest_of_sentence(after))


def _turns(rest: str) -> bool:
    left = tokens(rest)
    return bool(left) and (left[0] in _LEFT_OPEN or not (TURNING | CONTRASTS).isdisjoint(left))


def _rest_of_sentence(after: str) -> str:
    """The rest of its line, with the first item of a list that it introduces."""
    line = _INTRODUCING.sub(": ", after, count=1) if _INTRODUCING.match(after) else after
    line = line.partition("\n")[0]
    return next((line[: span.end] for span in sentences_of(line, Span(0, len(line)))), "")


def shortened(text: str, longest: int) -> str:
    """*text*, one line of it, cut at the last sentence or clause that fits *longest* characters; '…' marks a clause's.

    A sentence is quoted to its end where no clause of it may be left out, and with those that belong to it.
    """
    if len(text) <= longest:
        return text
    every = [*sentences_of(text, Span(0, len(text)))]
    ends = [one.end for one, after in pairwise([*every, Span(0, 0)]) if not belongs(text[after.start : after.end])]
    fitting = [end for end in ends if longest // 2 < end <= longest]
    if fitting:
        return text[: fitting[-1]]
    last = next((end for end in ends if end > longest), len(text))
    least = max(longest // 2, *(one.start for one in every if one.end <= last))
    cuts, begun = [], 0
    for pause in _PAUSE.finditer(text, 0, longest):
        if pause.start() > least and pause[0] != ")" and not _leads_in(text[begun : pause.start()]):
            cuts.append(pause.start())
        begun = pause.end()
    cut = next((at for at in cuts[: -TRIED - 1 : -1] if _may_be_left(text[at:last], is_marked=True)), last)
    return text[:last] if cut == last else f"{text[:cut].rstrip()} …"


def _leads_in(clause: str) -> bool:
    """Whether a clause only says when, where or whether what follows it holds: it is not left alone."""
    return not (SCOPES | BINDING).isdisjoint(tokens(clause)[:1])

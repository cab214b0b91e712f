"""Where a text may be cut so that what is kept of a sentence still says what the sentence does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.composer.claims import BINDING, CONTRASTS, LIMITS, NEGATIONS, tokens
from cortex.substrate.facts import plain
from cortex.substrate.sentences import Span, blocks, sentences_of

TURNING: Final = BINDING | LIMITS | NEGATIONS

_LEFT_OPEN: Final = frozenset(("or", "nor"))
_JOINED: Final = re.compile(r"[-–−/]\w")
_MARKS: Final = " *_`'’\""
SENTENCE_END: Final = re.compile(r"[.!?:;…][\"'”’)\]*_`]*\s|\n")
_QUOTED: Final = re.compile(r"^[ ]{0,3}>+ ?", re.M)


def lines(text: str) -> Iterator[str]:
    """*text* in the two forms it may be quoted in, as prose and as written: a line each paragraph, item or row."""
    text = _QUOTED.sub("", text)
    cut = [(text[block.start : block.end], is_code) for block, is_code in blocks(text)]
    for form in (plain, str):
        yield "\n".join(
            "\n".join(map(form, told.splitlines())) if is_code else " ".join(form(told).split())
            for told, is_code in cut
        )


def keeps_sense(before: str, after: str, quoted: str) -> bool:
    """Whether *quoted*, which stands between the two, leaves nothing out of its sentences that turns what it says.

    A cut within a clause is marked with '…'.
    """
    begun = SENTENCE_END.split(before)[-1]
    if not TURNING.isdisjoint(tokens(begun)) or _is_within_clause(before[::-1], quoted[0]):
        return False
    if quoted.rstrip(f"{_MARKS}.)”").endswith("?"):
        return True
    return not _is_within_clause(after, quoted[-1]) and not turned_by(after)


def _is_within_clause(beyond: str, end: str) -> bool:
    return end != "…" and (beyond.lstrip(_MARKS)[:1].isalnum() or _JOINED.match(beyond) is not None)


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

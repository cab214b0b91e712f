"""Questions that a text answers itself, and where their answers begin."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cortex.indexers.distill.unit import SHORT, WORD, Unit
from cortex.language.patterns import patterns
from cortex.substrate.facts import plain

_ENGLISH: Final = patterns("distill", "questions")

_Q: Final = r"Q(?:uestion)?\d*[.:)]"
_A: Final = r"[*_]*A(?:nswer)?\d*[.:)][*_]*"
_INLINE: Final = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:"
    rf"[*_]*{_Q}[*_]*\s+(?P<asked>[^?]{{6,200}}\?)[*_]*\s+{_A}"
    rf"|(?P<mark>\*\*|__)(?:{_Q}\s+)?(?P<marked>[^*_?\n][^*?]{{6,200}}\?)(?P=mark)[ \t]*[:—–-]?(?:{_A})?"
    r")\s+(?=\S)"
)
_OF_THE_READER: Final = _ENGLISH["of_the_reader"]
"""What is asked to be answered by nobody: "Any questions?", "Have you ever wondered …?"."""

_YES_OR_NO: Final = r"(?:yes|no|nope|it depends|not (?:yet|really|at all)|of course|absolutely)"
_ONLY_YES_OR_NO: Final = re.compile(rf"\W*{_YES_OR_NO}\b[^,;:]{{0,12}}[.!]")
_BEGINS: Final = _ENGLISH["begins"]


class Inline(NamedTuple):
    """A question and where, in the same paragraph, its answer begins."""

    question: str
    answer: int


def is_question(heading: str) -> bool:
    """Whether *heading* asks what the text below it may answer."""
    return heading.endswith("?") and not _OF_THE_READER.match(heading)


def answered(unit: Unit, title: str) -> Unit:
    """An answer that is no sentence of its own, short or with a yes, with its question; any other *unit* as it is."""
    question = unit.context or title.rpartition(" › ")[2]
    leans = len(WORD.findall(unit.text)) < SHORT or _BEGINS.match(unit.text.lower()) is not None
    if (
        unit.shape != "answer"
        or not leans
        or not is_question(question)
        or sends_elsewhere(unit.text)
        or says_only_yes_or_no(unit.text)
    ):
        return unit
    return unit._replace(text=f"{question} {unit.text}")


def sends_elsewhere(answer: str) -> bool:
    """Whether an answer only says where one stands, or that there is none."""
    return _ENGLISH["elsewhere"].match(answer) is not None


def inline(text: str, start: int, end: int) -> Inline | None:
    """The question that a paragraph begins with and answers."""
    found = _INLINE.match(text, start, end)
    return Inline(plain(found["asked"] or found["marked"]), found.end()) if found else None


def says_only_yes_or_no(sentence: str) -> bool:
    """Whether *sentence* is an answer that nobody understands without its question or the next sentence."""
    return _ONLY_YES_OR_NO.fullmatch(sentence.lower()) is not None

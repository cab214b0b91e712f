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
_ASKED: Final = re.compile(rf"[*_]*(?:{_Q}[*_]*\s+)?((?![*_])[^?]{{4,200}}\?)[*_\s]*")
_MARKED: Final = re.compile(rf"\s*(?:[*_]{{1,2}}\S|{_Q})")
_ANSWER: Final = re.compile(rf"\W*{_A}\s+")
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
_LONG_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_STEM: Final = 5
_ASKING: Final = frozenset(
    word[:_STEM]
    for word in (
        "what when where which does have been with this that they there your should would could will about from into"
        " work works happen happens know need want mean make some more than them then also many much"
    ).split()
)


class Question(NamedTuple):
    """What is asked.

    Attributes:
        marked: it stands out as a question, so that what follows is its answer whatever it says.
    """

    text: str
    marked: bool


class Inline(NamedTuple):
    """A question and where, in the same paragraph, its answer begins."""

    question: str
    answer: int


def asked(source: str, said: str) -> Question | None:
    """What a paragraph asks that is nothing but one question, and that the next may answer."""
    found = _ASKED.fullmatch(said)
    return Question(found[1], _MARKED.match(source) is not None) if found and not _OF_THE_READER.match(said) else None


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


def answers(question: Question, source: str) -> bool:
    """Whether the paragraph below *question* may be its answer: it asks nothing, and speaks of the same."""
    said = plain(source).lower()
    if _ASKED.fullmatch(said) or said.endswith(":"):
        return False
    return question.marked or _BEGINS.match(said) is not None or bool(_stems(question.text) & _stems(said))


def answer_start(text: str, start: int, end: int) -> int:
    """Where an answer begins to say something, after its 'A:'."""
    found = _ANSWER.match(text, start, end)
    return found.end() if found else start


def says_only_yes_or_no(sentence: str) -> bool:
    """Whether *sentence* is an answer that nobody understands without its question or the next sentence."""
    return _ONLY_YES_OR_NO.fullmatch(sentence.lower()) is not None


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _LONG_WORD.findall(text.lower())} - _ASKING

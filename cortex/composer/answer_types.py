"""The types of answers: which one a question asks for, and whether a sentence gives it or only asks too."""

from __future__ import annotations

import re
import tomllib
from typing import Final, Literal, NamedTuple

from cortex.packaged import files

AnswerType = Literal["person", "date", "number", "name", "yes/no", "reason", "procedure", "list", "link", "text"]


class _Type(NamedTuple):
    name: AnswerType
    asked: re.Pattern[str]
    given: re.Pattern[str]
    headings: frozenset[str]


_TYPES: Final = tuple(
    _Type(
        type_["name"],
        re.compile(type_["pattern"], re.I),
        re.compile(type_["given"]),
        frozenset(type_.get("headings", "").split()),
    )
    for type_ in tomllib.loads((files("cortex.composer") / "answer_types.toml").read_text("utf-8"))["type"]
)
_GIVEN: Final = {type_.name: type_.given for type_ in _TYPES}
HEADINGS: Final = {type_.name: type_.headings for type_ in _TYPES}
"""By the type of what is asked, words that alone head the part of a document which tells it: 'Why', 'Root cause'."""

KNOWN_BY_FORM: Final = ("person", "date", "number", "reason")
"""Types of answers whose form tells whether a text holds one."""

_QUESTION: Final = re.compile(r"\?[\s\"'”’`)*_]*$")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_ASKING: Final = re.compile(r"\b(?:what|which|who|whom|whose|where|when|why|how)\b", re.I)
_JOINED: Final = re.compile(r"(?:[.!?;:]|\b(?:and|or|but|so))\s*\Z", re.I)
_LONGEST_JOINED: Final = 8
"""Characters of what joins two questions, with the space after it."""

_FRONTED: Final = re.compile(
    r"^\W*(?:when|where)\s+(?!(?:is|are|was|were|do|does|did|can|may|must|should|has|have|had|will|would|could)\b)[^,?]*,"
    r"(?=\s*(?:then\s+)?(?:what|which|who|whom|whose|where|when|why|how|is|are|do|does|did|can|may|must|should|will)\b)",
    re.I,
)


def type_of(text: str) -> AnswerType:
    """What is asked for first, in the last sentence that asks."""
    sentences = _BETWEEN_SENTENCES.split(text.strip())
    asking = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), text)
    found = [(match.start(), place) for place, type_ in enumerate(_TYPES) if (match := asked_by(type_.asked, asking))]
    return _TYPES[min(found)[1]].name if found else "text"


def asked_by(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where *text* asks what *pattern* finds; not where a clause says when, or of whom, what is asked is so.

    Of two question words the second begins such a clause: 'what happens when …', but 'what changed, and when?'. One
    that leads does where what is asked comes after it: 'when …, what happens?'.
    """
    start = fronted.end() if (fronted := _FRONTED.search(text)) else 0
    asking = _ASKING.search(text, start)
    for match in pattern.finditer(text[start:]):
        place = start + match.start()
        joined = _JOINED.search(text[max(0, place - _LONGEST_JOINED) : place])
        if asking is None or place <= asking.start() or joined or not _ASKING.match(text, place):
            return match
    return None


def gives(type_: AnswerType, sentence: str) -> bool:
    """Whether *sentence* holds what a question of this type asks for: a name, a number, a reason, …"""
    given = _GIVEN.get(type_)
    return given is not None and given.search(sentence) is not None


def asks(sentence: str) -> bool:
    """Whether *sentence* asks: who asks the same has not answered."""
    return "?" in sentence and _QUESTION.search(sentence) is not None

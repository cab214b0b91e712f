"""The types of answers: which one a question asks for, and whether a sentence gives it or only asks too."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Final, Literal, NamedTuple

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


def type_of(text: str) -> AnswerType:
    """What is asked for first, in the last sentence that asks."""
    sentences = _BETWEEN_SENTENCES.split(text.strip())
    asking = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), text)
    asked = [(match.start(), place) for place, type_ in enumerate(_TYPES) if (match := type_.asked.search(asking))]
    return _TYPES[min(asked)[1]].name if asked else "text"


def gives(type_: AnswerType, sentence: str) -> bool:
    """Whether *sentence* holds what a question of this type asks for: a name, a number, a reason, …"""
    given = _GIVEN.get(type_)
    return given is not None and given.search(sentence) is not None


def asks(sentence: str) -> bool:
    """Whether *sentence* asks: who asks the same has not answered."""
    return "?" in sentence and _QUESTION.search(sentence) is not None

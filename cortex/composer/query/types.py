"""Answer types: the type a question asks for, and whether a sentence has the form of such an answer."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from cortex.composer.query.tags import spelled_out
from cortex.composer.values import AnswerType
from cortex.language.patterns import read_table
from cortex.regex import regex

NEVER: Final = "(?!)"  # matches nothing
_ASKS: Final = regex(r"\?[\s\"'”’`)*_]*$")
_SENTENCE_END: Final = regex(r"(?<=[.!?])\s+")


class Form(NamedTuple):
    """The patterns of an answer type; `headings` name its section, `recorded` asks for a commit's day or author."""

    type: AnswerType
    asked: re.Pattern[str]
    given: re.Pattern[str]
    headings: frozenset[str]
    recorded: re.Pattern[str]


@cache
def forms() -> dict[AnswerType, Form]:
    """The table of answer types, in the order in which they are tried."""
    table = read_table("answer_types")["type"]
    rows = (
        Form(
            AnswerType(row["name"]),
            regex(row["pattern"], re.I),
            regex(row["given"]),
            frozenset(row.get("headings", "").split()),
            regex(row.get("recorded", NEVER), re.I),
        )
        for row in table
    )
    return {form.type: form for form in rows}


def type_of(text: str) -> AnswerType:
    """The answer type of the last question in *text*, by the form that begins first.

    >>> type_of("wheres the list of runners?").value
    'link'
    """
    asking = [one for one in _SENTENCE_END.split(text.strip()) if one.endswith("?")]
    question = " ".join(spelled_out((asking[-1] if asking else text).split(" ")))
    found = [
        (match.start(), place) for place, form in enumerate(forms().values()) if (match := form.asked.search(question))
    ]
    return [*forms()][min(found)[1]] if found else AnswerType.TEXT


def gives(type_: AnswerType, text: str) -> bool:
    """Whether *text* has the form of an answer of this type: a date, a number, a reason."""
    form = forms().get(type_)
    return form is not None and form.given.search(text) is not None


def is_recorded(type_: AnswerType, question: str) -> bool:
    """Whether the day or the author of a commit or a pull request that says so answers *question*.

    >>> is_recorded(AnswerType.DATE, "when did we drop 3.7?"), is_recorded(AnswerType.DATE, "when is 2.0 due?")
    (True, False)
    """
    return type_ in forms() and forms()[type_].recorded.search(question) is not None


def asks(text: str) -> bool:
    """Whether *text* is itself a question."""
    return "?" in text and _ASKS.search(text) is not None

"""Whether what was found holds what a question asks for, where its form tells: a person, a date, a price, a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from typing import Final, NamedTuple

from cortex.composer.answer_types import asked_by
from cortex.composer.question import Question, coverage, stands_in, stands_in_each
from cortex.composer.retrieve.people import asked_person
from cortex.composer.rows import Row
from cortex.composer.saying import statements_in, with_columns
from cortex.language.stems import Stemmer
from cortex.packaged import files


class Value(NamedTuple):
    """A kind of what is asked for.

    Attributes:
        given: what a sentence holds that gives one.
        titled: what heads a text that gives one; None where no heading tells.
        firm: a text without one is no answer.
    """

    name: str
    asked: re.Pattern[str]
    given: re.Pattern[str]
    titled: re.Pattern[str] | None
    firm: bool


VALUES: Final = tuple(
    Value(
        value["name"],
        re.compile(value["asked"], re.I),
        re.compile(value["given"]),
        re.compile(value["titled"]) if "titled" in value else None,
        value.get("firm", False),
    )
    for value in tomllib.loads((files("cortex.composer") / "holding.toml").read_text("utf-8"))["value"]
)
WHO_IS_IT: Final = "person who is"
"""Name of the value that asks who it is who does something, or is something: 'Who is on call?', 'Who maintains it?'."""

_DOES: Final = re.compile(r"^\W*(?:and |so )?[Ww]ho ([a-z]+s)\b(?<!is)(?<!was)")
_COMING: Final = re.compile(r"\bwhen (?:will|is|are|does|do|can|shall|should)\b", re.I)
_FRAMED: Final = ("pull", "commit", "issue", "comment")
"""Types of records whose author and day an answer tells."""


def asked_value(question: Question) -> Value | None:
    """What it asks for whose form tells whether a text holds it; None where it asks for something else."""
    return _value_of(question.text)


@lru_cache(16)
def _value_of(text: str) -> Value | None:
    if asked_person(text):
        return None
    return next((value for value in VALUES if asked_by(value.asked, text)), None)


def held(question: Question, value: Value, rows: Iterable[Row], stemmer: Stemmer, *, enough: float) -> float:
    """How much of what *question* is about stands beside a *value* in one of *rows*, 0 to 1; 0 where none holds one.

    Who wrote a text and when is told with it.

    Args:
        enough: the first row that holds as much is the last that is read.
    """
    weights = {stem: weight for stem, weight in question.weights.items() if stem in question.content}
    measured = _measured(question, value, stemmer)
    most = 0.0
    for row in rows:
        giving = _giving(question, value, row, stemmer)
        titled = stands_in(question, row.title, stemmer) if giving else frozenset()
        for stems in giving:
            if not measured or not measured.isdisjoint(titled | stems):
                most = max(most, coverage(weights or question.weights, titled | stems))
        if most >= enough:
            break
    return most


def lacks_reason(question: Question, said: Iterable[str]) -> bool:
    """Whether it asks why, and nothing of what is *said*, each with its headings, tells a reason but what would be."""
    value = asked_value(question)
    if value is None or value.name != "reason":
        return False
    return not any(_tells(value, text) or (value.titled and value.titled.search(text)) for text in said)


def _tells(value: Value, text: str) -> bool:
    return any(match[0].casefold() != "would" for match in value.given.finditer(text))


def _giving(question: Question, value: Value, row: Row, stemmer: Stemmer) -> list[frozenset[str]]:
    """What of the question each sentence of *row* has that gives a *value*, a row of a table with its columns."""
    own, doing = question.text.casefold(), _doing(question)

    def given(sentence: str) -> bool:
        """Whether *sentence* holds one that the question has not itself; 'maintainers' are no name of who maintains."""
        every = (match[0] for match in value.given.finditer(sentence) if match[0].casefold() not in own)
        return any(value.name != WHO_IS_IT or question.near.isdisjoint(stemmer.sequence(one)) for one in every)

    framed, tabled = _is_framed(question, value, row), "|" in row.text
    sentences = statements_in(row.text)
    gives = [framed or given(one) or bool(doing and doing.search(one)) for one in sentences]
    if not any(gives):
        return []
    if not tabled:
        return stands_in_each(question, [*compress(sentences, gives)], stemmer)
    return [*compress(with_columns(sentences, stands_in_each(question, sentences, stemmer)), gives)]


def _doing(question: Question) -> re.Pattern[str] | None:
    """What a sentence looks like that says who does it: 'Bram uploads' to 'who uploads the packages?'."""
    match = _DOES.search(question.text)
    return match and re.compile(rf"\b[A-ZÀ-Þ][\w'-]+ (?:also |usually |always )?{match[1]}\b")


def _measured(question: Question, value: Value, stemmer: Stemmer) -> set[str]:
    """What is measured, a limit, a rate, which a number has to be of, or what is to be done; as stems that say it."""
    match = asked_by(value.asked, question.text)
    head = match.groupdict().get("head") if match else None
    stems = {*stemmer.sequence(head or "")} & question.stems
    return stems.union(*(question.related.get(stem, frozenset()) for stem in stems))


def _is_framed(question: Question, value: Value, row: Row) -> bool:
    if value.titled and value.titled.search(row.title):
        return True
    if row.type not in _FRAMED:
        return False
    return (value.name == "person" and bool(row.author)) or (value.name == "date" and not _COMING.search(question.text))

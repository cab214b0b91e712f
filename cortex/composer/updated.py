"""What was said later of the same thing: 'Update: back to 500 hours', a newer section of a changelog."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from cortex.composer.amounts import NAME, amounts, by_kind, given, without
from cortex.composer.answer_types import asks
from cortex.composer.changed import amounts_before, new_words, speaks_of_it, takes_back, told_anew, undoes
from cortex.composer.question import Question
from cortex.composer.retrieve.merge_titles import tells_taking
from cortex.composer.rows import Row, are_of_one_thread
from cortex.composer.trust import OF_PROJECT
from cortex.language.stems import split

LATER: Final = "told later"

SECTION_WORTH: Final = 0.8
"""What a later section says of the question, beside what the first says of it, for it to be of the same thing."""

_TYPES: Final = ("number", "name", "text", "yes/no", "date")
_THEN: Final = re.compile(
    r"\b(?:was|were|did|had|used to|original(?:ly)?|initial(?:ly)?|first|former(?:ly)?|previous(?:ly)?|before|until"
    r"|ever|old|history|since when)\b|\b(?:19\d|20[0-3])\d\b",
    re.I,
)
_DECIDED: Final = re.compile(
    r"\b(?:was|were|did|had)\b(?=.{0,60}\b(?:decid|agree|conclu|settl|chose|pick|plan|outcome|result))", re.I
)
_USUALLY: Final = re.compile(r"\b(?:do|does|is|are|can|may|must|should)\b", re.I)
"""What asks when something happens again and again, or is to."""

_VERSION: Final = re.compile(r"\bv?\d+\.\d+", re.I)
_DAY: Final = re.compile(r"(?<![\d-])(?:19|20)\d\d-\d\d-\d\d(?![\d-])")
"""What its author is to the project of a comment that says how things are; '' where that is not known."""


class Told(NamedTuple):
    """A row, the sentence of it that tells most of what is asked, and how much it says of the question."""

    row: Row
    sentence: str
    said: float


def updated(
    question: Question, rows: Sequence[Told], since: Callable[[Row], Sequence[str]] = lambda _: ()
) -> tuple[int, bool]:
    """Which of *rows* says later how the thing of the first is now, where a question asks how it is; 0 where none does.

    And whether that is sure: somebody of the project said so of nothing else, and nobody spoke of it since.

    Args:
        rows: best first.
        since: what was said in the thread of a comment after that.
    """
    if not rows or not asks_how_it_is(question):
        return 0, True
    first = rows[0]
    later = {at: one for at, one in enumerate(rows) if at and are_of_one_thread(one.row, first.row)}
    if first.row.type == "doc":
        return _newer_section(question, first, later)
    if first.row.type not in ("issue", "comment"):
        return 0, True
    said = {at: one for at, one in later.items() if _is_said_after(one.row, first.row)}
    thread = [first.row, *(one.row for one in later.values())]
    days = {at: one.row.day for at, one in said.items() if _updates(question, one.row, thread)}
    if last := max(days, key=days.__getitem__, default=0):
        told = rows[last].row
        is_sure = _is_of_project(told, first.row) and not any(speaks_of_it(text, told.text) for text in since(told))
        return last, is_sure
    return _another_amount(question, first, said), False


def tells_amount(question: Question, told: Told) -> bool:
    """Whether an amount is what is asked for or all that is *told*: of no word but the thread's and the question's."""
    found = given(told.sentence)
    if not found:
        return False
    return question.type == "number" or not new_words(
        without(told.sentence, found), f"{question.text} {told.row.title}"
    )


def gives_such(told: str, text: str) -> bool:
    """Whether *text* has an amount of a kind that what is *told* has."""
    return not {one.kind for one in given(told)}.isdisjoint(by_kind(text))


def _is_said_after(row: Row, first: Row) -> bool:
    return row.type == "comment" and row.day > first.day and not row.unverified and not asks(row.text)


def _is_of_project(row: Row, first: Row) -> bool:
    """Whether who says it may say how things are, or says it of an issue of their own."""
    return row.association in OF_PROJECT or (first.type == "issue" and row.author == first.author)


def _newer_section(question: Question, first: Told, later: Mapping[int, Told]) -> tuple[int, bool]:
    """The newest section of a document that says as much of the question; in doubt what is of another thing."""
    since = section_day(first.row)
    found = {
        at: (not _is_of_another(question, first, one), day)
        for at, one in later.items()
        if since and 0 < SECTION_WORTH * first.said <= one.said and (day := section_day(one.row)) > since
    }
    last = max(found, key=found.__getitem__, default=0)
    return last, not last or found[last][0]


def _is_of_another(question: Question, first: Told, later: Told) -> bool:
    """Whether a section's heading, or what stands before its amount, names what neither question nor *first* do."""
    if tells_taking(later.row.title.rpartition(" › ")[2]) and split(later.sentence) == split(first.sentence):
        return False
    found = [*amounts(later.sentence)]
    said = without(later.sentence[: found[-1].end], found) if found else ""
    known = f"{question.text} {first.row.title} {first.sentence}"
    return bool(new_words(f"{_DAY.sub('', later.row.title)} {said}", known))


def _another_amount(question: Question, first: Told, said: Mapping[int, Told]) -> int:
    """The last of what was *said* later that gives another such amount than the first; 0 where none does.

    What passers-by say counts where nobody else gives one.
    """
    if not tells_amount(question, first):
        return 0
    kinds = {one.kind for one in given(first.sentence)}
    found = {at: (_is_of_project(one.row, first.row), one.row.day) for at, one in said.items() if _such(one.row, kinds)}
    last = max(found, key=found.__getitem__, default=0)
    if not last or _such(said[last].row, kinds) <= {one.value for one in given(first.sentence)}:
        return 0
    return 0 if any(undoes(one.row.text) for one in said.values() if one.row.day > said[last].row.day) else last


def _such(row: Row, kinds: AbstractSet[str]) -> set[str]:
    """The values in what somebody says that are of one of *kinds*, bare, or to which something was changed."""
    anew = told_anew(row.text, row.title)
    values = {one for kind, ones in by_kind(row.text).items() if kind in kinds or not kind for one in ones}
    return values | {anew.value} if anew and anew.kind == NAME and kinds == {NAME} else values


def asks_how_it_is(question: Question) -> bool:
    """Whether it asks how things are, not how they were, nor of a thread that it names."""
    if question.type not in _TYPES or question.kind or question.told or question.numbers or _THEN.search(question.text):
        return False
    if question.type == "date" and not _USUALLY.search(question.text):
        return False
    return question.latest or not _VERSION.search(question.text)


def takes_as_so(question: Question) -> bool:
    """Whether it asks why something is so, or how it is done, and not how it came to be: 'Why do we use Lua?'"""
    is_asked = question.type in ("reason", "procedure") and not (question.kind or question.told or question.numbers)
    return is_asked and _USUALLY.search(question.text) is not None and not _THEN.search(question.text)


def asks_how_it_was(question: Question) -> bool:
    """Whether it asks who said something, or how things were; what was decided still holds unless it was taken back."""
    return question.type == "person" or (_THEN.search(_DECIDED.sub("", question.text)) is not None)


def section_day(row: Row) -> str:
    """The one day in the heading of a document's section; '' where there is none."""
    days = _DAY.findall(row.title) if row.type == "doc" else []
    return days[0] if len(days) == 1 else ""


def _updates(question: Question, row: Row, thread: Sequence[Row]) -> bool:
    """Whether a comment says that it changed, to another number of what its thread counted, and none took that back."""
    before = sorted((one for one in thread if one.day < row.day), key=lambda one: one.day, reverse=True)
    if row.authority < min((one.authority for one in before if one.type == "comment"), default=0.0):
        return False
    anew = told_anew(row.text, f"{question.text} {row.title}")
    then = amounts_before(anew.kind, (one.text for one in before)) if anew else set()
    after = [one for one in thread if one.type == "comment" and one.day > row.day and not one.unverified]
    return (
        anew is not None
        and bool(then - {anew.value})
        and anew.value not in then
        and not any(takes_back(one.text, anew.kind, then) for one in after)
    )

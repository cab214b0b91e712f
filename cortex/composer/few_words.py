"""What tells the answer to a question of few words, of which nearly any project has rows with all by chance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from cortex.composer.answer_types import asks, gives
from cortex.composer.beside import BESIDE as TOLD_BESIDE
from cortex.composer.defining import defines
from cortex.composer.events import event_of
from cortex.composer.holding import Value, asked_value, held, lacks_reason
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question, stands_in, stands_in_each
from cortex.composer.rows import STANDING, Row
from cortex.composer.saying import said_by_each, statements_in
from cortex.composer.signs import asks_if_still
from cortex.composer.telling import asks_why_not
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS

ABOUT: Final = 2
"""Things that a question is about which has few words."""

FEW: Final = 3
"""Words that one has which weigh something."""

BESIDE: Final = 0.5
"""Share of what it is about that stands beside a reason, or a number, that it asks for."""

OF_DOCUMENTS: Final = ("text", "yes/no", "procedure", "name", "list")
"""Types of answers to few words that but a document, or a directive, gives for sure."""

MEASURED: Final = ("number", "size", "often", "temperature")
"""Kinds of what is asked for that are a number."""

_ASKS: Final = re.compile(r"\?|\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)
_THING: Final = re.compile(r"^\W*what(?:['’]s| is| are| was| were) (?P<one>the )?", re.I)
_MAY: Final = re.compile(r"^\W*(?:can|could|may|might|must|shall|should|will|would)\b", re.I)
_WRAPPED: Final = re.compile(r"(?m)^(.{50,}[^.!?:|\n])\n[ \t]*(?=[\w\"'“`*_(])")
"""A line of prose that goes on in the next."""

_WHERE: Final = re.compile(r"^\W*where(?:['’]s| is| are)\b", re.I)
_PLACED: Final = (
    r"(?:\W+\w+){0,2}?(?:\W+(?:in|at|on|to|under|below|behind|inside|near|from|by|via|through|lives?|stands?|sits?|runs?)\b"
    r"|\W{1,4}(?:https?://|[\w.-]+/\w))"
)
"""What says where that is which stands before it."""

_FIELD: Final = re.compile(r'[\s{\[,]*"[^"\n]*"\s*:')
"""What begins as JSON does."""


def is_told(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether the first of *ordered* tells what is asked by more than its words, where those are few.

    What a thing is, what says that or is headed by it; why, a reason there or beside it; how much, a number; else a
    document does, in all the words. What asks nothing is told by what is headed by it: a bare name may want anything.
    """
    if _is_plain(question, ordered[0], stemmer):
        return True
    value, row = asked_value(question), ordered[0].fused.row
    if len(question.words) < ABOUT or not (question.type != "text" or _ASKS.search(question.text)):
        return _is_headed(question.term or question.text, row) or _is_defined(question.term, row)
    if value and question.type == "reason":
        beside = takewhile(lambda one: one.moved == TOLD_BESIDE, ordered[1:])
        return _is_reasoned(question, value, [row, *(one.fused.row for one in beside)], stemmer)
    is_thing = bool(question.term) and STOP_WORDS.isdisjoint(split(question.term))
    thing = _THING.match(question.text) if is_thing else None
    if thing and not (thing["one"] and len(question.stems) > 1):
        return _is_headed(question.term, row) or _is_defined(question.term, row)
    if len(question.stems) <= FEW and value and value.name in MEASURED and not _gives(question, value, [row], stemmer):
        return False
    return len(question.stems) > FEW or _is_stated(question, ordered[0], stemmer, of_one=thing is not None)


def _is_plain(question: Question, first: Ordered, stemmer: Stemmer) -> bool:
    """Whether it says enough, or by what is known of a record, or what was done, it is told apart."""
    says_enough = len(question.stems) > FEW and len(question.content) > ABOUT
    known = bool(question.kind) or first.fused.relation == "named" or asks_if_still(question)
    return says_enough or known or event_of(question, stemmer) is not None


def _is_stated(question: Question, first: Ordered, stemmer: Stemmer, *, of_one: bool) -> bool:
    """Whether a document says all that is asked in a sentence, as a rule where it asks what may be, or how it is done.

    Or has a part headed by that. Of *one* thing, 'the window size', it has the name, and what was merged tells it too.
    """
    row = first.fused.row
    if _WHERE.match(question.text):
        return _is_placed(question, row, stemmer)
    if not of_one and question.type not in OF_DOCUMENTS:
        return True
    if of_one and not _is_called(question, row, stemmer):
        return False
    if row.type not in STANDING and not (of_one and (row.type, row.state) == ("pull", "merged")):
        return False
    if question.type != "procedure" and not _MAY.match(question.text):
        return any(question.stems <= stems for stems in said_by_each(question, first, stemmer, giving=True))
    about, headline = question.content or question.stems, row.title.rpartition(" › ")[2]
    said = [one for one in statements_in(row.text) if gives(question.type, one)]
    headed = len(about & stands_in(question, headline, stemmer)) > len(about) / 2
    return headed or any(question.stems <= stems for stems in stands_in_each(question, said, stemmer))


def _is_placed(question: Question, row: Row, stemmer: Stemmer) -> bool:
    """Whether *row* says right after a word of what is asked for where that is: 'the till at till.example'."""
    headed = stands_in(question, row.title.rpartition(" › ")[2], stemmer) if row.type in STANDING else frozenset()
    of_text = stemmer.stem(split(row.text))
    near = "|".join(re.escape(word) for word, stem in of_text.items() if stem in question.stems)
    named = "" if headed or not near else rf"\b(?:{near})\b[`*\"”)]?"
    return re.search(f"{named}{_PLACED}", row.text, re.I) is not None


def _is_reasoned(question: Question, value: Value, rows: Sequence[Row], stemmer: Stemmer) -> bool:
    """Whether one of *rows*, not what its thread is called, gives a reason; why it is not so, not who wants that."""
    if asks_why_not(question) and rows[0].type in ("issue", "pull"):
        return False
    bare = [row._replace(title="", text=row.text.removeprefix(f"{row.title}\n")) for row in rows]
    return _gives(question, value, [row for row in bare if not lacks_reason(question, [row.text])], stemmer)


def _gives(question: Question, value: Value, rows: Sequence[Row], stemmer: Stemmer) -> bool:
    """Whether what the question is about stands beside a *value* in one of *rows*."""
    return held(question, value, rows, stemmer, enough=BESIDE) >= BESIDE


def _is_headed(asked: str, row: Row) -> bool:
    """Whether *row* is the part of a document that is headed by what is *asked*, be it of several: 'Tree hashes'."""
    one, other = ("".join(split(text)) for text in (asked, row.title.rpartition(" › ")[2]))
    return row.type in STANDING and (one.removesuffix("s") == other.removesuffix("s") or other == f"{one}es")


def _is_defined(asked: str, row: Row) -> bool:
    """Whether a sentence of *row*, no field of an example, says what that is which is *asked*."""
    said = statements_in(_WRAPPED.sub(r"\1 ", row.text))
    return any(defines(asked, one, is_sentence=True) for one in said if not _FIELD.match(one))


def _is_called(question: Question, row: Row, stemmer: Stemmer) -> bool:
    """Whether *row* has what is asked for in these words, where they are one name: 'the window size'."""
    asked = [stem for stem in stemmer.sequence(question.term) if stem in question.stems]
    told = map(stemmer.sequence, [*statements_in(row.text), *([] if asks(row.title) else [row.title])])
    return any(asked == stems[place : place + len(asked)] for stems in told for place in range(len(stems)))

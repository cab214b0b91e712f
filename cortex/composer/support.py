"""Whether a row supports a sentence: one sentence of the row says it, in the same words and the same order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from cortex.composer.afterthoughts import belongs, takes_back
from cortex.composer.cited import Row
from cortex.composer.claims import (
    BINDING,
    ENDED,
    GOING,
    GOING_ON,
    HEDGES,
    LABELS,
    LEADS,
    LIMITS,
    NEGATIONS,
    NOW,
    SCOPES,
    TAKING_BACK,
    TELLINGS,
    Day,
    Word,
    pieces,
    undoes,
    words,
)
from cortex.composer.roles import Part, is_of_its_people, told_of_record

_TURNING: Final = BINDING | HEDGES
_NARROWING: Final = NEGATIONS | LIMITS
_APART: Final = (";", ".", "!", "…")
"""What parts one clause from another as the end of a sentence does."""

_WORD: Final = re.compile(r"\w")
_NONE: Final = ("no", "none", "nothing", "nobody")
_SO_NO_KEY_IS: Final = 4
"""Words of a consequence that has a subject and a verb."""

_LONGEST_FRAME: Final = 12
"""Words before 'raised' in 'PR #742, which was merged by ada, raised the timeout'."""


def supports(sentences: Sequence[str], row: Row) -> bool:
    """Whether *row* says what each of *sentences* does, which quote nothing."""
    part = Part()
    for sentence in sentences:
        if any(name in sentence.lower() for name in row.names):
            part = Part()
        rest, told = _without_frames(sentence, part, row)
        if not _is_supported(sentence, rest, row, is_told=told != part, alone=len(sentences) == 1):
            return False
        part = told.ended()
    return True


def is_joined(text: str, row: Row) -> bool:
    """Whether *row* says these sentences one after the other, the first with all that belongs to it."""
    said = words(text)
    return any(len(said) == len(held) and all(map(_is_same, said, held)) for held in row.joined)


def _is_supported(sentence: str, rest: str, row: Row, *, is_told: bool, alone: bool) -> bool:
    """Whether *row* says what *sentence* does.

    Args:
        rest: what it says beside what is known of the record.
        alone: nothing is said before or after it; else a mere date would be of that.
    """
    said = words(sentence)
    if not said:
        return True
    if any(word.value in HEDGES for word in said):
        return False
    if not alone and all(isinstance(word.value, Day) for word in said):
        return False
    said_of_it = words(rest)
    if all(isinstance(word.value, Day) for word in said_of_it):
        return (is_told and not said_of_it) or (not is_told and _dated(said_of_it, row))
    if _says(row, said) or _says(row, said_of_it) or (is_told and _begins(row, said_of_it)):
        return True
    return any(_begins(row, words(text)) for text in _after_a_frame(rest, row))


def _without_frames(sentence: str, part: Part, row: Row) -> tuple[str, Part]:
    """*sentence* without the clauses that only tell of the record what is known of it, and what was told at its end."""
    if not is_of_its_people(sentence, row):
        return sentence, part
    kept = []
    for piece in pieces(sentence):
        told = told_of_record(piece, part, row) if _WORD.search(piece) else None
        kept.append("" if told else piece)
        part = told or part
    return "".join(kept), part


def _after_a_frame(text: str, row: Row) -> Iterator[str]:
    """What *text* says after words that only tell of the record, such as 'In PR #742'."""
    told = text.split(maxsplit=_LONGEST_FRAME)
    for count in range(1, min(len(told), _LONGEST_FRAME + 1)):
        if told_of_record(" ".join(told[:count]), Part(), row):
            yield " ".join(told[count:])


def _dated(said: Sequence[Word], row: Row) -> bool:
    """Whether each date is one of the record."""
    return all(any(map(word.value.agrees, row.days.values())) for word in said if isinstance(word.value, Day))


def _says(row: Row, said: Sequence[Word]) -> bool:
    """Whether a sentence of *row* has the words of *said* one after the other, and no more turns them."""
    return any(_is_within(said, held) for held in (row.title, *row.sentences)) or _is_led(row, said)


def _is_led(row: Row, said: Sequence[Word]) -> bool:
    """Whether *said* says a sentence of *row* and, before it, all that turns it."""
    return any(_is_within(said, held, first=True) for held in row.led)


def _begins(row: Row, said: Sequence[Word]) -> bool:
    """Whether a sentence of *row* begins with *said*; a title may tell to do what was done."""
    if said and row.title and isinstance(said[0].value, str) and isinstance(row.title[0].value, str):
        done, told = (row.stem(word.value) for word in (said[0], row.title[0]) if isinstance(word.value, str))
        if done == told and _is_within([row.title[0], *said[1:]], row.title, first=True):
            return True
    return any(_is_within(said, held, first=True) for held in (*row.sentences, *row.led))


def _is_within(said: Sequence[Word], held: Sequence[Word], *, first: bool = False) -> bool:
    """Whether *said* is a run of whole clauses of *held*, and what is left out turns nothing."""
    for start in range(1 if first else len(held) - len(said) + 1):
        end = start + len(said)
        if (
            end <= len(held)
            and all(map(_is_same, said, held[start:end]))
            and _may_begin(held, start)
            and _may_end(held, left := _after_consequence(held, end))
            and not _turns(held[:start])
            and not any(word.value in _NARROWING for word in held[:start])
            and not _turns(held[left:])
        ):
            return True
    return False


def _may_begin(held: Sequence[Word], at: int) -> bool:
    """Whether what stands before *at* may be left out: a clause that is joined to what follows, or a plain label."""
    if at == 0:
        return True
    labels = [place for place in range(1, at + 1) if held[place].mark == ":"]
    if labels and not all(word.value in LABELS for word in held[: labels[-1]]):
        return False
    joined = held[at - 1].value in LEADS and held[at - 1].border
    return joined or held[at].mark in _APART or at in labels


def _after_consequence(held: Sequence[Word], at: int) -> int:
    """Where a clause that begins at *at* ends, if it says what does not happen for it: 'so no key is lost'; or *at*."""
    begun = [word.value for word in held[at : at + _SO_NO_KEY_IS]]
    if len(begun) < _SO_NO_KEY_IS or begun[0] != "so" or begun[1] not in _NONE or not held[at].border:
        return at
    return next((place for place in range(at + 1, len(held)) if held[place].border), len(held))


def _may_end(held: Sequence[Word], at: int) -> bool:
    """Whether what stands from *at* on may be left out: a clause of its own, or one that goes on."""
    if at == len(held):
        return True
    begun = held[at : at + GOING]
    goes_on = held[at].value in GOING_ON or (held[at].value == NOW and any(one.value in ENDED for one in held[:at]))
    goes_on = goes_on and not any(word.value in TAKING_BACK for word in begun)
    may = held[at].border and held[at].value not in TELLINGS and (held[at].mark in _APART or goes_on)
    return may and not any(_undoes(clause) for clause in _clauses(held[at:]))


def _undoes(clause: Sequence[Word]) -> bool:
    if clause[0].value in GOING_ON:
        return undoes([word.value for word in clause if isinstance(word.value, str)])
    told = " ".join(word.written for word in clause)
    return belongs(told) if clause[0].mark in _APART else takes_back(told)


def _clauses(left: Sequence[Word]) -> Iterator[Sequence[Word]]:
    starts = [at for at, word in enumerate(left) if word.border or at == 0]
    for start, end in pairwise([*starts, len(left)]):
        yield left[start:end]


def _begins_clause(held: Sequence[Word], at: int) -> bool:
    return held[at].border or (at > 0 and held[at - 1].value in LEADS and held[at - 1].border)


def _turns(left: Sequence[Word]) -> bool:
    """Whether words that are left out bind what is said: by themselves, or as the beginning of their clause."""
    return any(
        word.value in _TURNING or (word.value in _NARROWING | SCOPES and _begins_clause(left, at))
        for at, word in enumerate(left)
    )


def _is_same(said: Word, held: Word) -> bool:
    """Whether one word is the other; a capital that does not begin a sentence makes a name of it."""
    if isinstance(said.value, Day):
        return isinstance(held.value, Day) and said.value.agrees(held.value)
    if said.value != held.value:
        return False
    named = said.written[1:] if said.first and len(said.written) > 1 else said.written
    return (
        named == named.lower() or said.written == held.written or (said.first and said.written[1:] == held.written[1:])
    )

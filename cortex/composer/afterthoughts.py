"""What a sentence says of the one before it or of what follows: that it is not so, or not everywhere, or no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.claims import (
    BINDING,
    CONTRASTS,
    HEDGES,
    KNOWN,
    LIMITS,
    NEGATIONS,
    NOW,
    POINTING,
    SCOPES,
    TELLINGS,
    TURNED,
    UNDOING,
    tokens,
)
from cortex.composer.introductions import without_end
from cortex.language.markdown import Span
from cortex.language.sentences import sentences, sentences_of
from cortex.substrate.facts import plain

SHORT: Final = 8
"""Words of a sentence that may have no sense without the one before it."""

_STANDING_FOR, _OBJECTS, _CONDITIONS, _PERSONS, _FINITE, _PAST, _QUANTIFIERS, _EVERY, _INTERJECTIONS, _TEXTS = (
    frozenset(KNOWN["afterthoughts"][name].split())
    for name in (
        "standing_for",
        "objects",
        "conditions",
        "persons",
        "finite",
        "past",
        "quantifiers",
        "every",
        "interjections",
        "texts",
    )
)
_TURNING: Final = (NEGATIONS | LIMITS | CONTRASTS | BINDING | TELLINGS | TURNED | HEDGES | {NOW}) - {"i"}
_NARROWING: Final = (SCOPES | BINDING | HEDGES) - {"to", "would", "could"}
_LEADING: Final = (SCOPES | BINDING | CONTRASTS | {"or", "so", "and"}) - {"to"}
_UNDONE: Final = TURNED & UNDOING
_OWN_SUBJECT: Final = _PERSONS | _FINITE | _PAST
_PRESENT: Final = frozenset(("is", "are", "be", "being", "s", "re"))
_LED: Final = 5
"""Words among which a short sentence has its subject: 'As of 4.0 this …'."""

_ADDED: Final = 2
"""Words after a comma that add nothing: 'For sessions, that is.'."""

_GOING_ON: Final = (":", ",")
_SO_THEY_SAY: Final = 3
_LONGEST_PARAGRAPH: Final = 80
_AHEAD: Final = 400
_READ_ON: Final = 3
_RULE: Final = " \t\r\n-*_="

_FALSIFYING: Final = TURNED | NEGATIONS | TELLINGS | HEDGES | (BINDING - _CONDITIONS - _FINITE)
_SAYING: Final = TELLINGS | BINDING | {"say"}
_POINTING: Final = POINTING - {"follows", "below"}
_OF_A_TIME: Final = re.compile(r"\b(?:v(?:ersion\s)?\d|(?:19|20)\d\d\b|\d+\.\d)", re.I)
_LABELLING: Final = 3
"""Words of a sentence that says of what follows only where it begins its paragraph: 'No longer true.'."""

_RETRACTED: Final = re.compile(KNOWN["taking_back"]["pattern"])
_AMENDED: Final = re.compile(KNOWN["amending"]["pattern"])
_ANNOUNCED: Final = re.compile(KNOWN["announcing"]["pattern"])
_ANNOUNCING: Final[tuple[str, ...]] = (*KNOWN["announcing"]["marks"], *(f"his {text}" for text in _TEXTS))
_EXCLAIMED: Final = re.compile(rf"\W*(?:(?:{'|'.join(_INTERJECTIONS)})\b\s*+)+[,.!…–—-]+\s*", re.I)


def takes_back(sentence: str) -> bool:
    """Whether *sentence* takes back or narrows the one before it: 'That was wrong.', 'Only on Mondays.'."""
    return _RETRACTED.match(sentence) is not None


def belongs(sentence: str) -> bool:
    """Whether *sentence* says what it does only of the one before it, and changes or narrows that.

    It takes it back, or amends it, or is short and has no subject of its own or one that stands for the other.

    >>> belongs("It was dropped in 2.0."), belongs("When the flag is set."), belongs("It is fast.")
    (True, True, False)
    """
    if takes_back(sentence) or _AMENDED.match(sentence):
        return True
    said = _short(sentence)
    return bool(said) and (_has_no_subject(sentence, said) or _is_of_another(said))


def retracts(below: str) -> bool:
    """Whether a paragraph that begins *below* another takes that back or amends it: 'Wrong!', 'Update: …'."""
    paragraph = below.lstrip(_RULE).partition("\n")[0].strip()
    if _AMENDED.match(paragraph):
        return True
    if not 0 < len(paragraph) <= _LONGEST_PARAGRAPH or paragraph.endswith(_GOING_ON):
        return False
    said = _short(paragraph)
    return takes_back(paragraph) or (said[:1] != ("there",) and _is_of_another(said))


def read_on(text: str, end: int) -> int:
    """Where what is quoted up to *end* ends with what belongs to it."""
    for _ in range(_READ_ON):
        ahead = text[end : end + _AHEAD]
        span = next(sentences(ahead), None)
        if span is None or ahead[: span.start].strip(_RULE):
            return end
        said, between = ahead[span.start : span.end], ahead[: span.start]
        goes_on = not between.strip() and between.count("\n") < 2
        if not (belongs(said) if goes_on else retracts(ahead[span.start :])):
            return end
        end += span.end
    return end


def grouped(text: str, start: int, end: int) -> list[list[Span]]:
    """The sentences that stand there, each with those after it that belong to it."""
    groups: list[list[Span]] = []
    for span in sentences_of(text, Span(start, end)):
        if groups and belongs(text[span.start : span.end]):
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


def _short(sentence: str) -> tuple[str, ...]:
    """The words of a short sentence that tells something; none of another."""
    exclaimed = _EXCLAIMED.match(sentence)
    said = tokens(sentence[exclaimed.end() :] if exclaimed else sentence) if len(sentence) <= 12 * SHORT else ()
    return said if 0 < len(said) <= SHORT and said[-1] != "?" and not sentence.endswith(_GOING_ON) else ()


def _has_no_subject(sentence: str, said: tuple[str, ...]) -> bool:
    """Whether a short sentence is but a place, time, condition, contrast or participle, or 'so' and who says it."""
    first = said[0]
    if first in CONTRASTS or first == "or":
        return True
    if first == "not":
        return _QUANTIFIERS.isdisjoint(said[1:2])
    if first == "so":
        return len(said) == _SO_THEY_SAY and said[1] in _PERSONS
    clause, _, added = (tokens(part) for part in sentence.partition(","))
    if len(added) > _ADDED or said[-1] in _EVERY:
        return False
    if first in _CONDITIONS or (len(said) == 1 and first.endswith("ly")):
        return True
    return _OWN_SUBJECT.isdisjoint(clause) and (first in _NARROWING or _is_done(said, 0))


def _is_of_another(said: tuple[str, ...]) -> bool:
    """Whether a short sentence tells of what 'it' or 'this' stands for that it was, is not, may be or is now."""
    if any(_is_done(said, at) and after in _OBJECTS for at, after in enumerate(said[1:])):
        return True
    if said[:1] == ("there",):
        return not NEGATIONS.isdisjoint(said)
    if said[1:2] == ("of",) and said[0] in NEGATIONS:
        return not _OBJECTS.isdisjoint(said[2:3])
    if _STANDING_FOR.isdisjoint(said[: _LED if said and said[0] in _LEADING else 1]):
        return False
    return not (_TURNING | _PAST).isdisjoint(said) or any(
        _is_done(said, at) and _PRESENT.isdisjoint(said[max(0, at - 2) : at]) for at in range(1, len(said))
    )


def _is_done(said: Sequence[str], at: int) -> bool:
    """Whether a word is a verb's past or participle, by its form."""
    word = said[at]
    return (word.endswith("ed") and len(word) > 4 and not word.endswith("eed")) or word in _UNDONE


def may_announce(text: str) -> bool:
    """Whether a sentence of *text* may say of what follows it that it is not so."""
    return any(mark in text for mark in _ANNOUNCING)


def announced(text: str) -> str:
    """The sentence of a paragraph, or of its beginning, that says of what follows that it is not so; '' without one."""
    every = enumerate(_told(text))
    found = (one for place, one in every if _announces(one) and (not place or len(one.split()) > _LABELLING))
    return _lead(next(found, ""))


def pointed(text: str, *, only_last: bool = False) -> str:
    """The sentence of a paragraph that says of what comes next that it is not so: 'Suppose the following'; or ''."""
    every = _told(text)
    return _lead(next((one for one in (every[-1:] if only_last else every) if _points_below(one)), ""))


def _told(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences_of(text, Span(0, len(text)))]


def _lead(sentence: str) -> str:
    return without_end(plain(sentence).rstrip("!."))


def _announces(sentence: str) -> bool:
    if _ANNOUNCED.match(sentence):
        return True
    said = _short(sentence)
    is_of_text = said[:1] and said[0] in _OBJECTS and not _TEXTS.isdisjoint(said[1:2])
    return ("below" in said or bool(is_of_text)) and _falsifies(sentence, said)


def _points_below(sentence: str) -> bool:
    said = _short(sentence)
    says_this = said[-1:] == ("this",) and not _SAYING.isdisjoint(said[-2:-1])
    return (says_this or not _POINTING.isdisjoint(said)) and _falsifies(sentence, said)


def _falsifies(sentence: str, said: tuple[str, ...]) -> bool:
    return not _FALSIFYING.isdisjoint(said) or _OF_A_TIME.search(sentence) is not None

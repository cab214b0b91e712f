"""Windows: the run of sentences of a record that matches the question best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.composer.query.matching import Matcher
from cortex.composer.query.types import asks, gives
from cortex.composer.values import Query, Window
from cortex.language.markdown import BlockKind, Span
from cortex.language.sentences import sentences_of
from cortex.language.source import blocks_of
from cortex.language.source import stated as stated_by
from cortex.language.stems import split
from cortex.language.words import NUMBER_WORDS
from cortex.regex import regex
from cortex.substrate.voice import own_words

CHARACTERS: Final = 400  # most a window holds
WHOLE: Final = 1000  # characters up to which a body is read from end to end
BESIDE: Final = 400  # characters read beside the passage that was found in a longer one
GIVES: Final = 0.2  # worth of a sentence that has the form of the answer, beside its likeness to the question
FOUND: Final = 0.2  # how much more a sentence is worth that stands in the passage which was found
ASKED: Final = 0.2  # share of its worth that a sentence keeps which asks
INTRODUCED: Final = 0.5  # share of the worth of a sentence ending in a colon that what follows it has too
FIELD: Final = 0.1  # share of its worth that a line of fields keeps: 'Status: accepted'
FIELDS: Final = regex(r"(?:\W*\w[\w -]{0,20}\**:\**[^\S\n]*[^\n:.]{0,40}(?:\n|$))+|\w+ \d{1,5}\.?")

EACH: Final = 0.15  # worth of any sentence: a fuller window shows more
COUNTED: Final = 4  # words between a number and what it counts
MADE: Final = ("pull", "commit")  # of a day and an author
_TITLED: Final = ("issue", "pull", "commit")


class Unit(NamedTuple):
    """A sentence, a table row or a block of code."""

    span: Span
    is_code: bool = False
    holds: frozenset[str] = frozenset()
    worth: float = 0.0
    asks: bool = False


def choose(query: Query, body: str, type_: str, within: Span, matcher: Matcher, title: str = "") -> Window:
    """The run of sentences with the highest total worth, at most `CHARACTERS` long.

    Args:
        type_: of the record; bodies of issues, pull requests and commits begin with their title.
        title: of code, which states its signature or its value.
        within: the passage that was found.
    """
    own = own_words(body, type_)
    text = own if own.strip() else body
    units = units_of(text, within, type_)
    if not units:
        end = min(within.end, within.start + CHARACTERS, len(body))
        (holds,) = matcher.holds([body[within.start : end]])
        return Window(Span(within.start, end), Span(within.start, end), holds, holds)
    weighed = _weighed(query, text, type_, units, within, matcher)
    first, last = _run(weighed)
    chosen = weighed[first : last + 1]
    best = max((one for one in chosen if not one.is_code), key=lambda one: one.worth, default=chosen[0])
    span = Span(chosen[0].span.start, min(chosen[-1].span.end, chosen[0].span.start + CHARACTERS))
    said = stated_by(title, query.stems) if type_ == "code" else ""
    given = query.recorded and type_ in MADE
    (titled,) = matcher.holds([said])
    stated = {
        (one.holds | titled, given or gives(query.type, told))
        for one in weighed
        if not (one.asks or (one.is_code and not said))
        and counts(query.counted, told := f"{said} {text[one.span.start : one.span.end]}", matcher)
    }
    return Window(span, best.span, frozenset().union(*(one.holds for one in chosen)), best.holds, tuple(stated))


def units_of(text: str, within: Span, type_: str) -> list[Unit]:
    """The sentences and code blocks of the passage and the text next to it, without headings."""
    start, end = (0, len(text)) if len(text) <= WHOLE or type_ == "code" else _region(text, within)
    units = []
    for block in blocks_of(text[start:end], type_):
        here = Span(start + block.start, start + block.end)
        if block.is_code:
            span = _trimmed(text, here)
            units.append(Unit(Span(span.start, min(span.end, span.start + CHARACTERS)), is_code=True))
        elif block.kind is not BlockKind.HEADING:
            units += [Unit(span) for span in sentences_of(text, here) if text[slice(*span)].strip("-=*_~|: \t\n")]
    return units


def _region(text: str, within: Span) -> tuple[int, int]:
    before = text.rfind("\n\n", max(0, within.start - BESIDE), within.start + 1)
    after = text.find("\n\n", max(within.start, within.end - 1), within.end + BESIDE)
    start = before + 2 if before >= 0 else within.start
    if text.count("```", 0, start) % 2:  # inside a block of code
        start = max(0, text.rfind("```", 0, start))
    return start, after if after >= 0 else min(len(text), within.end)


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span.start : span.end]
    return Span(span.start + len(piece) - len(piece.lstrip()), span.start + len(piece.rstrip()))


def _weighed(query: Query, text: str, type_: str, units: Sequence[Unit], within: Span, matcher: Matcher) -> list[Unit]:
    texts = [text[one.span.start : one.span.end] for one in units]
    held = matcher.holds(texts)
    weighed: list[Unit] = []
    introduced = 0.0
    for one, said, holds in zip(units, texts, held, strict=True):
        worth = matcher.likeness(holds)
        is_question = asks(said)
        if is_question:
            worth *= ASKED
        if type_ != "code" and FIELDS.fullmatch(said):
            worth *= FIELD
        if one.span.start or type_ not in _TITLED:
            worth += GIVES * gives(query.type, said)
            worth *= 1 + FOUND * (one.span.start < within.end and within.start < one.span.end)
        weighed.append(one._replace(holds=holds, worth=worth + introduced, asks=is_question))
        if said.endswith(":"):
            introduced = INTRODUCED * worth
        elif not (one.is_code or _begins_item(text, one.span)):
            introduced = 0.0
    return weighed


def _begins_item(text: str, span: Span) -> bool:
    line = text.rfind("\n", 0, span.start) + 1
    return text[line : span.start].strip() != "" or text[span.start] == "|"


def _run(units: Sequence[Unit]) -> tuple[int, int]:
    """First and last index of the best run that fits; the earliest and longest on ties."""
    best, most = (0, 0), -1.0
    for first, start in enumerate(units):
        total = 0.0
        for last in range(first, len(units)):
            if last > first and units[last].span.end - start.span.start > CHARACTERS:
                break
            total += units[last].worth + EACH
            if total > most + 1e-9:
                best, most = (first, last), total
    return best


def counts(noun: str, sentence: str, matcher: Matcher) -> bool:
    """Whether *sentence* has a number shortly before *noun* ('4 GB of free memory'); True without a noun."""
    if not noun:
        return True
    words = split(sentence)
    stems = matcher.stems(words)
    numbers = [place for place, word in enumerate(words) if word[0].isdecimal() or word in NUMBER_WORDS]
    return any(noun in stems[place + 1 : place + 1 + COUNTED] for place in numbers)


def excerpt(body: str, window: Span, said: Span) -> Span:
    """The span a citation shows: *said*, extended to the *window* and the text around it as far as it fits."""
    start = min(max(window.start, said.end - CHARACTERS), said.start)
    end = min(max(said.end, window.end), start + CHARACTERS)
    if end - start >= CHARACTERS:
        return Span(start, start + CHARACTERS)
    reach = min(len(body), start + CHARACTERS)
    if reach < len(body):
        border = max(body.rfind(" ", end, reach), body.rfind("\n", end, reach))
        reach = border if border > 0 else end
    end = max(end, end + len(body[end:reach].rstrip()))
    first = max(0, end - CHARACTERS)
    line = body.find("\n", first - 1, start) + 1 if first else 0
    return Span(start if first and not line else line, end)

"""Which sentences of a record answer: a window of its own characters, chosen by what its sentences say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from cortex.composer.answer_types import asks, gives
from cortex.composer.question import Question, likeness, stands_in_each
from cortex.language.markdown import Span, blocks
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer, split
from cortex.substrate.voice import own_words

EXCERPT_CHARACTERS: Final = 400

PARAGRAPH_CHARACTERS: Final = 4000
"""How far a paragraph is read on beside the passage that was found in it."""

WHOLE: Final = 1000
"""Characters of a body that is read from its beginning to its end."""

LINE_CHARACTERS: Final = 1000
"""How far back what a sentence's line begins with is looked for."""

GIVES: Final = 0.2
"""What a sentence is worth that holds what the question asks for, beside its coverage of the question's terms."""

FOUND: Final = 0.2
"""How much more a sentence is worth for standing in the passage that was found."""

INTRODUCED: Final = 0.5
"""What a list item or a table row is worth of the sentence that introduces it."""

_TITLED: Final = ("issue", "pull", "commit")


ASKED: Final = 0.5
"""What a sentence covers that asks itself, of what it would as an answer."""

_QUOTED: Final = re.compile(r"\n[ ]{0,3}>")

_UNDERLINED: Final = re.compile(r"[^\S\n]*\n[ ]{0,3}(?:={3,}|-{3,})[^\S\n]*(?:\n|\Z)")

_HEADING_MARKS: Final = ("#", "---", "===")

_HEAD: Final = re.compile(  # lines at the head of a record that tell of it
    r"(?:\W*(?:status|date|author|decider|decision[- ]maker|consulted|informed|supersede[sd]|superseded[- ]by"
    r"|severity|duration|tag|label)s?\**[^\S\n]*:[^\n]{0,80}(?:\n|$))+",
    re.I,
)

NOWHERE: Final = Span(0, 0)


class Quote(NamedTuple):
    """Characters of a record's body, the best sentence among them, and what that sentence covers.

    Attributes:
        window: at most EXCERPT_CHARACTERS, whole sentences where they fit.
        best: the sentence in it that says most of the question.
        covered: likeness to the question of the best sentence, 0 to 1.
        holds: what of the question its sentences have.
    """

    window: Span
    best: Span
    covered: float
    holds: AbstractSet[str] = frozenset()

    def excerpt(self, body: str) -> Span:
        """The window with what follows it, and the lines before it, as far as an excerpt goes.

        What the window leaves out for its length, or because it is code or a table, may be the very thing.
        """
        start, end = self.window
        if body[end : end + 1].strip():
            return self.window  # it is cut
        following = body[end : start + EXCERPT_CHARACTERS + 1]
        quoted = _QUOTED.search(following)
        reach = end + (quoted.start() if quoted else len(following))
        if reach > start + EXCERPT_CHARACTERS:
            reach = _word_border(body, start + EXCERPT_CHARACTERS)
        end = max(end, end + len(body[end:reach].rstrip()))
        first = max(0, end - EXCERPT_CHARACTERS)
        line = body.find("\n", first - 1, start) + 1 if first else 0
        before = f"\n{body[line:start]}"
        return Span(start, end) if (first and not line) or _QUOTED.search(before) else Span(line, end)


class _Sentence(NamedTuple):
    span: Span
    covered: float
    holds: AbstractSet[str]
    worth: float = 0.0


def quote(
    question: Question, body: str, type_: str, within: Span, stemmer: Stemmer, *, beside: Span = NOWHERE
) -> Quote:
    """The window that answers best: of a passage and its paragraphs the sentences that are worth most together.

    Args:
        type_: of the record; the bodies of issues, pull requests and commits begin with their title.
        within: the passage that was found; a body without prose, such as code, is quoted from its start.
        beside: a window that is quoted already, and not again.
    """
    own = own_words(body, type_)
    body = own if own.strip() else body
    spans = [span for span in _sentences(body, within) if not _overlap(span, beside)]
    if any(mark in body for mark in _HEADING_MARKS):
        spans = [span for span in spans if not _is_heading(body, span)] or spans
    spans = [span for span in spans if not _HEAD.fullmatch(body, span.start, span.end)] or spans
    if not spans:
        end = within.end if within.end > within.start else len(body.rstrip())  # nothing but others' words
        spans = [Span(within.start, min(end, within.start + EXCERPT_CHARACTERS))]
    told = _covered(question, body, spans, stemmer)
    if not any(one.covered for one in told):  # an identifier may stand in the code alone
        told = [one for one in _covered(question, body, _code(body, within), stemmer) if one.covered] or told
        spans = [one.span for one in told]
    first, last = 0, len(spans) - 1
    if spans[last].end - spans[first].start > EXCERPT_CHARACTERS:
        weighed = _introduced(body, [_weigh(question, body, type_, one, within) for one in told])
        first, last = _window(weighed, _whole(body, spans) if "\n|" in body else frozenset())
    best = max(told[first : last + 1], key=lambda one: one.covered)
    window = Span(spans[first].start, spans[last].end)
    holds: AbstractSet[str] = frozenset().union(*(one.holds for one in told[first : last + 1]))
    if window.end - window.start > EXCERPT_CHARACTERS:
        window = Span(window.start, _word_border(body, window.start + EXCERPT_CHARACTERS))
        (holds,) = stands_in_each(question, [body[slice(*window)]], stemmer)
    return Quote(window, best.span, best.covered, holds)


def beginning(passage: Span, holds: AbstractSet[str]) -> Quote:
    """The window of a passage that is not read, of which is known what it holds."""
    window = Span(passage.start, min(passage.end, passage.start + EXCERPT_CHARACTERS))
    return Quote(window, window, 0.0, holds)


def entire(question: Question, body: str, passage: Span, stemmer: Stemmer) -> Quote:
    """The window that is all of a passage, as far as an excerpt goes: what stands around it says nothing."""
    window = Span(passage.start, min(passage.end, passage.start + EXCERPT_CHARACTERS))
    (told,) = _covered(question, body, [window], stemmer)
    return Quote(window, window, told.covered, told.holds)


def opening(question: Question, body: str, found: Quote, stemmer: Stemmer) -> Quote:
    """*found* from the first sentence of *body* on; a window that begins there where both are too long together."""
    spans = [
        span for span in _sentences(body, Span(0, min(len(body), EXCERPT_CHARACTERS))) if not _is_heading(body, span)
    ]
    first = spans[0] if spans else found.window
    if first.start >= found.window.start:
        return found
    if found.window.end - first.start <= EXCERPT_CHARACTERS:
        return found._replace(window=Span(first.start, found.window.end))
    kept = [span for span in spans if span.end - first.start <= EXCERPT_CHARACTERS] or [first]
    told = _covered(question, body, kept, stemmer)
    end = min(kept[-1].end, first.start + EXCERPT_CHARACTERS)
    return Quote(Span(first.start, end), first, found.covered, {*found.holds}.union(*(one.holds for one in told)))


def _sentences(body: str, within: Span) -> list[Span]:
    """The sentences of the passage and of the paragraphs it begins and ends in, as far as anybody reads on."""
    if len(body) <= WHOLE:
        return [*sentences(body)]
    first, last = max(0, within.start - PARAGRAPH_CHARACTERS), within.end + PARAGRAPH_CHARACTERS
    before, end = body.rfind("\n\n", first, within.start), body.find("\n\n", within.end, last)
    start = before + 2 if before >= 0 else first
    if body.count("```", 0, start) % 2:  # in code, which would be read as prose from here
        start = max(first, body.rfind("```", 0, start))
    found = sentences(body[start : end if end > 0 else last])
    return [Span(start + span.start, start + span.end) for span in found] if start else [*found]


def _code(body: str, within: Span) -> Iterator[Span]:
    """The lines of code of the passage."""
    for block in blocks(body[within.start : within.end]):
        start = within.start + block.start
        for line in body[start : within.start + block.end].splitlines(keepends=True) if block.is_code else ():
            if line.strip(" `~\n"):
                yield Span(start, start + len(line.rstrip()))
            start += len(line)


def _covered(question: Question, body: str, spans: Iterable[Span], stemmer: Stemmer) -> list[_Sentence]:
    spans = [*spans]
    texts = [body[span.start : span.end] for span in spans]
    found = stands_in_each(question, texts, stemmer)
    weighs = [ASKED if asks(text) else 1.0 for text in texts]
    shares = [weight * likeness(question, stems) for weight, stems in zip(weighs, found, strict=True)]
    return [*map(_Sentence, spans, shares, found)]


def _weigh(question: Question, body: str, type_: str, told: _Sentence, within: Span) -> _Sentence:
    span, covered = told.span, told.covered
    if span.start == 0 and type_ in _TITLED:
        return _Sentence(span, covered, told.holds, covered)
    value = covered + GIVES * gives(question.type, body[span.start : span.end])
    return _Sentence(span, covered, told.holds, value * (1 + FOUND * _overlap(span, within)))


def _introduced(body: str, weighed: Sequence[_Sentence]) -> list[_Sentence]:
    """What a sentence ending in a colon introduces shares in its worth: the list is the answer, not its heading."""
    if not any(body.endswith(":", one.span.start, one.span.end) for one in weighed):
        return [*weighed]
    shared, told = 0.0, []
    for place, one in enumerate(weighed):
        if place and body[one.span.start - 1 : one.span.start] == " " and not _begins_line(body, one.span):
            shared = 0.0
        told.append(one._replace(worth=one.worth + shared))
        if body[one.span.start : one.span.end].endswith(":"):
            shared = INTRODUCED * one.worth
    return told


def _begins_line(body: str, span: Span) -> bool:
    return not _line_before(body, span).strip(" -*+•|0123456789.)[]xX")


def _window(weighed: Sequence[_Sentence], joined: AbstractSet[int]) -> tuple[int, int]:
    """First and last sentence of the run that fits and is worth most; of equals the earliest, and then the longest.

    Args:
        joined: the sentences that are not parted from the one before.
    """
    best, most = (0, 0), -1.0
    for first, start in enumerate(weighed):
        if first in joined:
            continue
        total = 0.0
        for last in range(first, len(weighed)):
            if last > first and weighed[last].span.end - start.span.start > EXCERPT_CHARACTERS:
                break
            total += weighed[last].worth + 0.01
            if total > most + 1e-9 and last + 1 not in joined:
                best, most = (first, last), total
    return best


def _whole(body: str, spans: Sequence[Span]) -> set[int]:
    """The rows of tables but the first of each, by their place among *spans*, of tables that fit as a whole."""
    joined: set[int] = set()
    table: list[int] = []
    for place, span in enumerate([*spans, NOWHERE]):
        is_row = span is not NOWHERE and body[span.start] == "|"
        if is_row and table and not body[spans[table[-1]].end : span.start].strip("|-: \t\n"):
            table.append(place)
            continue
        if len(table) > 1 and spans[table[-1]].end - spans[table[0]].start <= EXCERPT_CHARACTERS:
            joined.update(table[1:])
        table = [place] if is_row else []
    return joined


def is_head(text: str) -> bool:
    r"""Whether *text* is but a heading and lines that tell of what follows: 'Status: rejected', 'Severity: 1'.

    >>> is_head("# No cloud\nStatus: rejected\nDate: 2024-01-01"), is_head("# No cloud\nThere is no internet.")
    (True, False)
    """
    lines = text.removeprefix("#").partition("\n")[2] if text.startswith("#") else text
    return _HEAD.fullmatch(lines) is not None


def _overlap(span: Span, other: Span) -> bool:
    return span.start < other.end and other.start < span.end


def _is_heading(body: str, span: Span) -> bool:
    return _line_before(body, span).lstrip().startswith("#") or _UNDERLINED.match(body, span.end) is not None


def _line_before(body: str, span: Span) -> str:
    first = max(0, span.start - LINE_CHARACTERS)
    return body[(body.rfind("\n", first, span.start) + 1) or first : span.start]


def _word_border(body: str, end: int) -> int:
    border = max(body.rfind(" ", end - 40, end), body.rfind("\n", end - 40, end))
    return border if border > 0 else end


def words(text: str) -> set[str]:
    """The words of *text*, for checking that one text holds what another says."""
    return set(split(text))

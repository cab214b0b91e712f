"""Which sentences of a row answer: a window of its record's own characters around the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.retrieve.passages import coverage
from cortex.substrate.sentences import Span, sentences
from cortex.substrate.stems import Stemmer, split

EXCERPT_CHARACTERS: Final = 400


class Quote(NamedTuple):
    """Characters of a record's body, the best sentence among them, and what that sentence covers.

    Attributes:
        window: at most EXCERPT_CHARACTERS, whole sentences where they fit.
        best: the sentence that covers most of the question.
        covered: share of the question's weight the best sentence holds, 0 to 1.
    """

    window: Span
    best: Span
    covered: float


def quote(body: str, within: Span, weights: Mapping[str, float], stemmer: Stemmer) -> Quote:
    """The best window of `body[within]`, for the terms of *weights*.

    Ties go to the earlier sentence; headings are no sentences, and a passage without prose, such as code, is quoted
    from its start.
    """
    spans = [span for span in sentences(body) if span.start < within.end and span.end > within.start]
    spans = [span for span in spans if not _is_heading(body, span)] or spans
    if not spans:
        spans = [Span(within.start, min(within.end, within.start + EXCERPT_CHARACTERS))]
    covered = [coverage(weights, stemmer.among(weights.keys(), body[span.start : span.end])) for span in spans]
    best = max(range(len(spans)), key=lambda place: (covered[place], -place))
    return Quote(_window(body, spans, best), spans[best], covered[best])


def _window(body: str, spans: Sequence[Span], best: int) -> Span:
    """The best sentence, then what follows it, then what stands before it, as long as there is room.

    What a body begins with, often a title, leads a window only when it is the best itself.
    """
    start, end = spans[best]
    if end - start > EXCERPT_CHARACTERS:
        return Span(start, _word_border(body, start + EXCERPT_CHARACTERS))
    for span in spans[best + 1 :]:
        if span.end - start > EXCERPT_CHARACTERS:
            break
        end = span.end
    for span in reversed(spans[:best]):
        if end - span.start > EXCERPT_CHARACTERS or span.start == 0:
            break
        start = span.start
    return Span(start, end)


def _is_heading(body: str, span: Span) -> bool:
    return body[body.rfind("\n", 0, span.start) + 1 : span.start].lstrip().startswith("#")


def _word_border(body: str, end: int) -> int:
    border = max(body.rfind(" ", end - 40, end), body.rfind("\n", end - 40, end))
    return border if border > 0 else end


def words(text: str) -> set[str]:
    """The words of *text*, for checking that one text holds what another says."""
    return set(split(text))

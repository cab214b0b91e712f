"""Paragraphs cut into units: sentences, what defines a term, questions with their answers, and what introduces a list.

The same for every format a document is written in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill.cues import holds
from cortex.indexers.distill.unit import LONGEST, Shape, Unit
from cortex.language.markdown import Span
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import plain
from cortex.substrate.voice import DONE

_ENGLISH: Final = patterns("distill", "prose")
_TERMS: Final = patterns("distill", "terms")

TERM_WORDS: Final = 8
LONGEST_LEAD: Final = 240

_ATTRIBUTES: Final = re.compile(r"\s*\{:[^{}]*\}$")
_LABELS: Final = re.compile(r"[\w*`]:\s")
_MOST_LABELS: Final = 1
"""Labels in what says what a term is; what has more is a row of data, and one of three is nothing else."""


def sentences(text: str, block: Span, context: str = "") -> Iterator[Unit]:
    """The sentences of a paragraph; one that leans on another comes with it."""
    spans = list(sentences_of(text, block))
    texts = [_without_attributes(plain(text[span.start : span.end])) for span in spans]
    for place, span in enumerate(spans):
        start = place - 1 if place and leans(texts[place]) else place
        if span.end - spans[start].start > LONGEST:
            start = place
        shape: Shape = "term" if start == place and defines(text, span) else "sentence"
        said = " ".join(texts[start : place + 1])
        yield Unit(spans[start].start, span.end, said, context, shape, sentences=place + 1 - start)


def item(text: str, block: Span, context: str = "") -> Iterator[Unit]:
    """A paragraph of a list item, as one unit where it is short enough; what is only asked introduces nothing."""
    context = "" if context.endswith("?") else context
    spans = list(sentences_of(text, block))
    if not spans or spans[-1].end - spans[0].start > LONGEST:
        yield from (unit._replace(shape="item") for unit in sentences(text, block, context))
        return
    start, end = spans[0].start, spans[-1].end
    shape: Shape = "term" if defines(text, Span(start, end)) else "item"
    said = plain(text[start:end]).removeprefix(DONE).lstrip()
    yield Unit(start, end, said, context, shape, sentences=len(spans))


def definition(text: str, block: Span, term: str) -> Iterator[Unit]:
    """The sentences below *term*, of which the first says what it is."""
    first = None
    for unit in sentences(text, block, term):
        first = unit.start if first is None else first
        labels = len(_LABELS.findall(unit.text))
        if labels <= _MOST_LABELS + 1:
            yield unit._replace(shape="term") if unit.start == first and labels <= _MOST_LABELS else unit


def defines(text: str, span: Span) -> bool:
    """Whether a sentence says what a term is: '*Epoch* means …', '"Quorum" refers to …', '**Fence** — a number …'."""
    return any(_TERMS[form].match(text, span.start, span.end) for form in ("marked", "plain", "one", "said"))


def introduction(said: str) -> str:
    """What a paragraph, as it reads, says of the block after it: its last sentence before a colon, or a term."""
    if said.endswith(":"):
        last = [said[span.start : span.end] for span in sentences_of(said, Span(0, len(said)))][-1:]
        lead = (last[0] if last else said).rstrip(" :")
        return lead if len(lead) <= LONGEST_LEAD else ""
    return said if len(said.split()) <= TERM_WORDS and not said.endswith((".", "!", "?", "?*", "?**")) else ""


def _without_attributes(said: str) -> str:
    return _ATTRIBUTES.sub("", said) if said.endswith("}") else said


def leans(text: str) -> bool:
    """Whether a sentence cannot be read without the one before it."""
    said = text.lower()
    return holds(said, "that") or holds(said, "goes on") or _ENGLISH["points"].match(said) is not None

"""Documents cut into units: sentences, items, definitions and changes, each with what introduces it.

The same for every format a document is written in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cortex.indexers.connectors.outline import blocks_of
from cortex.indexers.distill.cues import leans
from cortex.indexers.distill.text import Text
from cortex.indexers.distill.unit import LONGEST, Shape, Unit
from cortex.language.markdown import Block, BlockKind, Span, unpacked
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import as_words, plain
from cortex.substrate.voice import DONE

_TERMS: Final = patterns("distill", "terms")

TERM_WORDS: Final = 8
LONGEST_LEAD: Final = 240

_ATTRIBUTES: Final = re.compile(r"\s*\{:[^{}]*\}$")
_LABELS: Final = re.compile(r"[\w*`]:\s")
_MOST_LABELS: Final = 1
"""Labels in what says what a term is; what has more is a row of data, and one of three is nothing else."""
_FEW: Final = 3
_LONGEST_ABOVE: Final = 200
_MARK: Final = re.compile(r"\s*(?:[-*+•]|\(?(?:\d{1,9}|#|[A-Za-z])[.)])\s+")
_CHANGE: Final = re.compile(r"\s*(?:\.\.[ \t]+|[`~]{3,}\{)(?:\w+:)*(\w+)(?:::|\})[ \t]*(\S*)\s*")
_CLOSED: Final = re.compile(r"(?<!\s)\s*+(?:[`~]{3,})?\s*+\Z")
_ARGUMENTS: Final = re.compile(r"(?<=\w)\(.*")
_BLANK: Final = re.compile(r"\n[ \t]*\n")
_CHANGES: Final = {
    "deprecated": "Deprecated since",
    "versionadded": "Added in",
    "versionchanged": "Changed in",
    "versionremoved": "Removed in",
}


@dataclass(slots=True)
class _Place:
    """Where blocks of one depth stand.

    Attributes:
        context: what introduces the list, or the term that is defined.
        lead: what the last paragraph says of what comes after it.
        told: the first paragraphs of an item, until something stands below it.
        below: what introduces that.
        term: whether `context` is a term; `begun` once its definition is read.
    """

    context: str = ""
    lead: str = ""
    told: list[str] | None = None
    below: str = ""
    term: bool = False
    begun: bool = False


def units(text: Text) -> Iterator[Unit]:
    """The units of a document, in order."""
    walk = _Walk(text.body)
    for block in unpacked(text.blocks, text.body) or blocks_of(text.path or text.ref, text.body):
        yield from walk.block(block)


class _Walk:
    def __init__(self, body: str) -> None:
        self.body = body
        self.places = [_Place()]

    def block(self, block: Block) -> Iterator[Unit]:
        if block.kind is BlockKind.HEADING:
            self.places = [_Place()]
            return
        del self.places[block.depth + 1 :]
        match block.kind:
            case BlockKind.PARAGRAPH:
                yield from self.paragraph(block)
            case BlockKind.ITEM:
                yield from self.item(block)
            case BlockKind.TERM:
                term = as_words(self.source(block)).partition(" : ")[0].rstrip(":")
                term = _ARGUMENTS.sub("", term)
                known = len(term.split()) <= TERM_WORDS and len(term) <= LONGEST_LEAD
                self.open(block.depth)
                self.places.append(_Place(term if known else "", term=known))
            case BlockKind.CHANGE:
                yield from self.change(block)
            case BlockKind.HEAD | BlockKind.ROW:  # a table is quoted whole, from its passage
                self.open(block.depth).lead = ""

    def source(self, block: Block) -> str:
        return self.body[block.start : block.end]

    def open(self, depth: int) -> _Place:
        """The place that a list or a term of *depth* begins in; an item there has something below it."""
        while len(self.places) <= depth:
            self.places.append(_Place(self.places[-1].lead))
        place = self.places[depth]
        if (told := place.told) is not None:
            place.told, place.below, place.lead = None, _above(" ".join(told)), ""
        return place

    def paragraph(self, block: Block) -> Iterator[Unit]:
        if len(self.places) <= block.depth:  # a definition whose term is the paragraph above
            self.open(block.depth).term = True
        place, source = self.places[block.depth], self.source(block)
        if place.told is not None:
            place.told.append(source)
            yield from item(self.body, block.span, place.context)
        elif place.term and not place.begun:
            place.begun = True
            yield from definition(self.body, block.span, place.context)
        else:
            yield from sentences(self.body, block.span, place.context if place.term else "")
        may_lead = ":" in source[-4:] or len(source) < LONGEST_LEAD
        place.lead = introduction(as_words(source)) if may_lead and not source.endswith("::") else ""

    def item(self, block: Block) -> Iterator[Unit]:
        """A list item with what introduces the list; what stands below an item stands under its words."""
        depth = max(block.depth, 1)
        if len(self.places) <= depth or self.places[depth].term:
            del self.places[depth:]
            above = self.open(depth - 1)
            self.places.append(_Place(above.lead or above.below or above.context))
            above.lead = ""
        context = self.places[depth].context
        self.places[depth] = _Place(context, told=[self.source(block)])
        mark = _MARK.match(self.body, block.start, block.end)
        yield from item(self.body, Span(mark.end() if mark else block.start, block.end), context)

    def change(self, block: Block) -> Iterator[Unit]:
        told = _CHANGE.match(self.body, block.start, block.end)
        if told is None or not told[2]:
            return
        closed = _CLOSED.search(self.body, told.end(), block.end)
        after = _BLANK.search(self.body, told.end(), block.end)
        end = min(one.start() for one in (closed, after) if one)
        said = plain(self.body[told.end() : end]).strip()
        since = f"{_CHANGES[told[1].lower()]} {told[2]}"
        place = self.places[min(block.depth, len(self.places) - 1)]
        if end - block.start <= LONGEST:
            said = f"{since}: {said}" if said else f"{since}."
            yield Unit(block.start, max(end, told.end(2)), said, place.context if place.term else "")


def _above(told: str) -> str:
    """What an item says of those below it; of a long one the sentence that introduces them, or else its first."""
    said = as_words(told)
    if len(said) > _LONGEST_ABOVE:
        spans = list(sentences_of(said, Span(0, len(said)))) or [Span(0, 0)]
        first, last = (said[slice(*span)] for span in (spans[0], spans[-1]))
        said = last if last.endswith(":") and len(last.split()) > _FEW else first
    return said.rstrip(" :") if len(said) <= _LONGEST_ABOVE and not said.endswith("::") else ""


def sentences(text: str, block: Span, context: str = "") -> Iterator[Unit]:
    """The sentences of a paragraph; one that leans on another comes with it."""
    spans = list(sentences_of(text, block))
    texts = [plain(text[span.start : span.end]) for span in spans]
    texts = [_ATTRIBUTES.sub("", said) if said.endswith("}") else said for said in texts]
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

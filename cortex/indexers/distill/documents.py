"""Documents cut into units: sentences, items, definitions and changes, each with what introduces it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cortex.indexers.connectors.outline import blocks_of
from cortex.indexers.distill.prose import LONGEST_LEAD, TERM_WORDS, definition, introduction, item, sentences
from cortex.indexers.distill.text import Text
from cortex.indexers.distill.unit import LONGEST, Unit
from cortex.language.markdown import Block, BlockKind, Span, unpacked
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import as_words, plain

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
    found = unpacked(text.blocks, text.body) or blocks_of(text.path or text.ref, text.body)
    return _Walk(text.body).units(found)


class _Walk:
    def __init__(self, body: str) -> None:
        self.body = body
        self.places = [_Place()]

    def units(self, found: Sequence[Block]) -> Iterator[Unit]:
        for block in found:
            yield from self.block(block)

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
            end = max(end, told.end(2))
            yield Unit(
                block.start, end, f"{since}: {said}" if said else f"{since}.", place.context if place.term else ""
            )


def _above(told: str) -> str:
    """What an item says of those below it; of a long one the sentence that introduces them, or else its first."""
    said = as_words(told)
    if len(said) > _LONGEST_ABOVE:
        spans = list(sentences_of(said, Span(0, len(said)))) or [Span(0, 0)]
        first, last = (said[slice(*span)] for span in (spans[0], spans[-1]))
        said = last if last.endswith(":") and len(last.split()) > _FEW else first
    return said.rstrip(" :") if len(said) <= _LONGEST_ABOVE and not said.endswith("::") else ""

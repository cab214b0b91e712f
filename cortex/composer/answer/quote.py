"""Quotation of a record, as Markdown: starts at the sentence that matches the question best beyond the title."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from textwrap import dedent
from typing import Final, NamedTuple

from cortex.composer.query.matching import Matcher
from cortex.composer.query.types import asks, gives
from cortex.composer.rank.windows import ASKED
from cortex.composer.values import AnswerType, Query, Scored
from cortex.indexers.distill.cues import leans
from cortex.language.changelogs import is_changelog
from cortex.language.markdown import LIST_MARK, Block, BlockKind, Span, unpacked
from cortex.language.sentences import sentences_of
from cortex.language.source import blocks_of, said_in
from cortex.regex import regex
from cortex.substrate.facts import addressed, plain
from cortex.substrate.quoting import INDENT, code, inert
from cortex.substrate.voice import own_words

NEAR: Final = 4_000  # characters beside the window that are read
RUN: Final = 220  # characters by which a sentence is judged, with those after it
OWN: Final = 0.5  # worth of what the sentence says beside that of the run
ALL: Final = 0.5  # worth of what the run says with the title's words beside that without
FOUND: Final = 0.2  # worth of a sentence of the window by which the record was ranked
TITLE: Final = 0.2  # worth of the first sentence of what is no document: as a rule a title, or a verdict
ANSWERS: Final = 0.4  # worth of the first sentence below a heading that asks
GIVES: Final = 0.1  # worth of the form of the answer, in the sentence and in the run
SHORT: Final = 110  # characters of items that come with those after them
LEANT_ON: Final = 120  # characters of a sentence that comes before one that leans on it


LISTED: Final = (BlockKind.ITEM, BlockKind.ROW)
_NOTED: Final = regex(r"\W*(?:\w+:? ){0,2}#\d+\W*|[\w-]+-by:.*")  # that it closes a thread, who else wrote it
UNSAID: Final = (BlockKind.HEADING, BlockKind.HEAD, BlockKind.ASIDE)


class Shown(NamedTuple):
    """A record's text with quoted replies blanked (offsets unchanged), and its blocks."""

    text: str
    blocks: Sequence[Block]


class Size(NamedTuple):
    """Length limits in characters: sentences begin within `begins`, prose ends at `ends`, code and lists at `whole`."""

    begins: int
    ends: int
    whole: int


class Quoted(NamedTuple):
    """A span of a record's body and its rendered quotation."""

    span: Span
    text: str


class _Unit(NamedTuple):
    """A sentence or code block with the numbers of its section and block; `alone` for changelog entries."""

    span: Span
    kind: BlockKind
    section: int
    block: int
    text: str
    alone: bool

    @property
    def is_code(self) -> bool:
        return self.kind is BlockKind.CODE

    @property
    def introduces(self) -> bool:
        return not self.is_code and self.text.endswith(":")


def quote(query: Query, one: Scored, matcher: Matcher, size: Size, besides: Collection[Span] = ()) -> Quoted | None:
    """Quote the part of *one* that answers the question: prose, with code, items and rows on separate lines.

    Args:
        besides: what was quoted of the record before; None where nothing else is left.
    """
    if one.row.type == "code":
        return None if besides else _of_source(one, size)
    read, window = shown(one), one.window.span
    near = Span(window.start - NEAR, window.end + NEAR)
    units = [
        unit
        for unit in _units(read, entries=one.row.type == "doc", alone=is_changelog(one.record["path"]))
        if _meet(unit.span, near) and not any(_meet(unit.span, at) for at in besides)
    ]
    if not units:
        return None if besides else Quoted(window, _cut(inert(plain(read.text[slice(*window)])), size.ends))
    first = _first(query, one, matcher, units)
    last = _last(query, units, first, size)
    if first and units[first - 1].section == units[first].section and _needs(units[first], units[first - 1]):
        first -= 1
    span = Span(units[first].span.start, units[last].span.end)
    return Quoted(span, _told(query, read, span, size))


def quoted_whole(one: Scored, span: Span, longest: int) -> str:
    """The characters *span* of a record, up to *longest*."""
    return _told(None, shown(one), span, Size(longest, longest, longest))


def shown(one: Scored) -> Shown:
    """The record of *one* with the blocks stored when it was indexed."""
    body = one.record["body"]
    own = own_words(body, one.row.type)
    own = own if own.strip() else body
    return Shown(own, unpacked(one.record["blocks"], body) or [*blocks_of(own, one.row.type)])


def _of_source(one: Scored, size: Size) -> Quoted:
    """Quote a docstring as prose and source as code."""
    body = own_words(one.record["body"], one.row.type)
    span = Span(one.window.best.start, max(one.window.best.end, one.window.span.end))
    text, longest = "", size.ends
    for block in blocks_of(body, "code"):
        told = body[max(span.start, block.start) : min(span.end, block.end)]
        if block.is_code and told.strip():
            text += code(_cut(dedent(told).strip("\n"), size.whole, at="\n"))
        elif longest > 0 and (said := inert(plain(said_in(told)))):
            text += (f"\n{INDENT}" if "\n" in text else " " if text else "") + _cut(said, longest)
            longest -= len(said)
    return Quoted(span, text)


def _units(read: Shown, *, entries: bool, alone: bool) -> Iterator[_Unit]:
    section = 0
    for number, block in enumerate(read.blocks):
        spans = [block.span] if block.is_code else sentences_of(read.text, block.span)
        if block.kind in UNSAID:
            section += block.kind is BlockKind.HEADING
            continue
        for span in spans:
            if (text := read.text[slice(*span)]).strip("-=*_~|: \t\n"):
                yield _Unit(span, block.kind, section, number if entries else 0, text, alone)


def _first(query: Query, one: Scored, matcher: Matcher, units: Sequence[_Unit]) -> int:
    """Index of the first sentence to quote: the run from it adds most to the title; earliest on ties."""
    held, (titled,) = matcher.holds(unit.text for unit in units), matcher.holds([one.row.title])
    best, most, answers = 0, -1.0, one.row.type == "doc" and asks(one.row.title)
    for first, unit in enumerate(units):
        last = _within(units, first, RUN, RUN)
        run = frozenset().union(*held[first : last + 1])
        worth = (
            matcher.likeness(run - titled) + ALL * matcher.likeness(run) + OWN * matcher.likeness(held[first] - titled)
        )
        text = " ".join(unit.text for unit in units[first : last + 1])
        worth += GIVES * (gives(query.type, unit.text) + gives(query.type, text)) + FOUND * _meet(
            unit.span, one.window.span
        )
        worth += (ANSWERS if answers else TITLE * (one.row.type != "doc")) * (not first)
        worth *= ASKED if asks(unit.text) else 1.0
        if worth > most + 1e-9:
            best, most = first, worth
    return best


def _within(units: Sequence[_Unit], first: int, begins: int, ends: int) -> int:
    """Index of the last unit of the same item or section that fits the limits *begins* and *ends*."""
    start, last = units[first].span.start, first
    for place, unit in enumerate(units[first + 1 :], first + 1):
        another = unit.block != units[first].block and units[first].kind in LISTED
        room = min(begins, 0 if unit.alone else SHORT) if another else begins
        beyond = unit.span.start - start > room or unit.span.end - start > ends
        if beyond or unit.section != units[first].section:
            break
        if not _NOTED.fullmatch(unit.text) and unit.text not in units[last].text:
            last = place
    return last


def _last(query: Query, units: Sequence[_Unit], first: int, size: Size) -> int:
    """Index of the last unit to quote; a list or code block that is asked for or introduced is quoted whole."""
    last = _within(units, first, size.begins, size.whole)
    rest = [unit for unit in units[last + 1 :] if unit.section == units[first].section]
    if rest and rest[0].is_code and (units[last].introduces or query.type is AnswerType.PROCEDURE):
        return last + 1
    if units[last].introduces or (query.type is AnswerType.LIST and units[last].kind in LISTED):
        start = units[first].span.start
        last += sum(
            1 for _ in takewhile(lambda unit: unit.kind in LISTED and unit.span.end - start <= size.whole, rest)
        )
    return last


def _needs(unit: _Unit, before: _Unit) -> bool:
    """Whether *unit* needs the unit before it: introduced code, or a sentence that refers back."""
    if unit.is_code:
        return before.introduces
    return unit.kind is before.kind and len(before.text) <= LEANT_ON and leans(plain(unit.text))


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _told(query: Query | None, read: Shown, span: Span, size: Size) -> str:
    """Render *span*: prose first, code in fences, items and rows on separate lines."""
    pieces = [block for block in read.blocks if _meet(block.span, span) and block.kind not in UNSAID]
    longest = size.whole if pieces and pieces[-1].kind in LISTED else size.ends
    lines: list[str] = []
    if sum(block.kind is BlockKind.ROW and read.text[block.start] == "|" for block in pieces) > 1:
        return f"\n{INDENT}".join(["", *_table(read, pieces[0], pieces)])
    for block in pieces:
        start, end = max(block.start, span.start), min(block.end, span.end)
        text = addressed(read.text[start:end]) if query and query.type is AnswerType.LINK else read.text[start:end]
        if block.is_code:
            shows = _cut("\n".join(lines_of(read.text[start:end])), size.whole, at="\n")
            lines += ["```", *code(shows).split(f"\n{INDENT}")[1:], "```"]
        elif longest > 0 and (said := inert(plain(text))):
            lines.append(_cut(f"{_mark(read, block, start) if len(pieces) > 1 else ''}{said}", longest))
            longest -= len(said)
    return f"\n{INDENT}".join(["", *lines] if lines and (lines[0] == "```" or lines[0].startswith("- ")) else lines)


def _table(read: Shown, first: Block, rows: Sequence[Block]) -> list[str]:
    """The lines of a table: the header above its *first* row, then *rows*."""
    head = [block for block in read.blocks if block.kind is BlockKind.HEAD and block.end <= first.start][-1:]
    lines = [inert(read.text[slice(*block.span)]) for block in [*head, *rows]]
    rule = [f"|{' --- |' * (lines[0].count('|') - 1)}"] if head else []
    return [*lines[:1], *rule, *lines[1:]]


def _mark(read: Shown, block: Block, at: int) -> str:
    """The list marker of an item quoted from its start, else ''."""
    mark = LIST_MARK.match(read.text, block.start, block.end)
    if block.kind is not BlockKind.ITEM or not mark or at > mark.end():
        return ""
    return f"{mark[0].strip() if mark[0].strip()[0].isdecimal() else '-'} "


def lines_of(block: str) -> list[str]:
    """The lines of a code block without fences and common indent."""
    lines = [line for line in block.expandtabs(4).splitlines() if not line.lstrip().startswith(("```", "~~~"))]
    return dedent("\n".join(lines)).strip("\n").split("\n")


def _cut(text: str, longest: int, at: str = " ") -> str:
    if len(text) <= longest:
        return text
    border = text.rfind(at, 0, longest)
    return f"{text[: border if border > 0 else longest]}…"

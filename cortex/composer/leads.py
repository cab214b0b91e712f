"""What a place in a text stands under that turns what is said there: 'Do not:', '## Rejected', 'Old behaviour:'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from cortex.composer.afterthoughts import announced, may_announce, pointed
from cortex.composer.claims import tokens
from cortex.composer.introductions import (
    begins_something,
    entitles,
    head_of_table,
    heads,
    introduces,
    introduction,
    turns_below,
    without_end,
)
from cortex.language.markdown import ITEM, Span, blocks
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import plain

_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+")
_UNDERLINED: Final = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*(?:\n|$)")
_BOLD: Final = re.compile(r"\s*(\*\*|__)(?:(?!\1).)+\1:?\s*")
_ITEM: Final = re.compile(rf"(\s*){ITEM}\s+")
_QUOTED: Final = re.compile(r"^[ ]{0,3}>+(?!=|[ ]?\d++(?![.)]\s)) ?", re.M)
_LABEL: Final = re.compile(r"\W*+((?:[\w.'’/-]++ ){0,4}[\w.'’/-]++)[*_`'\"”’)]*:[*_`'\"”’)]*(?=\s|$)")
_LONGEST: Final = 240
_BOLD_LEVEL: Final = 7
_FOLDED_LEVEL: Final = 8
_ANNOUNCED_LEVEL: Final = 9
_CODE: Final = " " * 4
_ENDS: Final = (".", "!", "?", ":", "…")
_FOLDED: Final = re.compile(r"<summary>((?:(?!<summary>).)*?)</summary>", re.S | re.I)
_UNFOLDED: Final = re.compile(r"</details>", re.I)
_HEADED: Final = ("directive", "doc")
"""Types of records that are titled by the headings they stand under."""

_TAKEN_OUT: Final = re.compile(r"^-[ ]?(?P<gone>\S[^\n]*)(?=\n\+[ ]?(?P<comes>\S[^\n]*))", re.M)
_BLANKED: Final = re.compile(r"\n[ ]{0,3}(?:>|[ ]{2,}(?=\n|$))")


class Block(NamedTuple):
    """A paragraph, item, row or heading, or code, with what turns it: the outermost first."""

    span: Span
    is_code: bool
    leads: tuple[str, ...] = ()
    is_indented: bool = False

    @property
    def shows_its_end(self) -> bool:
        """Whether it is code, be it by how far it is indented."""
        return self.is_code or self.is_indented


def unquoted(text: str) -> str:
    """*text* with the marks of quoted lines and lines that a change takes out blank, all else where it was."""
    if "\n+" in text:
        text = _TAKEN_OUT.sub(_without_taken_out, text)
    return _QUOTED.sub(lambda found: " " * len(found[0]), text) if ">" in text else text


def _without_taken_out(found: re.Match[str]) -> str:
    """Blank, where the line that comes for it has half of its words; else both are of a list."""
    gone, comes = ({*found[name].split()} for name in ("gone", "comes"))
    return " " * len(found[0]) if 2 * len(gone & comes) >= len(gone) else found[0]


@lru_cache(256)
def titled(title: str, type_: str) -> tuple[str, ...]:
    """The headings of a record's title from the first that turns what it says on.

    >>> titled("Agents › Never › In tests", "directive")
    ('Never', 'In tests')
    """
    parts = title.split(" › ") if type_ in _HEADED else []
    first = next((place for place, part in enumerate(parts) if entitles(part)), len(parts))
    return tuple(parts[first:])


def placed(title: str, type_: str) -> tuple[str, ...]:
    """The headings and lines of its file that a directive's title names, but those that only say that a rule follows.

    >>> placed("Agents › Python › Always", "directive")
    ('Python',)
    """
    return tuple(filter(introduces, title.split(" › ")[1:])) if type_ == "directive" else ()


@lru_cache(64)
def led(text: str, title: str, type_: str) -> tuple[Block, ...]:
    """The blocks of *text*, each with the headings and lines that turn it, but those of its record's *title*."""
    return tuple(_Reader(text, title, titled(title, type_)).blocks())


def leads_at(text: str, title: str, type_: str, place: int) -> tuple[str, ...]:
    """What turns what *text* says from *place* on, as it is read there: headings, a line before a list, a label."""
    found = _block_at(led(text, title, type_), place)
    return (*found.leads, *labelled(text[found.span.start : place])) if found else ()


def needed(leads: Iterable[str], text: str) -> tuple[str, ...]:
    """Those of *leads* with which *text* does not begin itself, as 'Never push' does under 'Never'."""
    return tuple(lead for lead in leads if not _begins(text, tokens(lead)))


def _begins(text: str, said: tuple[str, ...]) -> bool:
    return tokens(text[: _LONGEST + 9])[: len(said)] == said


def led_until(text: str, title: str, type_: str, place: int, *, past_code: bool = False) -> int:
    """How far a text may be read on from *place* as one: no further than to where a list or a part of it ends.

    Args:
        past_code: also to what stands below code, under none of what introduced that.
    """
    every = led(text, title, type_)
    first = _block_at(every, place)
    rest = every[every.index(first) :] if first else ()
    rest = rest[as_one((one.leads, past_code and one.shows_its_end) for one in rest) :]
    return rest[0].span.start if rest else len(text)


def as_one(every: Iterable[tuple[tuple[str, ...], bool]]) -> int:
    """How many blocks may be read as one from the first on: of each what turns it, and whether it shows its end.

    Each stands under all that is above the one before; what introduced code that shows its end ends with that.
    """
    above: tuple[str, ...] = ()
    count = 0
    for count, (leads, is_shown) in enumerate(every):
        if leads[: len(above)] != above:
            return count
        above = above if is_shown and count else leads
    return count + 1


@lru_cache(64)
def labelled(before: str) -> tuple[str, ...]:
    """The label that turns what a paragraph goes on with after *before*: 'Rejected: use Redis. …'."""
    label = ""
    for span in sentences_of(before, Span(0, len(before))):
        found = _LABEL.match(before, span.start, span.end)
        label = found[1] if found else label
    folded = [plain(found[1]) for found in _FOLDED.finditer(before)][-1:] if "<" in before else []
    told = announced(before) or pointed(before) if before and may_announce(before) else ""
    return (*filter(introduces, folded), *([label] if heads(label) else []), *filter(None, [told]))


def _block_at(every: tuple[Block, ...], place: int) -> Block | None:
    at = bisect_right(every, place, key=attrgetter("span.start")) - 1
    return every[at] if at >= 0 else None


class _Reader:
    """Reads a text from its beginning, and knows at each block what it stands under.

    `_above` is the paragraph right above what is read, `_before` what is said of it there, and `_outer` what is said of
    that paragraph, `_led_code` whether code stood below it; `_items` are those it may stand in, each with how far it is
    indented, and `_head` is a table's.
    """

    def __init__(self, text: str, title: str, titles: Sequence[str]) -> None:
        self._text, self._titles = text, titles
        self._title_end = len(title) if text.startswith(title) else 0
        self._headings: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._above = ""
        self._before: tuple[str, ...] = ()
        self._outer: tuple[str, ...] = ()
        self._head: str | None = None
        self._may_announce = may_announce(text)
        self._led_code = False

    def blocks(self) -> Iterator[Block]:
        """Each block; a heading and a line before a list stand under what is above them alone."""
        last = 0
        for span, is_code in ((block.span, block.is_code) for block in blocks(self._text)):
            told = self._text[span.start : span.end]
            if span.start < self._title_end:
                yield Block(span, is_code)
            elif not is_code and (level := self._level(told, span.end)):
                self._close(level)
                yield Block(span, is_code, self._leads())
                self._open(level, told)
            elif is_code:
                self._is_introduced()
                if not (self._items or any(map(turns_below, self._before))):
                    self._before = ()  # what it introduces goes on after it
                yield Block(span, is_code, self._leads())
            elif item := _ITEM.match(told):
                yield Block(span, is_code, self._item(told, len(item[1].expandtabs(4))))
            elif told.lstrip().startswith("|"):
                self._is_introduced()
                yield Block(span, is_code, (*self._leads(), *filter(None, [self._head])))
                self._head = head_of_table(told) if self._head is None else self._head
            else:
                leads = self._paragraph(told, self._text[last : span.start])
                yield Block(span, is_code, leads, self._led_code and not self._items)
            if "</" in told and _UNFOLDED.search(told):
                self._close(_FOLDED_LEVEL)
            last = span.end

    def _close(self, level: int) -> None:
        self._headings = [one for one in self._headings if one[0] < level]
        self._items, self._above, self._before, self._outer, self._head = [], "", (), (), None

    def _open(self, level: int, told: str) -> None:
        folded = _FOLDED.search(told) if level == _FOLDED_LEVEL else None
        heading = plain(folded[1] if folded else told)
        turns = introduces(heading) if folded else entitles(heading)
        heading = without_end(heading)
        self._headings.append((level, heading if turns and heading not in self._titles else ""))

    def _level(self, told: str, end: int) -> int:
        """Of a heading; 0 of anything else."""
        if marked := _HEADING.match(told):
            return len(marked[1])
        if "<" in told and (folded := _FOLDED.search(told)) and not plain(told[folded.end() :]):
            return _FOLDED_LEVEL
        if told.count("\n", 0, -1):
            return 0
        if _BOLD.fullmatch(told):
            return _BOLD_LEVEL
        under = not (_ITEM.match(told) or told.lstrip().startswith("|")) and _UNDERLINED.match(self._text, end)
        return (1 if under[1][0] == "=" else 2) if under else 0

    def _leads(self, *, of_list: bool = False) -> tuple[str, ...]:
        items = (introduction(told, of_list=of_list) for _, told in self._items)
        return tuple(filter(None, (*(lead for _, lead in self._headings), *self._before, *items)))

    def _is_introduced(self) -> None:
        if self._above:
            self._before = (*self._outer, introduction(self._above, of_list=True))
            self._above, self._outer = "", ()

    def _item(self, told: str, indent: int) -> tuple[str, ...]:
        self._is_introduced()
        self._items, self._head = [one for one in self._items if one[0] < indent], None
        leads = self._leads(of_list=True)
        self._items.append((indent, told))
        return leads

    def _paragraph(self, told: str, between: str) -> tuple[str, ...]:
        indented = told.expandtabs(4)
        self._head = None
        if self._items and indented[:1] == " ":
            return self._leads()
        self._items = []
        is_begun = begins_something(told)
        is_code = indented.startswith(_CODE) and not (is_begun or told.rstrip().endswith(_ENDS))
        if self._led_code and not is_code:
            self._above, self._outer = "", ()
        self._led_code = is_code
        lead = introduction(self._above, of_list=is_begun) if self._above else ""
        if self._may_announce and self._above and not lead and may_announce(self._above):
            lead = pointed(self._above, only_last=True)
        if lead and not turns_below(lead) and _BLANKED.search(between):
            lead = ""  # it introduced what somebody else said
        self._before = (*self._outer, lead) if lead else ()
        leads = self._leads()
        if not is_code:  # which introduces nothing, and what introduced it may go on
            self._above, self._outer = told, self._before if is_begun else ()
        self._before = ()
        if self._may_announce and may_announce(told) and (said := announced(told)):
            self._headings.append((_ANNOUNCED_LEVEL, said))
        return leads

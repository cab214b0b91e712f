"""What a place in a text stands under that turns what is said there: 'Do not:', '## Rejected', 'Old behaviour:'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from cortex.composer.claims import BINDING, LIMITS, NEGATIONS, TURNED, TURNED_FIRST, TURNED_PHRASES, tokens
from cortex.substrate.facts import plain
from cortex.substrate.sentences import Span, blocks, sentences_of

_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+")
_UNDERLINED: Final = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*(?:\n|$)")
_BOLD: Final = re.compile(r"\s*(\*\*|__)(?:(?!\1).)+\1:?\s*")
_ITEM: Final = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+")
_QUOTED: Final = re.compile(r"^[ ]{0,3}>+ ?", re.M)
_LABEL: Final = re.compile(r"\W*((?:[\w.'’/-]+ ){0,4}[\w.'’/-]+)[*_`'\"”’)]*:[*_`'\"”’)]*(?=\s|$)")
_LONGEST: Final = 240
_BOLD_LEVEL: Final = 7
_HEADED: Final = ("directive", "doc")
"""Types of records that are titled by the headings they stand under."""

_LONGEST_HEADING: Final = 5
"""Words of a heading that may turn what stands under it; a longer one says something of its own."""

_TELLS_WHAT: Final = ("what", "things", "who", "where")
_WHO_ACTS: Final = ("you", "we", "each", "every", "any")
_NARROWED: Final = TURNED | LIMITS
_INTRODUCING: Final = (TURNED | LIMITS | NEGATIONS | BINDING) - {"?"}


class Block(NamedTuple):
    """A paragraph, item, row or heading, or code, with what turns it: the outermost first."""

    span: Span
    is_code: bool
    leads: tuple[str, ...] = ()


def unquoted(text: str) -> str:
    """*text* with the marks of quoted lines blank, each other character where it was."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), text) if ">" in text else text


def titled(title: str, type_: str) -> tuple[str, ...]:
    """The headings of a record's title from the first that turns what it says on.

    >>> titled("Agents › Never › In tests", "directive")
    ('Never', 'In tests')
    """
    parts = title.split(" › ") if type_ in _HEADED else []
    first = next((place for place, part in enumerate(parts) if _heads(part)), len(parts))
    return tuple(parts[first:])


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


def _begins(text: str, said: list[str]) -> bool:
    return tokens(text[: _LONGEST + 9])[: len(said)] == said


def led_until(text: str, title: str, type_: str, place: int) -> int:
    """Where the text ends that stands under all that turns what it says at *place*; its length where nothing does."""
    every = led(text, title, type_)
    first = _block_at(every, place)
    if first is None or not first.leads:
        return len(text)
    rest = every[every.index(first) :]
    return next((one.span.start for one in rest if one.leads[: len(first.leads)] != first.leads), len(text))


def labelled(before: str) -> tuple[str, ...]:
    """The label that turns what a paragraph goes on with after *before*: 'Rejected: use Redis. …'."""
    label = ""
    for span in sentences_of(before, Span(0, len(before))):
        found = _LABEL.match(before, span.start, span.end)
        label = found[1] if found else label
    return (label,) if _heads(label) else ()


def _block_at(every: tuple[Block, ...], place: int) -> Block | None:
    at = bisect_right(every, place, key=attrgetter("span.start")) - 1
    return every[at] if at >= 0 else None


def _heads(lead: str) -> bool:
    """Whether a heading turns what stands under it: 'Never', 'What we do not do', not 'Packets that do not move'."""
    said = tokens(lead)
    if not said or lead.endswith("?"):
        return False
    is_short = len(said) <= _LONGEST_HEADING
    return (
        _begins_or_holds(said)
        or (is_short and not (_NARROWED.isdisjoint(said) and NEGATIONS.isdisjoint((*said[:2], said[-1]))))
        or (said[0] in _TELLS_WHAT and not NEGATIONS.isdisjoint(said))
    )


def _introduces(lead: str) -> bool:
    """Whether a line that ends in a colon turns what it introduces."""
    said = tokens(lead)
    return bool(said) and not lead.endswith("?") and (not _INTRODUCING.isdisjoint(said) or _begins_or_holds(said))


def _begins_or_holds(said: list[str]) -> bool:
    first = said[0] in TURNED_FIRST and not (said[1:2] and (said[1] in _WHO_ACTS or said[1].endswith("ing")))
    return first or any(phrase in " ".join(said) for phrase in TURNED_PHRASES)


class _Reader:
    """Reads a text from its beginning, and knows at each block what it stands under."""

    def __init__(self, text: str, title: str, above: Sequence[str]) -> None:
        self._text, self._above = text, above
        self._title_end = len(title) if text.startswith(title) else 0
        self._headings: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._before_list = ""
        self._head: str | None = None

    def blocks(self) -> Iterator[Block]:
        """Each block; a heading and a line before a list stand under what is above them alone."""
        for span, is_code in blocks(self._text):
            told = self._text[span.start : span.end]
            if span.start < self._title_end:
                yield Block(span, is_code)
            elif not is_code and (level := self._level(told, span.end)):
                self._headings = [one for one in self._headings if one[0] < level]
                self._items, self._before_list, self._head = [], "", None
                yield Block(span, is_code, self._leads())
                heading = plain(told).rstrip(" :")
                turns = heading not in self._above and _heads(heading)
                self._headings.append((level, heading if turns else ""))
            elif is_code:
                yield Block(span, is_code, self._leads())
                self._before_list = self._before_list if self._items else ""
            elif item := _ITEM.match(told):
                yield Block(span, is_code, self._item(told, len(item[1].expandtabs(4))))
            elif told.lstrip().startswith("|"):
                yield Block(span, is_code, (*self._leads(), *filter(None, [self._head])))
                self._head = _row(told) if self._head is None else self._head
            else:
                yield Block(span, is_code, self._paragraph(told))

    def _level(self, told: str, end: int) -> int:
        """Of a heading; 0 of anything else."""
        if marked := _HEADING.match(told):
            return len(marked[1])
        if told.count("\n", 0, -1):
            return 0
        if _BOLD.fullmatch(told):
            return _BOLD_LEVEL
        under = not (_ITEM.match(told) or told.lstrip().startswith("|")) and _UNDERLINED.match(self._text, end)
        return (1 if under[1][0] == "=" else 2) if under else 0

    def _leads(self) -> tuple[str, ...]:
        every = (*(lead for _, lead in self._headings), self._before_list, *(lead for _, lead in self._items))
        return tuple(filter(None, every))

    def _item(self, told: str, indent: int) -> tuple[str, ...]:
        self._items, self._head = [one for one in self._items if one[0] < indent], None
        leads = self._leads()
        self._items.append((indent, _introduction(told)))
        return leads

    def _paragraph(self, told: str) -> tuple[str, ...]:
        indent = len(told.expandtabs(4)) - len(told.expandtabs(4).lstrip())
        within = bool(self._items) and indent > 0
        if not within:
            self._before_list = "" if self._items else self._before_list
            self._items = []
        leads, self._head = self._leads(), None
        if not within:
            self._before_list = _introduction(told)
        return leads


def _introduction(told: str) -> str:
    """What a paragraph or item says of what is below it where that turns it: its last line, when it ends in a colon."""
    if told.rstrip(" \n*_`").endswith(":"):
        last = [told[span.start : span.end] for span in sentences_of(told, Span(0, len(told)))][-1:]
        text = plain(last[0] if last else told).rstrip(" :")
        return text if len(text) <= _LONGEST and _introduces(text) else ""
    text = plain(told) if len(told) <= _LONGEST else ""
    return text if _heads(text) and not text.endswith((".", "!", "…", ";", ",")) else ""


def _row(told: str) -> str:
    """A table's head, where it turns what stands in its columns."""
    cells = plain(told).rstrip(";")
    return cells if any(map(_heads, cells.split(" · "))) else ""

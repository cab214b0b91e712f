"""What a place in a text stands under that turns what is said there: 'Do not:', '## Rejected', 'Old behaviour:'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from cortex.composer.claims import (
    ACTING,
    ASKING,
    BINDING,
    LEFT_OPEN,
    LIMITS,
    NEGATIONS,
    NEUTRAL,
    POINTING,
    POINTING_FIRST,
    REFERRING,
    REFERRING_ENDS,
    TURNED,
    TURNED_FIRST,
    TURNED_PHRASES,
    tokens,
)
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
_FOLDED_LEVEL: Final = 8
_FOLDED: Final = re.compile(r"<summary>(.*?)</summary>", re.S | re.I)
_UNFOLDED: Final = re.compile(r"</details>", re.I)
_HEADED: Final = ("directive", "doc")
"""Types of records that are titled by the headings they stand under."""

_LONGEST_HEADING: Final = 5
"""Words of a heading that may turn what stands under it; a longer one says something of its own."""

_LONGEST_LABEL: Final = 3
"""Words of a whole sentence that is a heading: 'Not allowed.'."""

_LONGEST_CLAUSE: Final = 12
"""Words of a line without an end that is read as the beginning of what is below it."""

_TELLS_WHAT: Final = ("what", "things", "who", "where")
_WHO_ACTS: Final = ("you", "we", "each", "every", "any")
_NARROWED: Final = TURNED | LIMITS
_INTRODUCING: Final = (TURNED | LIMITS | NEGATIONS | BINDING) - {"?"}
_ONE_OF_SEVERAL: Final = re.compile(
    r"(?:option|variant|alternative|approach|proposal|candidate|choice)\W+\w{1,2}\b", re.I
)
_VERSION: Final = re.compile(r"\W*v?\d+(?:\.(?:\d+|x))+\W*", re.I)
_BLANKED: Final = re.compile(r"\n[ ]{0,3}(?:>|[ ]{2,}(?=\n|$))")
_COLONS: Final = (":", "：")
_ENDS: Final = " :：,;.…"


class Block(NamedTuple):
    """A paragraph, item, row or heading, or code, with what turns it: the outermost first."""

    span: Span
    is_code: bool
    leads: tuple[str, ...] = ()


def unquoted(text: str) -> str:
    """*text* with the marks of quoted lines blank, each other character where it was."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), text) if ">" in text else text


@lru_cache(256)
def titled(title: str, type_: str) -> tuple[str, ...]:
    """The headings of a record's title from the first that turns what it says on.

    >>> titled("Agents › Never › In tests", "directive")
    ('Never', 'In tests')
    """
    parts = title.split(" › ") if type_ in _HEADED else []
    first = next((place for place, part in enumerate(parts) if _entitles(part)), len(parts))
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
    """How far a text may be read on from *place* as one: no further than to where a list or a part of it ends."""
    every = led(text, title, type_)
    first = _block_at(every, place)
    above = first.leads if first else ()
    for one in every[every.index(first) :] if first else ():
        if one.leads[: len(above)] != above:
            return one.span.start
        above = one.leads
    return len(text)


def labelled(before: str) -> tuple[str, ...]:
    """The label that turns what a paragraph goes on with after *before*: 'Rejected: use Redis. …'."""
    label = ""
    for span in sentences_of(before, Span(0, len(before))):
        found = _LABEL.match(before, span.start, span.end)
        label = found[1] if found else label
    folded = [plain(found[1]) for found in _FOLDED.finditer(before)][-1:] if "<" in before else []
    return (*filter(_introduces, folded), *([label] if _heads(label) else []))


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
        or _ONE_OF_SEVERAL.match(lead) is not None
        or _VERSION.fullmatch(lead) is not None
    )


def _entitles(heading: str) -> bool:
    """Whether a heading turns what stands under it, or is the beginning of a sentence: 'We decided against'."""
    told = heading.rstrip(" :：")
    if heading != told and _introduces(told):
        return True
    said = tokens(told)
    is_begun = (
        0 < len(said) <= _LONGEST_CLAUSE
        and not told.endswith("?")
        and (said[-1] in LEFT_OPEN or not (said[0] in ASKING or ACTING.isdisjoint(said)))
        and not _is_neutral(said)
    )
    return is_begun or _heads(told)


def _introduces(lead: str) -> bool:
    """Whether what a line that ends in a colon introduces is said with it: but that says that something follows."""
    said = tokens(lead)
    return bool(said) and not _is_neutral(said)


def _is_neutral(said: Iterable[str]) -> bool:
    return NEUTRAL.issuperset(said)


def _points(line: str, said: list[str]) -> bool:
    """Whether a whole sentence speaks of the list below it: 'These are not allowed.'."""
    if not said or _is_neutral(said):
        return False
    turns = not _INTRODUCING.isdisjoint(said) or _begins_or_holds(said)
    if line.endswith("?"):
        return turns
    is_label = len(said) <= _LONGEST_LABEL and _heads(line)
    points = said[0] in POINTING_FIRST or not POINTING.isdisjoint(said)
    refers = not (REFERRING.isdisjoint(said) and REFERRING_ENDS.isdisjoint((said[0], said[-1])))
    return points or (turns and refers) or is_label


def _begins_or_holds(said: list[str]) -> bool:
    first = said[0] in TURNED_FIRST and not (said[1:2] and (said[1] in _WHO_ACTS or said[1].endswith("ing")))
    return first or any(phrase in " ".join(said) for phrase in TURNED_PHRASES)


class _Reader:
    """Reads a text from its beginning, and knows at each block what it stands under.

    `_above` is the paragraph right above what is read, `_before` what is said of it there; `_items` are those it may
    stand in, each with how far it is indented, and `_head` is that of the table.
    """

    def __init__(self, text: str, title: str, titles: Sequence[str]) -> None:
        self._text, self._titles = text, titles
        self._title_end = len(title) if text.startswith(title) else 0
        self._headings: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._above = self._before = ""
        self._head: str | None = None

    def blocks(self) -> Iterator[Block]:
        """Each block; a heading and a line before a list stand under what is above them alone."""
        last = 0
        for span, is_code in blocks(self._text):
            told = self._text[span.start : span.end]
            if span.start < self._title_end:
                yield Block(span, is_code)
            elif not is_code and (level := self._level(told, span.end)):
                self._close(level)
                yield Block(span, is_code, self._leads())
                self._open(level, told)
            elif is_code:
                self._is_introduced()
                self._before = self._before if self._items or _turns(self._before) else ""  # it goes on after it
                yield Block(span, is_code, self._leads())
            elif item := _ITEM.match(told):
                yield Block(span, is_code, self._item(told, len(item[1].expandtabs(4))))
            elif told.lstrip().startswith("|"):
                self._is_introduced()
                yield Block(span, is_code, (*self._leads(), *filter(None, [self._head])))
                self._head = _row(told) if self._head is None else self._head
            else:
                yield Block(span, is_code, self._paragraph(told, self._text[last : span.start]))
            if "</" in told and _UNFOLDED.search(told):
                self._close(_FOLDED_LEVEL)
            last = span.end

    def _close(self, level: int) -> None:
        self._headings = [one for one in self._headings if one[0] < level]
        self._items, self._above, self._before, self._head = [], "", "", None

    def _open(self, level: int, told: str) -> None:
        folded = _FOLDED.search(told) if level == _FOLDED_LEVEL else None
        heading = plain(folded[1] if folded else told)
        turns = _introduces(heading) if folded else _entitles(heading)
        heading = heading.rstrip(" :：")
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
        items = (_introduction(told, of_list=of_list) for _, told in self._items)
        return tuple(filter(None, (*(lead for _, lead in self._headings), self._before, *items)))

    def _is_introduced(self) -> None:
        if self._above:
            self._above, self._before = "", _introduction(self._above, of_list=True)

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
        self._before = _introduction(self._above) if self._above else ""
        if self._before and not _turns(self._before) and _BLANKED.search(between):
            self._before = ""  # it introduced what somebody else said
        leads = self._leads()
        self._above, self._before = told, ""
        return leads


@lru_cache(256)
def _introduction(told: str, *, of_list: bool = False) -> str:
    """What a paragraph or item says of what is below it, or '': its last sentence, when it ends in a colon.

    Args:
        of_list: a list is right below it, of which a whole sentence may speak and a line without an end always does.
    """
    told = told.rstrip(" \r\n*_`")
    is_begun = told.endswith(_COLONS)
    if not (is_begun or of_list):
        return ""
    last = [told[span.start : span.end] for span in sentences_of(told, Span(0, len(told)))][-1:]
    text = plain(last[0] if last else told)
    line, said = text.rstrip(_ENDS), tokens(text)
    if not is_begun and text.endswith((".", "!", "?")):
        return line if _points(text, said) else ""
    is_short = is_begun or len(said) <= _LONGEST_CLAUSE
    return line if _introduces(line) and (is_short or _turns(line)) else ""


def _turns(lead: str) -> bool:
    said = tokens(lead)
    return bool(said) and (not _INTRODUCING.isdisjoint(said) or _begins_or_holds(said))


def _row(told: str) -> str:
    """A table's head, where it turns what stands in its columns."""
    cells = plain(told).rstrip(";")
    return cells if any(map(_heads, cells.split(" · "))) else ""

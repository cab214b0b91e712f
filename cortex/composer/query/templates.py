"""Templates of questions: words, '[optional]', '(one|of|these)', '<phrase>', '{slot}' and '…*' for up to four times.

A template matches a question as a whole. `{kind}` takes what the tagger finds to be a kind; `{author:person}` takes a
person and calls it author. A slot is filled once: what would fill it again does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from cortex.regex import regex

_TOKEN: Final = regex(r"[()\[\]|*]|<[\w-]+>|\{[\w:]+\}|[^\s()\[\]|*<>{}]+")
_TIMES: Final = 4


class Span(NamedTuple):
    """The words a slot takes, up to *end*, and their value."""

    end: int
    value: object


Tagger = Callable[[str, int], Sequence[Span]]  # what of a type begins at a word, the likeliest first
Needs = tuple[frozenset[str], ...]
Slots = Mapping[str, object]
Parsed = Iterator[tuple[int, Slots]]


@dataclass(frozen=True)
class Word:
    """A word as it stands."""

    text: str

    @cached_property
    def first(self) -> frozenset[str]:
        """The words it may begin with; '' if it may be empty, '*' if any word."""
        return frozenset((self.text,))

    @cached_property
    def needs(self) -> Needs:
        """Sets of words, '*kind' for a slot of that type; a text must contain one of each set."""
        return (frozenset((self.text,)),)

    def parse(self, words: Sequence[str], at: int, slots: Slots, _: Tagger) -> Parsed:
        """Every end of a match that begins at word *at*, with the slots filled."""
        if at < len(words) and words[at] == self.text:
            yield at + 1, slots


@dataclass(frozen=True)
class Slot:
    """A slot, filled by the tagger."""

    name: str
    type: str
    first: frozenset[str] = frozenset("*")

    @cached_property
    def needs(self) -> Needs:
        """As of `Word`."""
        return (frozenset((f"*{self.type}",)),)

    def parse(self, words: Sequence[str], at: int, slots: Slots, tag: Tagger) -> Parsed:
        """As `Word.parse`."""
        if self.name not in slots and at < len(words):
            for end, value in tag(self.type, at):
                yield end, {**slots, self.name: value}


@dataclass(frozen=True)
class Sequel:
    """Parts in sequence."""

    parts: tuple[Part, ...]

    @cached_property
    def first(self) -> frozenset[str]:
        """As of `Word`."""
        found: set[str] = set()
        for part in self.parts:
            found |= part.first - {""}
            if "" not in part.first:
                return frozenset(found)
        return frozenset(found | {""})

    @cached_property
    def needs(self) -> Needs:
        """As of `Word`."""
        return tuple(need for part in self.parts for need in part.needs)

    def parse(self, words: Sequence[str], at: int, slots: Slots, tag: Tagger, place: int = 0) -> Parsed:
        """As `Word.parse`."""
        if place == len(self.parts):
            yield at, slots
            return
        if not _may_begin(self.parts[place], words, at):
            return
        for end, filled in self.parts[place].parse(words, at, slots, tag):
            yield from self.parse(words, end, filled, tag, place + 1)


@dataclass(frozen=True)
class Choice:
    """One of several parts, up to `times` times; an empty `Sequel` makes it optional."""

    parts: tuple[Part, ...]
    times: int = 1

    @cached_property
    def first(self) -> frozenset[str]:
        """As of `Word`."""
        return frozenset().union(*(part.first for part in self.parts), {""} if self.times > 1 else ())

    @cached_property
    def needs(self) -> Needs:
        """As of `Word`."""
        every = self.times == 1 and [part.needs for part in self.parts]
        return (frozenset().union(*(needs[0] for needs in every)),) if every and all(every) else ()

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[Part, ...]]:
        words = {*self.first}
        return {word: tuple(part for part in self.parts if part.first & {word, "", "*"}) for word in words}

    def parse(self, words: Sequence[str], at: int, slots: Slots, tag: Tagger, left: int = 0) -> Parsed:
        """As `Word.parse`."""
        left = left or self.times
        word = words[at] if at < len(words) else ""
        able = self._by_word.get(word) or self._by_word.get("*") or self._by_word.get("", ())
        for part in able:
            for end, filled in part.parse(words, at, slots, tag):
                yield end, filled
                if left > 1 and end > at:
                    yield from self.parse(words, end, filled, tag, left - 1)
        if self.times == left > 1:
            yield at, slots


Part = Word | Slot | Sequel | Choice


def template(text: str, phrases: Mapping[str, Part]) -> Part:
    """Compile *text*; '<name>' refers to the phrase of that name in *phrases*.

    >>> made = template("who [has] merged {number}", {})
    >>> dict(next(made.parse(["who", "merged", "#12"], 0, {}, lambda _, at: [Span(at + 1, 12)]))[1])
    {'number': 12}
    """
    tokens = [*_TOKEN.findall(text)][::-1]
    made = _choice(tokens, phrases)
    if tokens:
        raise ValueError(f"{tokens[-1]!r} closes nothing in {text!r}")
    return made


def parses(part: Part, words: Sequence[str], tag: Tagger) -> Iterator[Slots]:
    """The ways in which *part* matches all of *words*."""
    if _may_begin(part, words, 0):
        yield from (slots for end, slots in part.parse(words, 0, {}, tag) if end == len(words))


def _may_begin(part: Part, words: Sequence[str], at: int) -> bool:
    return not part.first.isdisjoint((words[at], "*", "") if at < len(words) else ("",))


def _choice(tokens: list[str], phrases: Mapping[str, Part]) -> Part:
    parts = [_sequel(tokens, phrases)]
    while tokens and tokens[-1] == "|":
        tokens.pop()
        parts.append(_sequel(tokens, phrases))
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))


def _sequel(tokens: list[str], phrases: Mapping[str, Part]) -> Part:
    parts: list[Part] = []
    while tokens and tokens[-1] not in "|)]":
        part = _part(tokens.pop(), tokens, phrases)
        if tokens and tokens[-1] == "*":
            tokens.pop()
            part = Choice(part.parts if isinstance(part, Choice) else (part,), _TIMES)
        parts.append(part)
    return parts[0] if len(parts) == 1 else Sequel(tuple(parts))


def _part(mark: str, tokens: list[str], phrases: Mapping[str, Part]) -> Part:
    if mark in "([":
        inner = _choice(tokens, phrases)
        tokens.pop()
        return inner if mark == "(" else Choice((inner, Sequel(())))
    if mark[0] == "<":
        return phrases[mark[1:-1]]
    if mark[0] == "{":
        name, _, type_ = mark[1:-1].partition(":")
        return Slot(name, type_ or name)
    return Word(mark)

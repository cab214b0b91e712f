"""What a citation's row says, taken apart as far as a sentence about it asks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from cortex.composer.afterthoughts import grouped, retracts
from cortex.composer.claims import FRAMES, ROLES, TURNED, Day, Word, begins_orders, composed, normal, words
from cortex.composer.cuts import TURNING, is_taken_back
from cortex.composer.leads import Block, as_one, labelled, led, needed, placed, titled, unquoted
from cortex.language.stems import Stemmer
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.voice import own_words

_POINTER: Final = re.compile(
    r"\s*\((?:(?:see|cf\.?|e\.g\.|for example)\s[^()]{0,200}|(?:[a-z]+\s){0,2}(?:\w+/\w+)?#\d+|https?://[^()\s]+"
    r"|was\s\d[\d.,]*\s?[\w%]{0,12})\)",
    re.I,
)
"""What stands in brackets and may be left out: it points elsewhere, gives an example, or tells what a value was."""

_APART: Final = re.compile(r"\w\W+\w|#")
"""What a name has that no word is."""

LATER_COMMENT: Final = "a later comment"
"""What an answer calls what took back something that was said in the same thread."""

_AROUND: Final = 200
_PLACED: Final = ("in", "of", "at", "on", "from")


class Told(NamedTuple):
    """A text in a form it may be quoted in.

    Attributes:
        starts: where its blocks begin: a line each paragraph, item and row.
        leads: what turns each of them.
        headings: what turns all of it.
        code: the places of those that are code.
    """

    text: str
    starts: list[int]
    leads: list[tuple[str, ...]]
    headings: tuple[str, ...] = ()
    code: frozenset[int] = frozenset()

    def leads_at(self, start: int, end: int) -> tuple[str, ...] | None:
        """What turns all that stands there; None where some that follows does not stand under all that is above it."""
        first, last = (bisect_right(self.starts, place) - 1 for place in (start, max(start, end - 1)))
        above = self.leads[first]
        every = range(first, last + 1)
        if as_one((self.leads[place], place in self.code) for place in every) < len(every):
            return None
        return needed((*self.headings, *above, *labelled(self.text[self.starts[first] : start])), self.text[start:end])


class Row:
    """What a citation's row says, taken apart as far as it is asked for.

    Args:
        body: of its record; '' where only the excerpt is known.
    """

    def __init__(self, citation: Citation, body: str, stemmer: Stemmer) -> None:
        self.citation, self.record, self.stemmer = citation, citation.record, stemmer
        whole = own_words(body or citation.excerpt, self.record.type)
        end = begins_orders(whole)
        self.body = whole[:end]
        at = max(0, (body or citation.excerpt).find(citation.excerpt))
        led_on = at + len(citation.excerpt) > end
        is_own = whole[at : at + len(citation.excerpt)].strip() or not citation.excerpt
        self._statement = citation.statement if is_own and not led_on else ""

    @cached_property
    def statement(self) -> str:
        """What its citation is said to say; '' where something turns that and is not said with it."""
        said = composed(self._statement)
        if not said:
            return ""
        prose = self._as(plain)
        place, is_turned = prose.text.find(said), False
        while place >= 0:
            end = place + len(said)
            if prose.leads_at(place, end) == () and not is_taken_back(prose.text[end - 1 : end + _AROUND]):
                return self._statement
            place, is_turned = prose.text.find(said, place + 1), True
        return "" if is_turned else self._statement

    @property
    def lines(self) -> Iterator[Told]:
        """What it says in the forms it may be quoted in: as prose, as written, and what it is said to say."""
        for form in (plain, str):
            yield self._as(form)
        yield Told(composed(self.statement), [0], [()])

    def _as(self, form: Callable[[str], str]) -> Told:
        return _told_as(form, self.text, self.record.title, self.record.type)

    @cached_property
    def text(self) -> str:
        """Its own words, the marks of quoted lines blank."""
        return unquoted(self.body)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of its text, each with what turns it."""
        return led(self.text, self.record.title, self.record.type)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The headings of its title that turn what it says."""
        return titled(self.record.title, self.record.type)

    @cached_property
    def places(self) -> frozenset[str]:
        """The headings of its title that turn nothing, and may be said."""
        return frozenset(placed(self.record.title, self.record.type)).difference(self.headings)

    @cached_property
    def title(self) -> list[Word]:
        """The words of its title."""
        return unlabelled(words(plain(self.record.title)))

    @cached_property
    def sentences(self) -> list[list[Word]]:
        """The words of its statement and of each sentence of its body, code line by line, also without pointers."""
        return [unlabelled(words(self.statement)), *(words(text) for text, leads in self._told if not leads)]

    @cached_property
    def led(self) -> list[list[Word]]:
        """The words of each sentence that something turns, after all that does: said as a whole or not at all."""
        every = [(text, " › ".join(leads)) for text, leads in self._told if leads]
        title = self.record.title
        found = [words(f"{lead}: {text}") for text, lead in every]
        return found + ([words(f"{title}: {text}") for text, _ in every] if self.headings else [])

    @cached_property
    def joined(self) -> list[list[Word]]:
        """The words of each sentence with those that belong to it: said as a whole or not at all."""
        prose = (one.span for one in self.blocks if not (one.is_code or one.leads or self.headings))
        groups = (group for span in prose for group in grouped(self.text, *span) if len(group) > 1)
        return [words(plain(self.text[first.start : last.end])) for first, *_, last in groups]

    @cached_property
    def _told(self) -> list[tuple[str, tuple[str, ...]]]:
        """Each sentence of its body as it is, and without pointers, with what turns it."""
        found = []
        for text, leads in _sentences(self.text, self.blocks):
            told = plain(text)
            every = needed((*self.headings, *leads), told)
            found.append((told, every))
            if "(" in told and (bare := _POINTER.sub("", told)) != told:
                found.append((bare, every))
        return found

    @cached_property
    def about(self) -> frozenset[str]:
        """Words that tell of the record as a whole: its type and state, and what happened to it."""
        record, kind = self.record, self.citation.kind or ""
        known = {*FRAMES[record.type], kind, *([] if re.search(r"\W", record.state) else [record.state])}
        known |= {verb for verb, fields in ROLES.items() if any(getattr(record, field, None) for field in fields)}
        known |= {verb for verb, ref in taken_back(record).items() if ref}
        known |= {"unmerged"} if record.type == "pull" and record.state == "closed" and not record.merged_at else set()
        known |= {"decided", "decision"} if kind in ("decision", "directive") else set()
        return frozenset(known | ({"someone"} if not record.author else set()))

    @cached_property
    def names(self) -> dict[str, str]:
        """What the record is called, where it is, its state, what took it back and what that did; the longest first."""
        record = self.record
        found = {one: "" for one in (*_called(record.ref), record.url, record.state) if _APART.search(one)}
        found |= {f"{at} {one}": "" for one in (record.path, self.citation.source) if one for at in _PLACED}
        if record.state in found:
            found[record.state] = next((verb for verb in ROLES if record.state.startswith(f"{verb} ")), "")
        for verb, ref in taken_back(record).items():
            named = {LATER_COMMENT} if ref.startswith("comment:") else _called(ref) if ref else set[str]()
            for one in named:
                found[f"{verb} {one}" if verb == "superseding" else f"{verb} by {one}"] = verb
                found |= {f"until {one}": ""} if verb != "superseding" else {}
        return {one.lower(): found[one] for one in sorted(found, key=len, reverse=True)}

    @cached_property
    def people(self) -> dict[str, set[str]]:
        """The people of its record, lower case, each with the fields that name them."""
        found: dict[str, set[str]] = {}
        for field in ("author", "merged_by", "closed_by", "assignees"):
            value = getattr(self.record, field, "")
            for name in (value,) if isinstance(value, str) else value:
                if name:
                    found.setdefault(name.lower(), set()).add(field)
        return found

    @cached_property
    def days(self) -> dict[str, Day]:
        """The dates of its record, by field."""
        fields = ("created_at", "closed_at", "merged_at")
        return {name: Day(day.year, day.month, day.day) for name in fields if (day := getattr(self.record, name))}

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character of its texts, composed or not."""
        record = self.record
        people = (record.author, record.merged_by, *record.assignees, *record.labels, record.path, record.ref)
        text = "".join((self.body, self.statement, record.title, record.state, *people))
        return frozenset(text) | frozenset(normal(text))

    def stem(self, token: str) -> str:
        """The stem of a word; names and what is not ASCII stand for themselves."""
        if not (token.isascii() and token.isalpha()):
            return token
        return self.stemmer.stem([token]).get(token, token)


@lru_cache(64)
def _told_as(form: Callable[[str], str], text: str, title: str, type_: str) -> Told:
    """What a record says, each block in *form*: several statements may cite one record."""
    blocks = led(text, title, type_)
    cut = [(text[one.span.start : one.span.end], one.is_code) for one in blocks]
    told = [
        composed("\n".join(map(form, block.splitlines())) if is_code else " ".join(form(block).split()))
        for block, is_code in cut
    ]
    starts = [*accumulate((len(one) + 1 for one in told), initial=0)]
    leads = [one.leads for one in blocks]
    code = frozenset(place for place, one in enumerate(blocks) if one.shows_its_end)
    return Told("\n".join(told), starts[:-1] or [0], leads or [()], titled(title, type_), code)


def unlabelled(said: list[Word]) -> list[Word]:
    """*said*, of which what stands before a colon may be left out, unless it turns what follows."""
    last = max((place for place, word in enumerate(said) if word.mark == ":"), default=0)
    if any(word.value in TURNING or word.value in TURNED for word in said[:last]):
        return said
    return [word._replace(mark="." if word.mark == ":" else word.mark) for word in said]


def taken_back(record: CitedRecord) -> dict[str, str]:
    """What of a record's history a frame may tell: the verb, and the ref it stands before."""
    return {
        "reverted": record.reverted_by,
        "superseded": record.superseded_by,
        "superseding": record.replaces,
        "amended": record.amended_by,
    }


def _called(ref: str) -> set[str]:
    """What an answer may call a record: 'PR #750', 'pull request 750', 'commit 1a2b3c4', 'pull:750'."""
    type_, _, name = ref.partition(":")
    kinds = {type_, *FRAMES.get(type_, ()), *(("pull request",) if type_ == "pull" else ())}
    found = {ref}
    for one in (name, name.partition("#")[0]):
        found |= {f"#{one}", *(f"{kind} {mark}{one}" for kind in kinds for mark in ("", "#"))} if one else set()
    return found | ({name} if re.search(r"[^\W\d]", name) else set())


def _sentences(text: str, blocks: Iterable[Block]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for (start, end), is_code, leads, _ in blocks:
        if is_code:
            yield from ((line, leads) for line in text[start:end].splitlines() if line.strip())
        elif every := grouped(text, start, end):
            is_retracted = retracts(text[end : end + _AROUND])
            for *_, span in every[:-1] if is_retracted else every:
                yield text[span.start : span.end], (*leads, *labelled(text[start : span.start]))

"""What a citation's row says, taken apart as far as a sentence about it asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from cortex.composer.claims import FRAMES, ROLES, Day, Word, begins_orders, normal, words
from cortex.composer.cuts import lines
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.sentences import Span, blocks, sentences_of
from cortex.substrate.stems import Stemmer
from cortex.substrate.voice import own_words

_PLACED: Final = ("in", "of", "at", "on", "from")


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
        self.statement = citation.statement if is_own and not led_on else ""

    @cached_property
    def lines(self) -> list[str]:
        """What it says in the forms it may be quoted in: a line each paragraph, item and row."""
        return [*lines(self.body), self.statement]

    @cached_property
    def title(self) -> list[Word]:
        """The words of its title."""
        return words(plain(self.record.title))

    @cached_property
    def sentences(self) -> list[list[Word]]:
        """The words of its statement and of each sentence of its body, code line by line."""
        return [words(self.statement), *(words(plain(text)) for text in _sentences(self.body))]

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
        found = {one: "" for one in (*_called(record.ref), record.url, record.state) if re.search(r"\w\W+\w|#", one)}
        found |= {f"{at} {one}": "" for one in (record.path, self.citation.source) if one for at in _PLACED}
        for verb, ref in taken_back(record).items():
            for one in _called(ref) if ref else ():
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


def taken_back(record: CitedRecord) -> dict[str, str]:
    """What of a record's history a frame may tell: the verb, and the ref it stands before."""
    return {
        "reverted": record.reverted_by,
        "superseded": record.superseded_by,
        "superseding": record.replaces,
    }


def _called(ref: str) -> set[str]:
    """What an answer may call a record: 'PR #750', 'pull request 750', 'commit 1a2b3c4', 'pull:750'."""
    type_, _, name = ref.partition(":")
    kinds = {type_, *FRAMES.get(type_, ()), *(("pull request",) if type_ == "pull" else ())}
    found = {ref}
    for one in (name, name.partition("#")[0]):
        found |= {f"#{one}", *(f"{kind} {mark}{one}" for kind in kinds for mark in ("", "#"))} if one else set()
    return found | ({name} if re.search(r"[^\W\d]", name) else set())


def _sentences(body: str) -> Iterator[str]:
    for block, is_code in blocks(body):
        if is_code:
            yield from filter(str.strip, body[block.start : block.end].splitlines())
        else:
            for span in sentences_of(body, Span(*block)):
                yield body[span.start : span.end]

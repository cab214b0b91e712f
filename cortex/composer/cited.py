"""What a citation's row says, taken apart as far as a sentence about it asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from cortex.composer.claims import FRAMES, ROLES, Claims, Day, begins_orders, claims, clauses, normal, tokens
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.sentences import Span, blocks, sentences_of
from cortex.substrate.stems import Stemmer


class Row:
    """What a citation's row says, taken apart as far as it is asked for.

    Args:
        body: of its record; '' where only the excerpt is known.
    """

    def __init__(self, citation: Citation, body: str, stemmer: Stemmer) -> None:
        self.citation, self.record, self.stemmer = citation, citation.record, stemmer
        whole = body or citation.excerpt
        self.body = whole[: begins_orders(whole)]
        led_on = len(self.body) < len(whole) and citation.excerpt not in self.body
        self.excerpt = "" if led_on else citation.excerpt
        self.statement = "" if led_on else citation.statement

    @cached_property
    def title(self) -> list[Claims]:
        """The clauses of its title."""
        return [*map(claims, clauses(plain(self.record.title)))]

    @cached_property
    def sentences(self) -> list[list[Claims]]:
        """The clauses of each sentence of its statement and its body, code line by line."""
        texts = [self.statement, *(plain(text) for text in _sentences(self.body))]
        return [[*map(claims, clauses(text))] for text in texts]

    @cached_property
    def about(self) -> frozenset[str]:
        """Words that tell of the record as a whole: its type, state, labels, place, and what happened to it."""
        record, kind = self.record, self.citation.kind or ""
        told = [record.state, kind, *record.labels, record.ref, record.path, self.citation.source]
        told += [record.reverted_by, record.replaces, record.superseded_by]
        words = {*FRAMES[record.type], *tokens("\n".join(told))}
        words |= {verb for verb, fields in ROLES.items() if any(getattr(record, field, None) for field in fields)}
        for verb, ref in taken_back(record).items():
            words |= {verb, "pr", "commit", "issue"} if ref else set()
        words |= {"labelled"} if record.labels else set()
        words |= {"decided", "decision"} if kind in ("decision", "directive") else set()
        return frozenset(words | ({"someone"} if not record.author else set()))

    @cached_property
    def places(self) -> list[str]:
        """Its paths, names and state, which may be said as a whole."""
        ref = self.record.ref
        told = {ref, ref.partition(":")[2], self.record.path, self.record.state, self.citation.source, self.record.url}
        taken = ((verb, *ref.partition(":")) for verb, ref in taken_back(self.record).items() if ref)
        told |= {f"{verb} {'' if verb == 'superseding' else 'by '}{type_} {name}" for verb, type_, _, name in taken}
        return sorted((one for one in told if re.search(r"\w\W+\w", one)), key=len, reverse=True)

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

    def stems(self, held: Iterable[Claims]) -> set[str]:
        """The stems of *held*."""
        return {self.stem(token) for clause in held for token in clause.tokens}

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


def _sentences(body: str) -> Iterator[str]:
    for block, is_code in blocks(body):
        if is_code:
            yield from filter(str.strip, body[block.start : block.end].splitlines())
        else:
            for span in sentences_of(body, Span(*block)):
                yield body[span.start : span.end]

"""Cite or recant: a statement stands only if what it says is in the row it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cortex.composer.compose.extractive import Statement
from cortex.composer.quote import words
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation
from cortex.substrate.stems import split

CITED: Final = re.compile(r"\[CITATION:([^\]\s]+)\]")

_QUOTED: Final = re.compile(r"“(.*)”(?=\s*\[CITATION:)")

_FRAME_WORDS: Final = frozenset(
    "pr issue commit by on in someone merged open closed reverted directive ownership outcome".split()
)


def standing(statements: Iterable[Statement], bodies: dict[str, str]) -> list[Statement]:
    """Those of *statements* that hold; the others are dropped, and with none left the answer is the refusal.

    Args:
        bodies: the body of every record that was among the rows, by source and ref: 'owner/name issue:496'.
    """
    return [one for one in statements if holds(one.text, [one.citation], bodies)]


def holds(text: str, citations: Sequence[Citation], bodies: dict[str, str]) -> bool:
    """Whether *text* cites some of *citations*, none else, says only what their rows do, and quotes word by word."""
    handles = CITED.findall(text)
    known = {citation.handle: citation for citation in citations}
    if not handles or any(handle not in known for handle in handles):
        return False
    cited = [known[handle] for handle in handles]
    said = words(CITED.sub("", text))
    if not said <= _FRAME_WORDS.union(*(_words_of(citation, bodies) for citation in cited)):
        return False
    return all(any(_says(citation, quoted, bodies) for citation in cited) for quoted in _QUOTED.findall(text))


def _says(citation: Citation, quoted: str, bodies: dict[str, str]) -> bool:
    """Whether the row has the words of *quoted* in this order, one after the other."""
    run = f" {' '.join(split(quoted))} "
    body = bodies.get(f"{citation.source} {citation.record.ref}", "")
    texts = (citation.excerpt, plain(citation.excerpt), citation.statement, body)
    return any(run in f" {' '.join(split(text))} " for text in texts)


def _words_of(citation: Citation, bodies: dict[str, str]) -> set[str]:
    record = citation.record
    stated = (
        citation.statement,
        citation.excerpt,
        record.ref,
        record.title,
        record.path,
        record.author,
        record.state,
        record.reverted_by,
    )
    days = (record.created_at, record.closed_at, record.merged_at)
    body = bodies.get(f"{citation.source} {record.ref}", "")
    return words(" ".join((*stated, *(day.date().isoformat() for day in days if day), body)))

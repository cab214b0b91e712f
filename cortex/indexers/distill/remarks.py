"""Comments and reviews cut into units: what their authors say themselves, without code, logs and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill.cues import PATTERNS
from cortex.indexers.distill.unit import LONGEST, WORD, Unit
from cortex.language.markdown import Span, blocks
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import plain

_ENGLISH: Final = patterns("distill", "remarks")

MOST_SENTENCES: Final = 3

_LOGGED: Final = _ENGLISH["logged"]
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_INDENTED: Final = re.compile(r"(?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*\n?\Z")
_SETTLED: Final = ("settles", "closes", "agreement", "group decided")
_LEANS: Final = ("that", "goes on", "tells of it")
_SHORT: Final = 8
_HEADLINE: Final = 60  # characters of a line of words and digits that introduces a list


def remarks(body: str, *, alone: bool = False) -> Iterator[Unit]:
    r"""The units of a comment, in order. A sentence that leans on the one before it comes with it, unless *alone*.

    >>> [unit.text for unit in remarks("Thanks!\n\n> Why?\n\nThe cache is stale. This breaks the build.")]
    ['Thanks!', 'The cache is stale.', 'The cache is stale. This breaks the build.']
    """
    seen = body
    if any(mark in body for mark in ("<", "--", "wrote:", "Conflicts:")):
        seen = _ENGLISH["hidden"].sub(lambda hidden: re.sub(r"[^\n]", " ", hidden[0]), body)
    introduced, first = "", True
    for block in blocks(seen):
        if block.is_code or _is_output(said := seen[block.start : block.end]):
            introduced = introduced if block.is_code else _headline(said)
            continue
        spans = list(sentences_of(seen, block.span))
        texts = [plain(seen[span.start : span.end]) for span in spans]
        item = _ITEM.match(seen, block.start, block.end) is not None
        context = introduced if item else ""
        for unit in _units(spans, texts, context, 1 if alone else MOST_SENTENCES):
            yield unit._replace(first=first, shape="item" if item else "sentence")
            first = False
        if not item:
            introduced = texts[-1].rstrip(" :") if texts and texts[-1].endswith(":") else ""


def _units(spans: list[Span], texts: list[str], context: str, most: int) -> Iterator[Unit]:
    for place, span in enumerate(spans):
        start = place
        while start and place - start < most - 1 and _leans(texts[start], texts[start - 1]):
            if span.end - spans[start - 1].start > LONGEST:
                break
            start -= 1
        if texts[place]:
            text = " ".join(texts[start : place + 1])
            yield Unit(spans[start].start, span.end, text, context if start == 0 else "", sentences=place + 1 - start)


def _leans(text: str, before: str) -> bool:
    if len(WORD.findall(before)) < _SHORT and any(PATTERNS[cue].search(before.lower()) for cue in _SETTLED):
        return True
    return any(PATTERNS[cue].search(text.lower()) for cue in _LEANS)


def _is_output(block: str) -> bool:
    """Whether a program wrote it: a log, a trace, what a shell showed; or a table, or code that is only indented."""
    if block.lstrip().startswith("|") or _LOGGED.search(block) or (_INDENTED.match(block) and not _ITEM.match(block)):
        return True
    letters = sum(character.isalpha() or character == " " for character in block)
    return letters < 0.7 * len(block)


def _headline(block: str) -> str:
    """*block* where it is one line of words that a list may follow, such as "Call on 2024-05-02:"; else nothing."""
    line = plain(block).rstrip(" :")
    return line if "\n" not in block.strip() and WORD.search(line) and len(line) <= _HEADLINE else ""

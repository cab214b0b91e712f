"""What a changelog tells of releases: the latest, when one was made, what changed in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cortex.composer.claims import normal
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.filters import MOST, WORD
from cortex.composer.rows import load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

SHOWN: Final = 3
"""Parts of a release that are shown: what was added, changed, removed."""

_FILE: Final = re.compile(r"(?:^|/)(?:changelog|changes|history|news|releases|release[-_ ]?notes)(?:\.\w+)?$", re.I)
_VERSION: Final = r"\d+(?:\.\d+)+(?:[-.]?(?:rc|alpha|beta|pre|dev|a|b)[-.]?\d*)?"
_HEADING: Final = re.compile(
    rf"(?:version|release)?\s*\[?v?({_VERSION})\b\]?[^\d]{{0,12}}(\d{{4}}-\d\d-\d\d)?[)\]]?", re.I
)
_NAMED: Final = re.compile(rf"(?<![\w.])v?({_VERSION})(?![\w]|\.\d)", re.I)
_NEWEST: Final = re.compile(r"\b(?:latest|newest|last|current|most recent)\b[\w ]{0,12}?\b(?:release|version)\b", re.I)
_EVERY: Final = re.compile(r"\b(?:which|what|list|how many)\b[^?]{0,20}?\b(?:releases|versions)\b", re.I)
_WHEN: Final = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b", re.I)
_CHANGES: Final = re.compile(
    r"\bwhat\b[^?]{0,30}?\b(?:new|chang\w*|add\w*|remov\w*|fix\w*|deprecat\w*|broke\w*)\b", re.I
)
_PARTS: Final = ("add", "chang", "remov", "fix", "deprecat", "secur")
_SAYS_NOTHING: Final = frozenset(
    """what which when is was were are the a an of in did does do we our us there it its this that have has had been be
    latest newest last current most recent stable release releases released version versions come came out get got
    published made make shipped ship tagged tag date day month year new changed changes change added add removed remove
    fixed fix deprecated deprecate broken how many list all any project library so far till until now with since v and
    number""".split()
)


class Part(NamedTuple):
    """A part of a release's notes.

    Attributes:
        version: as it is called: '0.7.1'.
        day: ISO 8601; '' where its heading does not tell.
        about: the heading below: 'Added'; '' where there is none.
        line: where it begins.
    """

    version: str
    day: str
    about: str
    record: int
    line: int

    @property
    def place(self) -> tuple[str, tuple[int, ...], bool]:
        """By which the newest is the largest."""
        return self.day, tuple(map(int, re.findall(r"\d+", self.version))), self.is_final

    @property
    def is_final(self) -> bool:
        """Whether it is no candidate or preview."""
        return re.search(r"[a-z]", self.version, re.I) is None


def find_releases(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The parts of a changelog that tell it, the newest release first; None where it asks for nothing of the kind."""
    text = normal(question.text)
    named = _NAMED.findall(text)
    asked = bool(named and (_WHEN.search(text) or _CHANGES.search(text))) or _NEWEST.search(text) or _EVERY.search(text)
    words = WORD.findall(_NAMED.sub(" ", text).lower())
    if not asked or question.numbers or not _SAYS_NOTHING.issuperset(words):
        return None
    parts = sorted(_parts(brain, question, sources), key=lambda part: (part.place, -part.line), reverse=True)
    if named:
        told = _about(text, [part for part in parts if part.version.lower() == named[0].lower()])
        return _rows(brain, told[:SHOWN], 0) if told else None
    firsts = [*{part.version: part for part in reversed(parts)}.values()][::-1]
    if not firsts:
        return None
    if _EVERY.search(text):
        return _rows(brain, firsts[:MOST], len(firsts) * bool(question.counted))
    newest = next((part for part in firsts if part.is_final), firsts[0])
    return _rows(brain, [part for part in parts if part.version == newest.version][:SHOWN], 0)


def _about(text: str, parts: Sequence[Part]) -> list[Part]:
    """Those below the heading that is asked for, where there is one such."""
    wanted = next((stem for stem in _PARTS if re.search(rf"\b{stem}", text, re.I)), "")
    under = [part for part in parts if wanted and part.about.lower().startswith(wanted)]
    return under or [*parts]


def _parts(brain: Brain, question: Question, sources: Sequence[int]) -> Iterable[Part]:
    rows = brain.db.execute(sql("headings_of_releases"), {"sources": json.dumps([*sources])})
    for record, path, title, line in rows:
        above = title.split(" › ")
        found = [(place, match) for place, part in enumerate(above) if (match := _HEADING.fullmatch(part[:60].strip()))]
        if not _FILE.search(path) or not found:
            continue
        place, match = found[0]
        part = Part(match[1], match[2] or "", above[place + 1] if above[place + 1 :] else "", record, line or 0)
        if not question.as_of or (part.day and part.day <= question.as_of[:10]):
            yield part


def _rows(brain: Brain, parts: Sequence[Part], total: int) -> list[Fused]:
    firsts = load_firsts(brain, [part.record for part in parts], as_of="")
    return [Fused(0.0, 1.0, firsts[part.record], None, "listed", total) for part in parts if part.record in firsts]

"""What a changelog tells of releases: the latest, when one was made, what changed in it and since."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Final

from cortex.composer.claims import normal
from cortex.composer.dates import DATE
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import (
    NAMED_VERSION,
    Part,
    Place,
    known_parts,
    of_log,
    place_of,
    read_changelogs,
)
from cortex.composer.retrieve.filters import MOST
from cortex.composer.retrieve.release_of import asks_for_deed, find_release_of, names_version
from cortex.composer.retrieve.release_spans import (
    BOUND,
    Spans,
    is_later,
    of_bound_logs,
    of_their_days,
    spans_of,
    within,
)
from cortex.composer.retrieve.release_words import names_in
from cortex.composer.rows import load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_END: Final = r"[\w ]{0,12}?\b(?:release|version)\b"
_NEWEST: Final = re.compile(
    rf"\b(?:latest|newest|newer|last|current|most recent)\b{_END}"
    r"|\b(?:release|version)\s+(?:is|was)\s+(?:the\s+)?(?:latest|newest|last|current|most recent)\b"
    r"|\bwhat (?:release|version) (?:are we|is it|is this) (?:on|at|now)\b",
    re.I,
)
_PREVIOUS: Final = re.compile(rf"\b(?:previous|preceding|penultimate)\b{_END}", re.I)
_OLDEST: Final = re.compile(rf"\b(?:first|oldest|earliest|initial)\b{_END}", re.I)
_NEXT: Final = re.compile(rf"\b(?:next|upcoming|coming|planned|unreleased)\b{_END}", re.I)
_OUT: Final = re.compile(r"\b(?:is|was|has|have)\b[^?]{0,40}?\b(?:released|out|shipped|published|tagged)\b", re.I)
_EVERY: Final = re.compile(
    r"\b(?:which|what|list|how many)\b[^?]{0,20}?\b(?:releases|versions)\b"
    r"|\b(?:which|what) (?:release|version) (?:came out|was (?:made|released|published|tagged))\b",
    re.I,
)
_WHEN: Final = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b", re.I)
_RELEASED: Final = re.compile(rf"\breleas\w+[^\w\n]*(?:date|on|of)?[^\w\n]*{DATE.pattern}", re.I)
_UNMADE: Final = re.compile(
    r"^[^\w\n*+-]*(?:(?:release )?(?:date|status)\W+)?"
    r"(?:(?:unreleased|(?:not yet|never) (?:released|published|came out)|to be released|tb[ad])\b)\W*$",
    re.I | re.M,
)
"""A line of a part that says of its release that there is none, as a heading may."""

_CHANGES: Final = re.compile(
    r"\b(?:what|which)\b[^?]{0,30}?\b(?:new|chang\w*|add\w*|remov\w*|fix\w*|deprecat\w*|broke\w*)\b", re.I
)
_INSIDE: Final = re.compile(r"\b(?:which|what)\s+(?:pull requests|pulls|prs)\b[^?]{0,20}?\bin\b", re.I)
"""What asks for the numbers that a part tells."""

_NUMBERED: Final = re.compile(r"#\d")
_BESIDE: Final = re.compile(
    r"(?:\b(?:release|version)|^\W*what (?:came|comes|was released))\s+"
    r"(?:(?:that|is|was|we|had|made|came|comes|out|released|right|just|directly|immediately)\s+){0,4}"
    r"(?:before|prior to|preced\w+|after|follow\w+)\b",
    re.I,
)
_OF_ENDS: Final = (_NEWEST, _PREVIOUS, _OLDEST)
_ASKS: Final = (*_OF_ENDS, _EVERY, _NEXT)
_ASKS_OF_ONE: Final = (*_ASKS, _WHEN, _CHANGES, _INSIDE, _OUT, _BESIDE)
_SINCE_LAST: Final = re.compile(r"\b(?:since|after) (?:the |our )?(?:latest|newest|last|current|most recent)\b", re.I)
_PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "secur": ("secur",),
        "add": ("add", "feature", "new", "enhance"),
        "remov": ("remov", "delet", "drop"),
        "fix": ("fix", "bug", "secur"),
        "deprecat": ("deprecat",),
    }
)
"""By how what changed is asked for, how the parts are headed that tell it."""

_OF_RELEASES: Final = re.compile(r"\b(?:release|version)", re.I)
_SHORTENED: Final = re.compile(r"['’](?:s|re|ve|d|ll)\b", re.I)


def find_releases(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The parts of a changelog that tell it, the newest release first; None where it asks for nothing of the kind.

    Returns:
        Empty where the changelog holds no such release, or no such part of it.
    """
    asked = _SHORTENED.sub(" ", normal(question.text))
    spans = spans_of(asked, question.today) if NAMED_VERSION.search(asked) or _OF_RELEASES.search(asked) else None
    if spans is None or question.numbers:
        return None
    named = [place_of(one) for one in NAMED_VERSION.findall(spans.text)]
    asks = any(one.search(spans.text) for one in (_ASKS_OF_ONE if named else _ASKS))
    if not (asks or asks_for_deed(spans.text)):
        return None
    every, today = read_changelogs(brain, sources=sources), question.today.isoformat() if question.today else ""
    of_deed = find_release_of(brain, spans.text, known_parts(of_log(every, (), ()), question.as_of, today))
    if of_deed or not asks:
        return [Fused(0.0, float(sure), row, None, "listed") for row, sure in of_deed[:MOST]] or None
    return _listed(brain, question, spans, every, sources)


def asks_for_end(question: Question, called: AbstractSet[str]) -> bool:
    """Whether it asks for the newest, the oldest or the next release of what is *called* so, and for nothing more."""
    text = _SHORTENED.sub(" ", normal(question.text))
    if not _OF_RELEASES.search(text) or question.numbers or NAMED_VERSION.search(text):
        return False
    return names_in(text) <= called and any(one.search(text) for one in (*_OF_ENDS, _NEXT))


def _listed(
    brain: Brain, question: Question, spans: Spans, every: Sequence[Part], sources: Sequence[int]
) -> list[Fused] | None:
    """Those of *every* part that tell which releases there are, when they were made and what changed in them."""
    text, today = spans.text, question.today.isoformat() if question.today else ""
    named = [place_of(one) for one in NAMED_VERSION.findall(text)]
    words = names_in(NAMED_VERSION.sub(" ", _INSIDE.sub(" ", text)))
    ever = of_log(every, words, named)
    parts = _without_unmade(brain, known_parts(ever, question.as_of, today))
    if not parts:
        return [] if any(part.day for part in ever) else None  # there was none yet
    told = _told(spans, parts, named)
    if told is None:
        titled = any(_is_titled(brain, question, version, sources) for version in NAMED_VERSION.findall(text))
        return [] if _OUT.search(text) and not titled else None
    unheaded = not (told or BOUND.search(text) or any(part.place in named for part in parts))
    if unheaded and names_version(brain, parts, NAMED_VERSION.findall(text)):
        return None  # a line of another release tells of it
    if counted := bool(question.counted and _EVERY.search(text)):
        told = _without_candidates(told)
    total = len(told) if counted else 0
    firsts = load_firsts(brain, [part.record for part in told[:MOST]], as_of="")
    rows = [(part, firsts[part.record]) for part in told[:MOST] if part.record in firsts]
    if _WHEN.search(text) and not any(part.day or _RELEASED.search(row.text) for part, row in rows):
        return None
    if _INSIDE.search(text) and not all(_NUMBERED.search(row.text) for _, row in rows):
        return None
    return [Fused(0.0, 1.0, row, None, "listed", total) for _, row in rows]


def _without_unmade(brain: Brain, parts: Sequence[Part]) -> list[Part]:
    """*parts*, of which the newest without a day are pending where a line of theirs says so."""
    undated = [part for part in _firsts(parts) if not (part.day or part.pending)][:MOST]
    firsts = load_firsts(brain, [part.record for part in undated]) if undated else {}
    texts = {_release(part): firsts[part.record].text for part in undated if part.record in firsts}
    unmade = {release for release, text in texts.items() if _UNMADE.search(text)}
    return [part._replace(pending=part.pending or _release(part) in unmade) for part in parts]


def _is_titled(brain: Brain, question: Question, version: str, sources: Sequence[int]) -> bool:
    """Whether a release that the changelog leaves out is told of by its commit or its pull request."""
    values = {"version": version, "as_of": question.as_of, "sources": json.dumps([*sources])}
    return bool(brain.db.execute(sql("is_release_titled"), values).fetchone()[0])


def _told(spans: Spans, parts: Sequence[Part], named: Sequence[Place]) -> list[Part] | None:
    """The parts that tell what is asked; None where that is of no release the changelog could hold."""
    text = spans.text
    if not named and (_NEXT.search(text) or _SINCE_LAST.search(text)):
        return [part for part in parts if part.pending]
    bounds = [*BOUND.finditer(text)]
    released = [part for part in parts if part.version and not part.pending and spans.hold(part)]
    released = within(of_bound_logs(released, bounds) if bounds else released, bounds, text)
    if _EVERY.search(text):
        return _firsts([part for part in released if _is_under(part, _wanted(text))])
    if any(one.search(text) for one in _OF_ENDS):
        ends = _ends_asked(text, released, named)
        if not named or bounds:
            return [part for part in parts if _release(part) in ends]
        own = [part for part in parts if part.place in named and _release(part) not in ends]
        return _firsts([part for part in parts if _release(part) in ends]) + _firsts(own)
    if bounds:
        beside = _BESIDE.search(text)
        ends = _ends(of_their_days(released, parts, bounds)) if beside else set()
        return _spread(_headed(text, [part for part in released if not beside or _release(part) in ends]))
    own = [part for part in parts if part.place in named]
    return _headed(text, own) if own or _CHANGES.search(text) else None


def _ends_asked(text: str, released: Sequence[Part], named: Sequence[Place]) -> set[tuple[object, str]]:
    """The newest, the oldest or the last but one of each changelog, whichever is asked for."""
    if _PREVIOUS.search(text) and not named:
        return _ends(_before(released, _ends(released)))
    if _NEWEST.search(text):
        return _ends(released)
    return _ends(released[::-1]) if _OLDEST.search(text) else set()


def _before(released: Sequence[Part], ends: AbstractSet[tuple[object, str]]) -> list[Part]:
    """*released* but what is as new as *ends* or newer."""
    newest = {part.log: part for part in released if _release(part) in ends}
    older = [part for part in released if part.log in newest and part.place < newest[part.log].place]
    return [part for part in older if not is_later(part, newest[part.log])]


def _without_candidates(parts: Sequence[Part]) -> list[Part]:
    """*parts* without candidates, where there are others; what was withdrawn was made too, and is listed as well."""
    return [part for part in parts if part.is_final] or [*parts]


def _release(part: Part) -> tuple[object, str]:
    return part.log, part.version


def _ends(parts: Sequence[Part]) -> set[tuple[object, str]]:
    """Of each changelog the first release that stands, of candidates only where there are no others."""
    ends: dict[object, Part] = {}
    for part in sorted(parts, key=lambda part: not part.is_final):
        if not part.withdrawn:
            ends.setdefault(part.log, part)
    return {_release(part) for part in ends.values()}


def _firsts(parts: Sequence[Part]) -> list[Part]:
    """The first part of each release."""
    return [*{_release(part): part for part in reversed(parts)}.values()][::-1]


def _wanted(text: str) -> tuple[str, ...]:
    """How the parts are headed that are asked for; () where all are."""
    return next((heads for stem, heads in _PARTS.items() if re.search(rf"\b{stem}", text, re.I)), ())


def _is_under(part: Part, wanted: Sequence[str]) -> bool:
    return not wanted or any(head in part.about.lower() for head in wanted)


def _headed(text: str, parts: Sequence[Part]) -> list[Part]:
    """Those below the headings that are asked for, then its first lines; all of a release that has none of the kind."""
    if not (wanted := _wanted(text)):
        return [*parts]
    heads = tuple({head for heads in (*_PARTS.values(), ("chang",)) for head in heads})
    headed = {_release(part) for part in parts if part.about.lower().startswith(heads)}
    under = [part for part in parts if _is_under(part, wanted)]
    told = {_release(part) for part in under}
    leads = [part for part in parts if not part.about and _release(part) in told]
    return [part for part in parts if part in under or _release(part) not in headed] + leads


def _spread(parts: Sequence[Part]) -> list[Part]:
    """As many as are shown, of each release its first before more of any."""
    shown = [*_firsts(parts)[:MOST]]
    shown += [part for part in parts if part not in shown][: max(0, MOST - len(shown))]
    return [part for part in parts if part in shown]

"""What a changelog tells of releases: the latest, when one was made, what changed in it and since."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Final

from cortex.composer.claims import normal
from cortex.composer.fuse import Fused
from cortex.composer.question import DATE, Question
from cortex.composer.retrieve.changelogs import VERSION, Part, Place, place_of, read_changelogs
from cortex.composer.retrieve.filters import MOST, WORD
from cortex.composer.rows import load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_NAMED: Final = re.compile(rf"(?<![\w.])v?({VERSION})(?![\w]|\.\d)", re.I)
_END: Final = r"[\w ]{0,12}?\b(?:release|version)\b"
_NEWEST: Final = re.compile(
    rf"\b(?:latest|newest|newer|last|current|most recent)\b{_END}"
    r"|\b(?:release|version)\s+(?:is|was)\s+(?:the\s+)?(?:latest|newest|last|current|most recent)\b"
    r"|\bwhat (?:release|version) (?:are we|is it|is this) (?:on|at|now)\b",
    re.I,
)
_OLDEST: Final = re.compile(rf"\b(?:first|oldest|earliest|initial)\b{_END}", re.I)
_NEXT: Final = re.compile(rf"\b(?:next|upcoming|coming|planned|unreleased)\b{_END}", re.I)
_OUT: Final = re.compile(r"\b(?:is|was|has|have)\b[^?]{0,40}?\b(?:released|out|shipped|published|tagged)\b", re.I)
_EVERY: Final = re.compile(r"\b(?:which|what|list|how many)\b[^?]{0,20}?\b(?:releases|versions)\b", re.I)
_WHEN: Final = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b", re.I)
_RELEASED: Final = re.compile(rf"\breleas\w+[^\w\n]*(?:date|on|of)?[^\w\n]*{DATE.pattern}", re.I)
_CHANGES: Final = re.compile(
    r"\b(?:what|which)\b[^?]{0,30}?\b(?:new|chang\w*|add\w*|remov\w*|fix\w*|deprecat\w*|broke\w*)\b", re.I
)
_BESIDE: Final = re.compile(
    r"\b(?:release|version)\s+(?:(?:that|is|was|we|had|made|came|comes|released|right|just|directly|immediately)\s+){0,4}"
    r"(?:before|prior to|preced\w+|after|follow\w+)\b",
    re.I,
)
_ASKS: Final = (_NEWEST, _OLDEST, _EVERY, _NEXT)
_ASKS_OF_ONE: Final = (*_ASKS, _WHEN, _CHANGES, _OUT, _BESIDE)
_BOUND: Final = re.compile(
    r"\b(?:(?P<above>since|after|from|between|newer(?: (?:version|release))? than|follow\w+)"
    r"|(?P<below>before|prior to|older than|preced\w+)|(?P<to>until|till|up to|through|to|and))"
    rf"\s+(?:(?:the|version|release)\s+)*v?(?P<version>{VERSION})(?![\w]|\.\d)",
    re.I,
)
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

_SAYS_NOTHING: Final = frozenset(
    """what which when is was were are the a an of in did does do we our us there it its this that have has had been be
    latest newest newer last current most recent first oldest earliest initial stable next upcoming coming planned
    unreleased yet already out on at stand release releases released version versions come came get got published made
    make shipped ship tagged tag date day month year new changed changes change add added remove removed fix fixed fixes
    bugs features security deprecated deprecate broke broken how many list all any project package library so far until
    till up to through before prior older than after from between now with since v and number
    preceding preceded precedes following followed follows right just directly immediately""".split()
)


def find_releases(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The parts of a changelog that tell it, the newest release first; None where it asks for nothing of the kind.

    Returns:
        Empty where the changelog holds no such release, or no such part of it.
    """
    text = normal(question.text)
    named = [place_of(one) for one in _NAMED.findall(text)]
    if question.numbers or not any(one.search(text) for one in (_ASKS_OF_ONE if named else _ASKS)):
        return None
    words = frozenset(WORD.findall(_NAMED.sub(" ", text).lower())) - _SAYS_NOTHING
    ever = _of_log(read_changelogs(brain, sources=sources), words, named)
    parts = _known(ever, question.as_of, question.today.isoformat() if question.today else "")
    if not parts:
        return [] if any(part.day for part in ever) else None  # there was none yet
    told = _told(text, parts, named)
    if told is None:
        titled = any(_is_titled(brain, question, version, sources) for version in _NAMED.findall(text))
        return [] if _OUT.search(text) and not titled else None
    total = len(told) if question.counted and _EVERY.search(text) else 0
    firsts = load_firsts(brain, [part.record for part in told[:MOST]], as_of="")
    rows = [(part, firsts[part.record]) for part in told[:MOST] if part.record in firsts]
    if _WHEN.search(text) and not any(part.day or _RELEASED.search(row.text) for part, row in rows):
        return None
    return [Fused(0.0, 1.0, row, None, "listed", total) for _, row in rows]


def _of_log(parts: Sequence[Part], words: AbstractSet[str], named: Sequence[Place]) -> list[Part]:
    """Of each source the parts of the changelog of what *words* call so: of the whole project's before a package's."""
    asked = [part for part in parts if words <= part.called]
    least: dict[str, int] = {}
    for part in asked:
        source, folders, _ = part.log
        least[source] = min(len(folders), least.get(source, len(folders)))
    of_all = [part for part in asked if len(part.log[1]) == least[part.log[0]]]
    known = not named or any(part.place in named for part in of_all)
    return of_all if known or not any(part.place in named for part in asked) else asked


def _is_titled(brain: Brain, question: Question, version: str, sources: Sequence[int]) -> bool:
    """Whether a release that the changelog leaves out is told of by its commit or its pull request."""
    values = {"version": version, "as_of": question.as_of, "sources": json.dumps([*sources])}
    return bool(brain.db.execute(sql("is_release_titled"), values).fetchone()[0])


def _known(parts: Sequence[Part], as_of: str, today: str) -> list[Part]:
    """The parts of which it was known then, those of a day that is still to come as pending.

    One without a day was there when a newer one was; where today is not known, what is dated was made.
    """
    if not as_of:
        return [part._replace(pending=part.pending or "" < today < part.day) for part in parts]
    then = [part for part in parts if part.day and part.last_day <= as_of[:10]]
    dated = [(part.log, part.place) for part in then]
    return [
        part
        for part in parts
        if part in then or (not part.day and any(part.log == log and part.place <= place for log, place in dated))
    ]


def _told(text: str, parts: Sequence[Part], named: Sequence[Place]) -> list[Part] | None:
    """The parts that tell what is asked; None where that is of no release the changelog could hold."""
    if not named and (_NEXT.search(text) or _SINCE_LAST.search(text)):
        return [part for part in parts if part.pending]
    released = [part for part in parts if part.version and not part.pending]
    bounds = [*_BOUND.finditer(text)]
    for match in bounds:
        released = [part for part in released if _is_within(part.place, match, text)]
    if _EVERY.search(text):
        return _firsts([part for part in released if _is_under(part, _wanted(text))])
    if (newest := _NEWEST.search(text)) or _OLDEST.search(text):
        ends = _ends(released if newest else released[::-1])
        if not named or bounds:
            return [part for part in parts if _release(part) in ends]
        own = [part for part in parts if part.place in named and _release(part) not in ends]
        return _firsts([part for part in parts if _release(part) in ends]) + _firsts(own)
    if bounds:
        ends = _ends(released[::-1] if bounds[0]["above"] else released) if _BESIDE.search(text) else set()
        return _spread(_headed(text, [part for part in released if not ends or _release(part) in ends]))
    own = [part for part in parts if part.place in named]
    return _headed(text, own) if own or _CHANGES.search(text) else None


def _is_within(place: Place, bound: re.Match[str], text: str) -> bool:
    border = place_of(bound["version"])
    if bound["above"]:
        return place > border
    if bound["below"]:
        return place < border
    return place <= border or (bound["to"].lower() == "and" and "between" not in text.lower())


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

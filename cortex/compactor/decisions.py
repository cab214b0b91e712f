"""Decisions that a later one overtook and that stand all the same: given then taken, set anew, renamed again.

Each is told by the titles of merged pull requests and commits. For each thing only the last word and the last one
against it are reported.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.compactor.job import Contradiction, Side, contradiction
from cortex.indexers.distill.machines import MACHINE
from cortex.language.changes import Certainty, StatedChange, bare_title, parse, title_scope
from cortex.language.patterns import words
from cortex.language.quantities import quantity
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.compaction import decisions_of

Stems = Callable[[str], Sequence[str]]  # the stems of a text, in order
_GIVES: Final = (Op.ADDS, Op.RELANDS)
_NAMES: Final = {Op.RENAMES: "renames", Op.REPLACES: "switches"}
_VAGUE: Final = words("compactor", "titles_vague")
_KIND: Final = words("compactor", "titles_kind")
"""Stems that say what kind of thing a name is, or in what state: the thing is the same without."""
_SOME: Final = words("compactor", "titles_some")
_LIMITS: Final = words("compactor", "titles_limits")
_SPECIFIC: Final = re.compile(r"[^\W_]_[^\W_]|[a-z][A-Z]|::|(?<!\S)--\w|\w\.\w|`")
_NAME_WORDS: Final = 2


class Change(NamedTuple):
    """One thing that a title says was done.

    Attributes:
        kind: 'gives', which says whether *what* is there by `positive`; 'sets'; 'renames'; 'switches'.
        what: stems of what it was done to; of a new name.
        value: what was set, or the stems of the name that was given up.
    """

    kind: str
    scope: str
    what: frozenset[str]
    positive: bool = True
    value: str | frozenset[str] = ""
    specific: bool = False


def changes(title: str, stems: Stems) -> list[Change]:
    """What *title* says was done, in every way it can be read.

    >>> changes("parser: drop lookahead_limit", lambda text: text.lower().split())[0][:4]
    ('gives', 'parser', frozenset({'lookahead_limit'}), False)
    """
    scope, said = title_scope(bare_title(title))
    stated = next(iter(parse(said)), None)
    if stated is None:
        return []
    if stated.op is Op.AMENDS and stated.new:
        return _set(scope, stated, stems)
    if stated.op in _NAMES:
        return _named(scope, stated, stems)
    if stated.op not in (*_GIVES, Op.REMOVES):
        return []
    positive = (stated.op in _GIVES) != (stated.certainty is Certainty.DENIED)
    what, specific = _thing(said[stated.start :], stated.subject, stems)
    return [Change("gives", scope, what, positive, specific=specific)] if what else []


def _set(scope: str, stated: StatedChange, stems: Stems) -> list[Change]:
    what, value = _content(stated.subject, stems), quantity(stated.new)
    limits = value and len(what) > 1 and not _LIMITS.isdisjoint(split(stated.subject))
    return [Change("sets", scope, what, value=value)] if limits else []


def _named(scope: str, stated: StatedChange, stems: Stems) -> list[Change]:
    new, old = _content(stated.new, stems), _content(stated.old, stems)
    specific = bool(_SPECIFIC.search(stated.new)) or len(new) > 1
    named = new and old and new != old and max(len(stated.new.split()), len(stated.old.split())) <= _NAME_WORDS
    return [Change(_NAMES[stated.op], scope, new, value=old, specific=specific)] if named else []


def _thing(text: str, head: str, stems: Stems) -> tuple[frozenset[str], bool]:
    """The stems of what something is done to, none where it is but some of it or could be anything; if it is a name."""
    specific, what = bool(_SPECIFIC.search(text)), _content(text, stems)
    if not _SOME.isdisjoint(split(text)) or (not specific and len(what - _VAGUE) < 2):
        return frozenset(), specific
    named = specific and len(what - _KIND) > 1 and _content(head, stems) - _KIND
    return (what - _KIND if named else what), specific


def _content(text: str, stems: Stems) -> frozenset[str]:
    kept = " ".join(
        word for word in text.split() if word.lower() not in STOP_WORDS or word.lower() in ("no", "without")
    )
    return frozenset(stems(kept))


GENERIC: Final = 3  # other titles that may name all of a thing's words; what more name is a kind of thing, not one
KNOWN_NAME: Final = 8  # titles that may name what something was renamed to; what more name is everybody's


_TOOK: Final = "the later took back what the earlier brought"


class _Decision(NamedTuple):
    side: Side
    at: str
    ref: str
    change: Change


def overtaken(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    """What a later decision took back, set to something else or renamed again."""
    stems = Stemmer()
    titles = Titles()
    every: list[_Decision] = []
    for handle, statement, authority, at, title, ref, author in decisions_of(brain, source_id=source_id):
        titles.add(stems.sequence(title))
        if not MACHINE.search(author):
            side = Side(handle=handle, statement=statement, authority=authority)
            every += [_Decision(side, at, ref, change) for change in changes(title, stems.sequence)]
    yield from _taken_back(every, titles, source)
    yield from _set_anew(every, titles, source)
    yield from _renamed(every, titles, source)


class Titles:
    """Which titles hold which stems."""

    def __init__(self) -> None:
        self._every: list[frozenset[str]] = []

    def add(self, stems: Iterable[str]) -> None:
        """Remember one title."""
        self._every.append(frozenset(stems))

    def with_all(self, stems: frozenset[str]) -> int:
        """How many titles hold all of *stems*."""
        return sum(stems <= title for title in self._every)


def _taken_back(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    for decided in _about(every, ("gives",), lambda change: (change.kind, change.what)):
        last = decided[-1]
        against = [one for one in decided if one.change.positive != last.change.positive and _same_part(one, last)]
        if against and titles.with_all(last.change.what) <= len(decided) + GENERIC:
            reason = "the later brought back what the earlier took" if last.change.positive else _TOOK
            doubtful = last.change.scope != against[-1].change.scope
            yield contradiction(source, "superseded", reason, last.side, against[-1].side, doubtful=doubtful)


def _set_anew(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    for decided in _about(every, ("sets",), lambda change: (change.scope, change.what)):
        last = decided[-1]
        others = [one for one in decided if one.change.value != last.change.value]
        if others and (last.change.scope or titles.with_all(last.change.what) <= len(decided) + GENERIC):
            yield contradiction(source, "number", "the later set another value", last.side, others[-1].side)


def _renamed(every: Iterable[_Decision], titles: Titles, source: str) -> Iterator[Contradiction]:
    kinds = ("renames", "switches")
    given_up: dict[Hashable, list[_Decision]] = {
        (decided[0].change.kind, decided[0].change.value): decided
        for decided in _about(every, kinds, lambda change: (change.kind, change.value))
    }
    for one in every:
        if one.change.kind in kinds and one.change.specific:
            left = given_up.get((one.change.kind, one.change.what), [])
            later = next((other for other in left if other.at > one.at and _same_part(one, other)), None)
            if later and titles.with_all(one.change.what) <= KNOWN_NAME:
                yield contradiction(source, "choice", "the later renamed or replaced it again", later.side, one.side)


def _about(
    every: Iterable[_Decision], kinds: tuple[str, ...], thing: Callable[[Change], Hashable]
) -> Iterator[list[_Decision]]:
    grouped: defaultdict[Hashable, list[_Decision]] = defaultdict(list)
    for one in every:
        if one.change.kind in kinds:
            grouped[thing(one.change)].append(one)
    yield from grouped.values()


def _same_part(one: _Decision, other: _Decision) -> bool:
    here, there = one.change.scope, other.change.scope
    return one.ref != other.ref and (here == there or not (here and there))

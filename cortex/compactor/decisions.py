"""Decisions that a later one overtook and that stand all the same: given then taken, set anew.

Each is told by the titles of merged pull requests and commits. For each thing only the last word and the last one
against it are reported.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.compactor.job import Contradiction, Side, contradiction
from cortex.indexers.distill.text import is_machine
from cortex.language.changes import Certainty, bare_title, parse, title_scope
from cortex.language.patterns import words
from cortex.language.quantities import quantities
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.compaction import decisions_of

Stems = Callable[[str], Sequence[str]]  # the stems of a text, in order
_GIVES: Final = (Op.ADDS, Op.RELANDS)
_VAGUE: Final = words("compactor", "titles_vague")
_KIND: Final = words("compactor", "titles_kind")
"""Stems that say what kind of thing a name is, or in what state: the thing is the same without."""
_SOME: Final = words("compactor", "titles_some")
_LIMITS: Final = words("compactor", "titles_limits")
_SPECIFIC: Final = re.compile(r"[^\W_]_[^\W_]|[a-z][A-Z]|::|(?<!\S)--\w|\w\.\w|`")
_TOOK: Final = "the later took back what the earlier brought"


class Change(NamedTuple):
    """One thing that a title says was done.

    Attributes:
        what: stems of what it was done to.
        positive: whether it is there then.
        value: what it was set to; '' where it was given or taken.
    """

    scope: str
    what: frozenset[str]
    positive: bool = True
    value: str = ""


def change_in(title: str, stems: Stems) -> Change | None:
    """What *title* says was given, taken or set; None where it does not.

    >>> change_in("parser: drop lookahead_limit", lambda text: text.lower().split())
    Change(scope='parser', what=frozenset({'lookahead_limit'}), positive=False, value='')
    """
    scope, said = title_scope(bare_title(title))
    stated = next(iter(parse(said)), None)
    if stated and stated.op is Op.AMENDS and stated.new:
        what = _content(stated.subject, stems)
        value = next((f"{one.value} {one.kind}" for one in quantities(stated.new)), "")
        limits = value and len(what) > 1 and not _LIMITS.isdisjoint(split(stated.subject))
        return Change(scope, what, value=value) if limits else None
    if stated and stated.op in (*_GIVES, Op.REMOVES):
        positive = (stated.op in _GIVES) != (stated.certainty is Certainty.DENIED)
        what = _thing(said[stated.start :], stated.subject, stems)
        return Change(scope, what, positive) if what else None
    return None


def _thing(text: str, head: str, stems: Stems) -> frozenset[str]:
    """The stems of what something is done to, none where it is but some of it or could be anything."""
    specific, what = bool(_SPECIFIC.search(text)), _content(text, stems)
    if not _SOME.isdisjoint(split(text)) or (not specific and len(what - _VAGUE) < 2):
        return frozenset()
    named = specific and len(what - _KIND) > 1 and _content(head, stems) - _KIND
    return what - _KIND if named else what


def _content(text: str, stems: Stems) -> frozenset[str]:
    small = STOP_WORDS - {"no", "without"}
    return frozenset(stems(" ".join(word for word in text.split() if word.lower() not in small)))


GENERIC: Final = 3  # other titles that may name all of a thing's words; what more name is a kind of thing, not one


class _Decision(NamedTuple):
    side: Side
    ref: str
    change: Change


def overtaken(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    """What a later decision took back or set to something else."""
    stems = Stemmer()
    titles: list[frozenset[str]] = []
    given: defaultdict[frozenset[str], list[_Decision]] = defaultdict(list)
    set_: defaultdict[tuple[str, frozenset[str]], list[_Decision]] = defaultdict(list)
    for handle, statement, authority, _, title, ref, author in decisions_of(brain, source_id=source_id):
        titles.append(frozenset(stems.sequence(title)))
        change = None if is_machine(author) else change_in(title, stems.sequence)
        if change:
            decided = set_[change.scope, change.what] if change.value else given[change.what]
            side = Side(handle=handle, statement=statement, authority=authority)
            decided.append(_Decision(side, ref, change))

    def is_one(decided: Sequence[_Decision]) -> bool:
        named = sum(decided[-1].change.what <= title for title in titles)
        return named <= len(decided) + GENERIC

    for decided in given.values():
        last = decided[-1]
        against = [one for one in decided if one.change.positive != last.change.positive and _same_part(one, last)]
        if against and is_one(decided):
            reason = "the later brought back what the earlier took" if last.change.positive else _TOOK
            doubtful = last.change.scope != against[-1].change.scope
            yield contradiction(source, "superseded", reason, last.side, against[-1].side, doubtful=doubtful)
    for decided in set_.values():
        last = decided[-1]
        others = [one for one in decided if one.change.value != last.change.value]
        if others and (last.change.scope or is_one(decided)):
            yield contradiction(source, "number", "the later set another value", last.side, others[-1].side)


def _same_part(one: _Decision, other: _Decision) -> bool:
    here, there = one.change.scope, other.change.scope
    return one.ref != other.ref and (here == there or not (here and there))

"""What the title of a change says was done: to what it gave or took, which value it set, what it renamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cortex.language.changes import Certainty, StatedChange, bare_title, parse, title_scope
from cortex.language.patterns import words
from cortex.language.quantities import quantities
from cortex.language.stems import split
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS

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
    what, value = (
        _content(stated.subject, stems),
        next((f"{one.value} {one.kind}" for one in quantities(stated.new)), ""),
    )
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

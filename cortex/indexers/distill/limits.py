"""Lists of limits and requirements: "Timeout: 30 s", "Python 3.11 or newer"."""

from __future__ import annotations

from typing import Final

from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "limits")

LISTED: Final = 0.8
"""How sure the rules are of a value in a list of limits, or of what is needed: too few were judged to fit it."""

_LONGEST_LABEL: Final = 50


def lists(unit: Unit, title: str) -> bool:
    """Whether *unit* is an item that gives a limit its value, or says what is needed.

    >>> lists(Unit(0, 9, "Timeout: 30 s", shape="item"), "Gateway › Notes")
    True
    >>> lists(Unit(0, 9, "Team: 30 people", shape="item"), "Gateway › Notes")
    False
    """
    if unit.shape != "item" or unit.sentences > 1:
        return False
    below = any(_ENGLISH["limited"].fullmatch(above) for above in (title.rpartition(" › ")[2], unit.context))
    label, found, value = unit.text.strip("*_` ").partition(":")
    if found and _ENGLISH["value"].match(value.strip("*_` ")) and len(label) <= _LONGEST_LABEL:
        return below or _ENGLISH["label"].fullmatch(label.strip("*_` ")) is not None
    return below and _ENGLISH["needed"].fullmatch(unit.text) is not None

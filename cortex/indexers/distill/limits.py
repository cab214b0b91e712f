"""Lists of limits and requirements: "Timeout: 30 s", "Python 3.11 or newer"."""

from __future__ import annotations

from typing import Final

from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "limits")

LISTED: Final = 0.8
"""How sure the rules are of a value in a list of limits, or of what is needed: too few were judged to fit it."""

_LONGEST_LABEL: Final = 50

_LIMITED: Final = _ENGLISH["limited"]
"""Headings below which a list tells what is needed, or how much."""

_LABEL: Final = _ENGLISH["label"]
"""What a short item gives a value of."""

_VALUE: Final = _ENGLISH["value"]
_NEEDED: Final = _ENGLISH["needed"]
"""What a project needs: "Python 3.11 or newer", "4 GB of memory"."""


def lists(unit: Unit, title: str) -> bool:
    """Whether *unit* is an item that gives a limit its value, or says what is needed.

    >>> lists(Unit(0, 9, "Timeout: 30 s", shape="item"), "Gateway › Notes")
    True
    >>> lists(Unit(0, 9, "Team: 30 people", shape="item"), "Gateway › Notes")
    False
    """
    if unit.shape != "item" or unit.sentences > 1:
        return False
    below = any(_LIMITED.fullmatch(above) for above in (title.rpartition(" › ")[2], unit.context))
    label, found, value = unit.text.strip("*_` ").partition(":")
    if found and _VALUE.match(value.strip("*_` ")) and len(label) <= _LONGEST_LABEL:
        return below or _LABEL.fullmatch(label.strip("*_` ")) is not None
    return below and _NEEDED.fullmatch(unit.text) is not None

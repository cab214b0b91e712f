"""Wishes for one named thing instead of another, as "use this instead of that" states them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cortex.language.patterns import patterns

_INSTEAD: Final = patterns("compactor", "contradictions")["instead"]


class Choice(NamedTuple):
    """A named thing that is wanted instead of another: patterns that find their names."""

    wanted: re.Pattern[str]
    dropped: re.Pattern[str]

    def is_against(self, rule: str) -> bool:
        """Whether *rule* names what is to be dropped and not what is wanted."""
        return self.dropped.search(rule) is not None and self.wanted.search(rule) is None


def choice(text: str) -> Choice | None:
    """The first thing that *text* wants instead of another, if any.

    >>> choice("Use Inter for the board instead of Plus Jakarta Sans").is_against("We keep Plus Jakarta Sans")
    True
    """
    found = _INSTEAD.search(text)
    return Choice(_named(found["new"]), _named(found["old"])) if found else None


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name.strip('`'))}(?![\w-])")

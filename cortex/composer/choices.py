"""Who wants another thing than the one a rule names: told by 'use this instead of that' alone."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = r"(?:[A-Z][\w.-]*|`[^`]+`)(?: [A-Z][\w.-]*)*"
_INSTEAD: Final = re.compile(
    rf"\b(?:[Uu]se|[Pp]refer|[Aa]dopt|[Ss]witch to)\s+(?P<new>{_NAME})\s+(?:.{{0,60}}?\s)?instead of\s+(?P<old>{_NAME})"
)


class Choice:
    """One named thing that is wanted instead of another.

    Attributes:
        wanted: what finds its name in a text.
        dropped: what finds the other's.
    """

    def __init__(self, new: str, old: str) -> None:
        self.wanted, self.dropped = map(_named, (new, old))

    def is_against(self, rule: str) -> bool:
        """Whether *rule* names what is to be dropped and not what is wanted."""
        return self.dropped.search(rule) is not None and self.wanted.search(rule) is None

    def is_for(self, text: str) -> bool:
        """Whether *text*, said of this choice, names what is wanted alone."""
        return self.wanted.search(text) is not None and self.dropped.search(text) is None


def choice(text: str) -> Choice | None:
    """The first thing that *text* wants instead of another, if any.

    >>> choice("Use Inter for the board instead of Plus Jakarta Sans").is_against("We keep Plus Jakarta Sans")
    True
    """
    found = _INSTEAD.search(text)
    return Choice(found["new"], found["old"]) if found else None


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name.strip('`'))}(?![\w-])")

"""What texts set settings to, by their names: '`poll_ms` 500 -> 250', '| `keep_days` | 14 |'."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 4_000
"""Characters of a text in which they are looked for."""

_SET: Final = re.compile(
    r"(?<![\w./-])(?P<name>[^\W\d_][^\W_]*+(?:[_.]\w++)+)[`'\"*]{0,3}"
    r"(?:\s++|[|=:(]|->|→|\b(?:defaults?|from|to|is|are|of|now)\b){1,8}+"
    r"`?(?P<value>\d{1,12}(?:\.\d{1,12}){0,3})"
    r"(?:[^\S\n]?\w{0,12}\s?(?:->|→|\bto\b)\s?`?(?P<last>\d{1,12}(?:\.\d{1,12}){0,3}))?",
    re.I,
)


_SUPPOSED: Final = re.compile(r"\b(?:if|when|while|unless|until|once|whether|where)\s+(?:the\s+)?[`'\"*]{0,3}\Z", re.I)


def settings(text: str) -> dict[str, str]:
    """The number that each setting is given last in *text*, by its name in lower case; not where it is but supposed.

    >>> settings("Lower `hold_days` from 30 to 20; `poll_ms` (default 500), | `max.seats` | 4 |")
    {'hold_days': '20', 'poll_ms': '500', 'max.seats': '4'}
    """
    return {
        found["name"].casefold(): found["last"] or found["value"]
        for found in _SET.finditer(text[:LONGEST])
        if not _SUPPOSED.search(text, max(0, found.start() - 50), found.start())
    }

"""Which pull request put something in the place of what an earlier one had brought, as their titles say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from cortex.substrate.search import STOP_WORDS
from cortex.substrate.stems import split

_MOVED: Final = re.compile(r"\w+\s+(?P<what>\S.{0,80}?)\s+from\s+(?P<old>\S.{0,60}?)\s+to\s+\S", re.I)
_REPLACED: Final = re.compile(r"replace[sd]?\s+(?P<old>\S.{0,60}?)\s+(?:with|by)\s+\S", re.I)
"""'Move the mail from Fax to Post', 'Replace Fax with Post'."""

_BROUGHT: Final = re.compile(r"(?:.*\sto|add|use|introduce|adopt)\s+(?P<new>\S.{0,60})", re.I)
"""'Send the mail to Fax', 'Move the mail from Horse to Fax', 'Use Fax'."""


def replaced(pulls: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Which of *pulls* replaced what the last one before it brought, where the one calls it as the other does.

    Args:
        pulls: ref, title and body of each, as they were merged.
    """
    brought: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {}
    for ref, title, _ in pulls:
        found = _MOVED.match(title) or _REPLACED.match(title)
        old = _words(found["old"]) if found else []
        if found and old and (before := brought.get(old[-1])):
            moved = _words(found.groupdict().get("what") or "")
            if {*old} <= before[1] and {*moved} <= before[2]:
                yield ref, before[0]
        if (bringing := _BROUGHT.match(title)) and (new := _words(bringing["new"])):
            brought[new[-1]] = (ref, frozenset(new), frozenset(_words(title)))


def _words(text: str) -> list[str]:
    return [word for word in split(text) if word not in STOP_WORDS]

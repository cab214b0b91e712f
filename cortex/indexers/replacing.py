"""Which pull request put something in the place of what an earlier one brought, or removed it, as their titles say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from cortex.language.words import STOP_WORDS
from cortex.language.stems import split

_MOVED: Final = re.compile(r"\w+\s+(?P<what>\S.{0,80}?)\s+from\s+(?P<old>\S.{0,60}?)\s+to\s+\S", re.I)
_REPLACED: Final = re.compile(r"replace[sd]?\s+(?P<old>\S.{0,60}?)\s+(?:with|by)\s+\S", re.I)
"""'Move the mail from Fax to Post', 'Replace Fax with Post'."""

_REMOVED: Final = re.compile(
    r"(?:remove|drop|delete|retire|stop\s+using|rip\s+out|get\s+rid\s+of)[sd]?\s+(?P<old>\S.{0,60}?)(?:\s+\(#\d+\))?\s*$"
    r"|(?P<gone>\S.{0,60}?)\s+(?:is\s+|was\s+)?(?:removed|dropped|retired|gone)(?:\s+\(#\d+\))?\s*$",
    re.I,
)
"""'Drop Fax', 'Fax removed'; of what is beside its name no word may be left: 'Drop Fax retries'."""

_KINDS: Final = STOP_WORDS.union("support backend module integration library dependency".split())
"""Words that name nothing by themselves."""

_BROUGHT: Final = re.compile(r"(?:.*\sto|add|use|introduce|adopt)\s+(?P<new>\S.{0,60})", re.I)
"""'Send the mail to Fax', 'Move the mail from Horse to Fax', 'Use Fax'."""

_ADDED: Final = re.compile(r"(?:add|use|introduce|adopt)\s+(?P<new>\S.{0,60})", re.I)
"""What is gone with the thing it is all about: 'Reply to Fax' is not."""


def replaced(pulls: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Which of *pulls* replaced, or removed, what the last one before it brought, where one calls it as the other does.

    Args:
        pulls: ref, title and body of each, as they were merged.
    """
    brought: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {}
    added: dict[frozenset[str], str] = {}
    for ref, title, _ in pulls:
        found = _MOVED.match(title) or _REPLACED.match(title)
        old = _words(found["old"]) if found else []
        if found and old and (before := brought.get(old[-1])):
            moved = _words(found.groupdict().get("what") or "")
            if {*old} <= before[1] and {*moved} <= before[2]:
                yield ref, before[0]
        elif gone := _REMOVED.match(title):
            was = frozenset(_words(gone[gone.lastgroup or 0]))
            if was and was in added:
                yield ref, added.pop(was)
        if (bringing := _BROUGHT.match(title)) and (new := _words(bringing["new"])):
            brought[new[-1]] = (ref, frozenset(new), frozenset(_words(title)))
        if adding := _ADDED.match(title):
            added[frozenset(_words(adding["new"]))] = ref


def _words(text: str) -> list[str]:
    return [word for word in split(text) if word not in _KINDS]

"""The sources that a question names: 'in acme/app', 'app#12', 'https://github.com/acme/app/pull/12'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain

_OWNED: Final = r"[a-z0-9][\w.-]*/[a-z0-9][\w.-]*"
_NUMBERED: Final = re.compile(
    rf"(?<![\w/.@-])(?P<repository>(?:{_OWNED}|[a-z][\w.-]*))#(?P<number>\d{{1,7}})\b"
    rf"|(?:\bhttps?://[^\s/]+/|(?<![\w/.-]))(?P<owned>{_OWNED})/(?:-/)?(?:issues|pulls?|merge_requests)/(?P<at>\d{{1,7}})\b[^\s,;?!)]*",
    re.I,
)
_PLACE: Final = r"(?<![\w/.-])(?P<at>(?:in|of|from|for|on)\s+(?:the\s+)?)?(?P<name>%s)(?![\w/#-])"


class Numbered(NamedTuple):
    """A number that a text gives with its repository.

    Attributes:
        sources: ids of those it may be of; none where the brain has no such repository.
        text: as it stands there.
    """

    number: int
    sources: frozenset[int]
    text: str


class Placed(NamedTuple):
    """A source that a text names.

    Attributes:
        text: as it stands there, with the preposition.
        led: whether a preposition stands before it.
    """

    source: int
    name: str
    text: str
    led: bool


def numbered(brain: Brain, text: str) -> list[Numbered]:
    """The issues and pull requests that *text* names with their repository.

    'C#8' is one only where a source is called so.
    """
    matches = [*_NUMBERED.finditer(text)]
    sources = _sources(brain) if matches else ()
    found = []
    for match in matches:
        name = (match["repository"] or match["owned"]).lower()
        ids = frozenset(id_ for id_, full in sources if name in _names(full))
        if ids or "/" in name:
            found.append(Numbered(int(match["number"] or match["at"]), ids, match[0]))
    return found


def places(brain: Brain, text: str) -> list[Placed]:
    """The sources that *text* names, in full or without their owner."""
    found = []
    for id_, full in _sources(brain):
        match = re.search(_PLACE % "|".join(map(re.escape, _names(full))), text, re.I)
        if match:
            found.append(Placed(id_, match["name"].lower(), match[0], bool(match["at"])))
    return found


def where(brain: Brain, text: str, numbers: Sequence[int]) -> tuple[Mapping[int, frozenset[int]], str]:
    """For each number that *text* gives a repository the sources it may be of, and the words that gave it."""
    by_number = numbered(brain, text)
    placed = {one.number: one.sources for one in by_number}
    words = [one.text for one in by_number]
    rest = [number for number in numbers if number not in placed]
    named = [one for one in places(brain, text) if one.led] if rest else []
    if named:
        placed |= dict.fromkeys(rest, frozenset(one.source for one in named))
    return placed, " ".join([*words, *(one.text for one in named)])


def _sources(brain: Brain) -> list[tuple[int, str]]:
    return [(id_, name.lower()) for id_, name in brain.db.execute("select id, name from sources order by id")]


def _names(full: str) -> tuple[str, str]:
    return full, full.rpartition("/")[2]

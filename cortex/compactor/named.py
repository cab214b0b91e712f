"""Sentences of two records that say the same of the same thing but for one named thing: kept in Redis, or in Memcached.

Only what can be one thing alone is told: where something is kept, which is used as something, what is the default.
That two readers support or run on two things contradicts nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from cortex.compactor.claims import KNOWN_SUBJECT, LEAST_WORDS, Claim, record_of, told
from cortex.compactor.disagreement import Contradiction, contradiction
from cortex.language.patterns import patterns
from cortex.substrate.identity import normalised

_ENGLISH: Final = patterns("compactor", "named")

_PLACES: Final = (_ENGLISH["kept_in"], _ENGLISH["used_as"], _ENGLISH["default_is"])
"""Where the one thing is named: what stands elsewhere in a sentence may be one of several."""

_NAME: Final = re.compile(r"`[^`\s]+`|[A-Z][\w.+#-]*\w")


def otherwise_named(found: Iterable[Claim], source: str) -> Iterator[Contradiction]:
    """The pairs among the claims of one source that name another thing in the same place."""
    places: defaultdict[tuple[str, ...], list[tuple[str, Claim]]] = defaultdict(list)
    for claim in found:
        for frame, name in _frames(claim):
            places[frame].append((name, claim))
    for named in places.values():
        if 1 < len({record_of(claim) for _, claim in named}) <= KNOWN_SUBJECT:
            yield from _pairs(named, source)


def _pairs(named: Iterable[tuple[str, Claim]], source: str) -> Iterator[Contradiction]:
    for (name, one), (another, other) in combinations(named, 2):
        if name != another and record_of(one) != record_of(other):
            low, high = sorted((one, other), key=lambda claim: (claim.side.authority, claim.since))
            yield contradiction(source, "choice", "they name another for the same", high.side, low.side)


def _frames(claim: Claim) -> Iterator[tuple[tuple[str, ...], str]]:
    """What *claim* says around the thing it names, and the name."""
    sentence = _ENGLISH["reason"].sub("", claim.sentence)
    if claim.negated or not told(sentence):
        return
    for place in _PLACES:
        if (found := place.search(sentence)) and _NAME.fullmatch(found[1].strip(".,;:()")):
            around = normalised(f"{sentence[: found.start(1)]}·{sentence[found.end(1) :]}").split()
            if len(around) > LEAST_WORDS:
                yield tuple(around), normalised(found[1])

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
from cortex.substrate.identity import normalised

_ONE: Final = re.compile(
    r"\b(?:keeps?|kept|stores?|stored|lives?|holds?|stays?)\b.* in\b|\buses?\b.* as\b|\bdefault\b.*\bis\b", re.I
)
_REASON: Final = re.compile(r",?\s(?:because|so that)\s.*", re.I | re.S)
_NAME: Final = re.compile(r"`[^`\s]+`|[A-Z][\w.+#-]*\w")
_VERB: Final = re.compile(r"\b(?:keeps?|kept|stores?|stored|lives?|holds?|stays?|uses?|is)\b", re.I)


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
    """What *claim* says around each thing it names after its verb, and the name."""
    sentence = _REASON.sub("", claim.sentence)
    verb = _VERB.search(sentence)
    if not (verb and _ONE.search(sentence) and told(sentence)) or claim.negated:
        return
    words = sentence.split()
    before = len(sentence[: verb.end()].split())
    for place, word in enumerate(words[before:], before):
        if _NAME.fullmatch(word.strip(".,;:()")):
            around = normalised(" ".join([*words[:place], "·", *words[place + 1 :]])).split()
            if len(around) > LEAST_WORDS:
                yield tuple(around), normalised(word)

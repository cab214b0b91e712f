"""How much facts and titles bear on a text, and how few unverified entries a list holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol, TypeVar

from cortex.composer.query.matching import Matcher
from cortex.composer.query.understand import understand
from cortex.substrate.brain import Brain
from cortex.substrate.reading import Reader
from cortex.substrate.standing import Stood, standing
from cortex.substrate.vouched import unverified_facts

SHARE: Final = 3  # unverified entries of a brief or a list, however many match
FACTS: Final = 300  # facts a search weighs: enough of each kind
MOST: Final = 5_000  # facts a search reads to find `FACTS` among unverified ones
COVERAGE: Final = 2.0  # weight of covering all of the text, beside BM25, as in `retrieve.passages`


class Told(Protocol):
    """An entry that states whether it is unverified."""

    @property
    def unverified(self) -> bool:
        """Whether nobody of the project wrote it or took it up."""
        ...


T = TypeVar("T", bound=Told)


class Relevant(NamedTuple):
    """A fact that bears on a text, and how much: 0 to 1."""

    id: int
    fact: Stood
    score: float


class Relevance:
    """How much facts and titles bear on one text; nothing bears on a text without words.

    Args:
        sources: names of the sources that may be read, by id.
    """

    def __init__(self, brain: Brain, text: str, *, sources: Mapping[int, str]) -> None:
        self._reader = Reader(brain, sources)
        self._query = understand(self._reader, text, brain.stemmer)
        self._matcher = Matcher(self._query, brain.stemmer)

    def covered(self, texts: Iterable[str]) -> list[float]:
        """Share of the text's weight that each of *texts* holds, 0 to 1."""
        return [self._matcher.covered(stems) for stems in self._matcher.holds(texts)]

    def facts(self, kinds: Collection[str], *, at: datetime) -> list[Relevant]:
        """Facts of these kinds as they stand at *at*, best first, with their share of the best verified one's score."""
        matches = matching(self._reader, self._query.terms)
        stood = dict(standing(self._reader.brain, [*matches], sources=self._reader.sources, at=at))
        found = [(id_, one) for id_, one in stood.items() if one.kind in kinds]
        shares = self.covered(f"{one.title} {one.statement}" for _, one in found)
        scores = [matches[id_] * (1 + COVERAGE * share) for (id_, _), share in zip(found, shares, strict=True)]
        verified = [score for score, (_, one) in zip(scores, found, strict=True) if not one.unverified]
        best = max(verified or scores, default=0.0) or 1.0
        scored = [Relevant(id_, one, min(1.0, score / best)) for (id_, one), score in zip(found, scores, strict=True)]
        return sorted(scored, key=lambda one: -one.score)


def matching(reader: Reader, terms: Sequence[str], most: int = FACTS) -> dict[int, float]:
    """The best *most* facts with their scores, few of them unverified; reads on past a crowd of these."""
    limit = most
    while True:
        found = dict(reader.facts(terms, limit=limit))
        unverified = unverified_facts(reader.brain, [*found])
        crowd = {*[id_ for id_ in found if id_ in unverified][SHARE:]}
        kept = [id_ for id_ in found if id_ not in crowd][:most]
        if not crowd or len(kept) == most or len(found) < limit or limit >= MOST:
            return {id_: found[id_] for id_ in kept}
        limit *= 4


def listed(ranked: Sequence[T], limit: int) -> list[T]:
    """The first *limit* verified entries of *ranked*, then a few unverified ones where there is room."""
    verified = [one for one in ranked if not one.unverified][:limit]
    room = min(limit - len(verified), max(SHARE, limit // 5))
    return [*verified, *[one for one in ranked if one.unverified][:room]]

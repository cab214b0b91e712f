"""A task or a topic taken apart once, and what a brain says of it: passages, facts, and how much of it a text says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple

from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.query.understand import understand
from cortex.composer.retrieve.passages import weighed
from cortex.composer.values import Query
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Kind
from cortex.substrate.reading import Row, VerifiedReader
from cortex.substrate.selection import among, unverified_facts
from cortex.substrate.standing import Stood, standing

SHARE: Final = 3  # unverified entries of a brief or a list, however many match
PASSAGES: Final = 100  # passages that are looked at for their words
FACTS: Final = 300  # facts a search weighs: enough of each kind
MOST: Final = 5_000  # passages or facts a search reads to find so many among unverified ones
COVERAGE: Final = 2.0  # weight of saying all of the text, beside BM25, as in `retrieve.passages`
LONG: Final = 100  # characters after the first line of a task from which that is asked alone, too


class Relevant(NamedTuple):
    """A fact that bears on a text, how much, as a share of the best verified one, and how much of the text it says."""

    id: int
    fact: Stood
    score: float
    says: float


class Asked:
    """A text, and the brain it is asked of; of a long one its first line is asked, too.

    Args:
        sources: names of the sources that may be read, by id.
        until: ISO 8601; what came later is not seen. '' is now.
    """

    def __init__(self, brain: Brain, text: str, *, sources: Mapping[int, str], now: datetime, until: str = "") -> None:
        self.reader = VerifiedReader(brain, sources, as_of=until)
        self.query: Query = understand(self.reader, text, brain.stemmer, now=now, encoder=brain.encoder)
        self.matcher = Matcher(self.query, brain.stemmer)
        self.likeness = Likeness(brain.encoder, self.query.vector)
        line, _, rest = text.strip().partition("\n")
        alone = len(rest) > LONG and split(line)
        self.first = Asked(brain, line, sources=sources, now=now, until=until) if alone else None

    def bind(self, sources: Mapping[int, str]) -> None:
        """Read these sources alone from now on."""
        self.reader = VerifiedReader(self.reader.brain, sources, as_of=self.reader.as_of)
        self.__dict__.pop("passages", None)
        if self.first:
            self.first.bind(sources)

    @cached_property
    def passages(self) -> list[tuple[float, Row]]:
        """Passages that hold words of the text, best first; of what only clients told the brain a few."""
        limit = PASSAGES
        while True:
            matches = self.reader.passages(self.query.terms, limit=limit)
            rows = self.reader.passage_rows([one.rowid for one in matches])
            crowd = {*[id_ for id_, row in rows.items() if row.unverified and row.type == "outcome"][SHARE:]}
            if not crowd or len(rows) - len(crowd) >= PASSAGES or len(matches) < limit or limit >= MOST:
                kept = {id_: row for id_, row in rows.items() if id_ not in crowd}
                return weighed(matches, kept, self.query, self.matcher)[:PASSAGES]
            limit *= 4

    def facts(self, kinds: Collection[Kind], *, at: datetime, most: int = FACTS) -> list[Relevant]:
        """Facts of these kinds as they stand at *at*, best first."""
        matches = self._matching(most)
        chosen = among(self.reader.brain, [*matches], kinds)
        found = standing(self.reader.brain, chosen, sources=self.reader.sources, at=at)
        says = self.says([f"{one.title} {one.statement}" for _, one in found])
        scores = [matches[id_] * (1 + COVERAGE * said) for (id_, _), said in zip(found, says, strict=True)]
        verified = [score for score, (_, one) in zip(scores, found, strict=True) if not one.unverified]
        best = max(verified or scores, default=0.0) or 1.0
        every = zip(found, scores, says, strict=True)
        relevant = [Relevant(id_, one, min(1.0, score / best), said) for (id_, one), score, said in every]
        return sorted(relevant, key=lambda one: -one.score)

    def _matching(self, most: int) -> dict[int, float]:
        """The best *most* facts with their scores, few of them unverified; reads on past a crowd of these."""
        limit = most
        while True:
            found = dict(self.reader.facts(self.query.terms, limit=limit))
            unverified = unverified_facts(self.reader.brain, [*found])
            crowd = {*[id_ for id_ in found if id_ in unverified][SHARE:]}
            kept = [id_ for id_ in found if id_ not in crowd][:most]
            if not crowd or len(kept) == most or len(found) < limit or limit >= MOST:
                return {id_: found[id_] for id_ in kept}
            limit *= 4

    def says(self, texts: Sequence[str]) -> list[float]:
        """How much of the text each of *texts* says, 0 to 1: in its words, or in its meaning where an encoder tells."""
        held = map(self._share, self.matcher.holds(texts))
        told = [max(share, near) for share, near in zip(held, self.likeness.of(texts), strict=True)]
        return list(map(max, told, self.first.says(texts))) if self.first else told

    def _share(self, stems: frozenset[str]) -> float:
        """The share of the text that *stems* hold; half of it where all of them are of related words."""
        share = self.matcher.likeness(stems)
        return share if self.matcher.covered(stems) else share / 2


def listed(ranked: Sequence[Stood], limit: int) -> list[Stood]:
    """The first *limit* verified entries of *ranked*, then a few unverified ones where there is room."""
    verified = [one for one in ranked if not one.unverified][:limit]
    room = min(limit - len(verified), max(SHARE, limit // 5))
    return [*verified, *[one for one in ranked if one.unverified][:room]]

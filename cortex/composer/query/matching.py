"""Match texts against a question: shared stems, the share of their weight, and likeness in meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from cortex.composer.values import Query
from cortex.language.stems import Stemmer
from cortex.substrate.encoder import Encoder, Vector

SAME: Final = 0.5  # weight of a related word beside the question's own


class Matcher:
    """Finds a question's stems in texts; caches each text, as titles and sentences are matched twice."""

    def __init__(self, query: Query, stemmer: Stemmer) -> None:
        self.query, self._stemmer = query, stemmer
        self._wanted = query.stems.union(query.forms, *query.related.values())
        self._held: dict[str, frozenset[str]] = {}
        self._likeness: dict[frozenset[str], float] = {}
        self._total = sum(query.weights.values()) or 1.0

    def holds(self, texts: Iterable[str]) -> list[frozenset[str]]:
        """The question's stems, and those of related words, in each of *texts*."""
        texts = [*texts]
        new = [text for text in dict.fromkeys(texts) if text not in self._held]
        if new and self._wanted:
            forms = self.query.forms
            for text, stems in zip(new, self._stemmer.among_each(self._wanted, new), strict=True):
                self._held[text] = frozenset(forms.get(stem, stem) for stem in stems) if forms else stems
        return [self._held.get(text, frozenset()) for text in texts]

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each of *words*, '' of what is no word."""
        stem_of = self._stemmer.stem(words)
        return [stem_of.get(word, "") for word in words]

    def covered(self, stems: Collection[str]) -> float:
        """Share of the question's weight that *stems* hold, without related words, 0 to 1."""
        return self.share(self.query.weights, stems)

    def likeness(self, stems: frozenset[str]) -> float:
        """Share of the question's weight that *stems* hold, 0 to 1; a related word counts `SAME` of it."""
        if stems not in self._likeness:
            weights = self.query.weights
            own = sum(weight for stem, weight in weights.items() if stem in stems)
            same = sum(
                weights.get(stem, 0.0)
                for stem, others in self.query.related.items()
                if stem not in stems and not others.isdisjoint(stems)
            )
            self._likeness[stems] = (own + SAME * same) / self._total
        return self._likeness[stems]

    @staticmethod
    def share(weights: Mapping[str, float], stems: Collection[str]) -> float:
        """Share of *weights* whose stems are among *stems*; 0 where nothing weighs anything."""
        total = sum(weights.values())
        return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0


class Likeness:
    """Cosine of texts with one question, -1 to 1; each text is encoded once; 0 without an encoder."""

    def __init__(self, encoder: Encoder | None, vector: Vector) -> None:
        self._encoder, self._vector = encoder, vector
        self._known: dict[str, float] = {}

    def of(self, texts: Sequence[str]) -> list[float]:
        """The likeness of each of *texts*."""
        if self._encoder is None or not self._vector:
            return [0.0] * len(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.likenesses(self._vector, new), strict=True))
        return [self._known[text] for text in texts]

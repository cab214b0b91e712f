"""Term weights: the weight of each stem of a question, and its related words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from cortex.language.stems import Stemmer
from cortex.language.words import STOP_WORDS, word_groups
from cortex.substrate.reading import Reader

COMMON: Final = 0.35
"""Most an everyday word weighs, as a share of the most a word can weigh: in a small brain every word is rare."""

UNSEEN: Final = 2  # passages that a word of no passage counts as held by: a brain knows few of all words

MOST_VARIED: Final = 10  # related words that are searched for beside the question's own


class Weights(NamedTuple):
    """The weights of a question's stems.

    Attributes:
        rows: passages in the brain.
        idf: by stem, in nats.
        everyday: stems of everyday words and stop words.
        unseen: stems no passage holds.
        related: by stem, stems of words used for the same thing.
        variant: words of those, of the heaviest stem first.
        forms: stems that are another form of one of the question's, 'held' of 'hold', each with that.
    """

    rows: int
    idf: Mapping[str, float]
    everyday: frozenset[str]
    unseen: frozenset[str]
    related: Mapping[str, frozenset[str]]
    variant: tuple[str, ...]
    forms: Mapping[str, str]


def weigh(
    reader: Reader,
    words: Collection[str],
    stems: Sequence[str],
    stemmer: Stemmer,
    *,
    plain: Iterable[str] = (),
    names: Iterable[str] = (),
) -> Weights:
    """Weigh *stems*, which are the stems of *words*.

    A stem that no passage holds is as rare as the commonest of the words related to it.

    Args:
        plain: words that weigh no more here than everyday ones.
        names: words that weigh more than those they are spelled like.
    """
    groups, forms = _groups(stems, stemmer), _forms(words, stems, stemmer)
    related = {stem: frozenset(group.values()) - {stem} for stem, group in groups.items()}
    rows, found = reader.frequencies({*stems, *forms})
    common = _near(_common(), [*stems, *forms], stemmer) - {*stemmer.stem(names).values()}
    begun = {stem[:2] for stem in (*stems, *forms)}  # as a word begins, so does its stem: no other need be made
    common |= {*stemmer.stem(word for word in plain if word[:2] in begun or not word.isascii()).values()}
    common |= {stem for form, stem in forms.items() if form in common}
    unseen = frozenset(stem for stem in stems if stem not in found)
    for form, stem in forms.items():
        found[stem] = max(found.get(stem, 0), found.get(form, 0))
    beside = reader.frequencies({one for stem in stems if not found.get(stem, 0) for one in related.get(stem, ())})[1]
    most = COMMON * idf(0, rows)
    weights = {}
    for stem in stems:
        known = (found.get(other, 0) or beside.get(other, 0) for other in related.get(stem, ()))
        documents = found.get(stem, 0) or max(known, default=0) or UNSEEN
        weights[stem] = min(idf(documents, rows), most) if stem in common else idf(documents, rows)
    everyday = common | _near(_stop(), stems, stemmer)
    heaviest = sorted((stem for stem in stems if stem not in everyday), key=lambda stem: -weights[stem])
    varied = (word for stem in heaviest for word, other in groups.get(stem, {}).items() if other not in groups)
    variant = tuple(dict.fromkeys(varied))[:MOST_VARIED]
    return Weights(rows, weights, frozenset(everyday), unseen, related, variant, forms)


def idf(documents: float, rows: int) -> float:
    """Inverse document frequency in nats: ln(1 + (N - n + .5) / (n + .5)), never negative.

    Source: Robertson and Zaragoza 2009, doi:10.1561/1500000019, in the form of Lucene's BM25Similarity.
    """
    return math.log(1 + max(0.0, rows - documents + 0.5) / (documents + 0.5))


def _groups(stems: Collection[str], stemmer: Stemmer) -> dict[str, dict[str, str]]:
    places, groups = _places(), word_groups("related")
    likely = [groups[place] for place in sorted({place for stem in stems for place in places.get(stem[:3], ())})]
    stem_of = stemmer.stem(word for group in likely for word in group)
    found: dict[str, dict[str, str]] = {}
    for group in likely:
        said = {word: stem_of[word] for word in group}
        for stem in set(said.values()).intersection(stems):
            found.setdefault(stem, {}).update(said)
    return found


@cache
def _places() -> Mapping[str, Collection[int]]:
    """Indexes of the groups of related words, by the first three letters of their words."""
    places: dict[str, list[int]] = {}
    for place, group in enumerate(word_groups("related")):
        for beginning in {word[:3] for word in group}:
            places.setdefault(beginning, []).append(place)
    return places


@cache
def _irregular() -> Mapping[str, tuple[str, ...]]:
    return {word: group for group in word_groups("irregular") for word in group}


def _forms(words: Iterable[str], stems: Collection[str], stemmer: Stemmer) -> dict[str, str]:
    groups = {word: _irregular()[word] for word in words if word in _irregular()}
    stem_of = stemmer.stem({other for group in groups.values() for other in group})
    return {
        stem_of[other]: stem_of[word]
        for word, group in groups.items()
        for other in group
        if stem_of[word] in stems and stem_of[other] not in stems
    }


@cache
def _common() -> Mapping[str, Sequence[str]]:
    return _by_beginning(word for group in word_groups("common") for word in group)


@cache
def _stop() -> Mapping[str, Sequence[str]]:
    return _by_beginning(STOP_WORDS)


def _by_beginning(words: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:2], []).append(word)
    return found


def _near(words: Mapping[str, Sequence[str]], stems: Iterable[str], stemmer: Stemmer) -> set[str]:
    """Stems of the *words* that share a beginning with one of *stems*; no other word can match."""
    likely = [word for beginning in {stem[:2] for stem in stems} for word in words.get(beginning, ())]
    return {*stemmer.stem(likely).values()}

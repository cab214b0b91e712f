"""What each stem of a question weighs: the fewer passages hold it the more, everyday words little."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Final, NamedTuple

from cortex.composer.question import idf
from cortex.language.stems import Stemmer
from cortex.packaged import files
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

COMMON: Final = 0.35
"""What a word of everyday English weighs at most, of the most a word can weigh: in a small brain all words are rare."""


class Weighed(NamedTuple):
    """What the stems of a question weigh.

    Attributes:
        common: those that are of everyday English.
        rows: how many passages the brain has.
    """

    weights: Mapping[str, float]
    common: frozenset[str]
    unseen: frozenset[str]
    rows: int


def by_beginning(words: Iterable[str]) -> dict[str, list[str]]:
    """*words* by their first two letters."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:2], []).append(word)
    return found


_COMMON: Final = by_beginning(
    word
    for line in (files("cortex.language") / "common_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)


def weigh(
    brain: Brain,
    stems: Collection[str],
    stemmer: Stemmer,
    *,
    forms: Mapping[str, str],
    related: Mapping[str, Collection[str]],
    acronyms: Collection[str] = (),
) -> Weighed:
    """What each of *stems* weighs in *brain*: as many passages hold it as hold any form of it.

    A word that one holds at most is as rare as the commonest that says the same: who asks when it shipped, where all
    speak of releases, asks for nothing rare.

    Args:
        forms: stems that are one of *stems* in another form, each with that.
        related: for a stem, those of words that people use for the same thing.
        acronyms: those of *stems* that are of no everyday word, though spelled as one.
    """
    rows, found = _documents(brain, {*stems, *forms, *chain.from_iterable(related.values())})
    common = stems_near(_COMMON, [*stems, *forms], stemmer)
    common = (common | {stem for form, stem in forms.items() if form in common}).difference(acronyms)
    unseen = frozenset(stem for stem in stems if stem not in found)
    for form, stem in forms.items():
        found[stem] = max(found.get(stem, 0), found.get(form, 0))
    weights = {}
    for stem in stems:
        documents = found.get(stem, 0) or max((found.get(other, 0) for other in related.get(stem, ())), default=0)
        weight = idf(documents, rows)
        weights[stem] = min(weight, COMMON * idf(0, rows)) if stem in common else weight
    return Weighed(weights, common, unseen, rows)


def held(brain: Brain, stems: Iterable[str]) -> set[str]:
    """Those of *stems* that any passage holds."""
    asked = [*stems]
    found = brain.db.execute(sql("held_terms"), {"terms": json.dumps(asked, ensure_ascii=False)}) if asked else ()
    return {stem for stem, documents in found if documents}


def stems_near(words: Mapping[str, Iterable[str]], stems: Iterable[str], stemmer: Stemmer) -> frozenset[str]:
    """The stems of those of *words*, by beginning, that begin like one of *stems*; the others cannot be among them."""
    near = (words.get(beginning, ()) for beginning in {stem[:2] for stem in stems})
    return frozenset(stemmer.stem(chain.from_iterable(near)).values())


def _documents(brain: Brain, stems: Iterable[str]) -> tuple[int, dict[str, int]]:
    """How many passages there are, and how many hold each of *stems*; none of those that one or none does."""
    wanted = json.dumps(["", *stems], ensure_ascii=False)
    found = dict(brain.db.execute(sql("term_weights"), {"index_name": "records_fts", "terms": wanted}))
    return found.pop("", 0), found

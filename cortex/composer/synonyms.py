"""Words that say the same, and other forms of one: data that a question's words are looked up in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from cortex.language.stems import Stemmer
from cortex.packaged import files

MOST_VARIED: Final = 20
"""Words a variant has beside the question's own."""

GROUPS: Final = tuple(
    tuple(line.split())
    for line in (files("cortex.language") / "related_words.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
)
_FORMS: Final = {
    word: tuple(line.split())
    for line in (files("cortex.language") / "irregular_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
}


@cache
def _places_of_groups() -> Mapping[str, Collection[int]]:
    """Where the groups stand that have a word which begins with these letters."""
    places: dict[str, list[int]] = {}
    for place, group in enumerate(GROUPS):
        for beginning in {word[:3] for word in group}:
            places.setdefault(beginning, []).append(place)
    return places


def groups_of(stems: Collection[str], stemmer: Stemmer) -> dict[str, dict[str, str]]:
    """For each of *stems* the words of its groups, each with its own stem."""
    places = _places_of_groups()
    likely = [GROUPS[place] for place in sorted({place for stem in stems for place in places.get(stem[:3], ())})]
    stem_of = stemmer.stem(word for group in likely for word in group)
    groups: dict[str, dict[str, str]] = {}
    for group in likely:
        said = {word: stem_of[word] for word in group}
        for stem in set(said.values()).intersection(stems):
            groups.setdefault(stem, {}).update(said)
    return groups


def other_forms(words: Iterable[str], stems: Collection[str], stemmer: Stemmer) -> dict[str, str]:
    """By the stem of each other form of *words*, which has none of *stems*, that stem of theirs."""
    groups = {word: _FORMS[word] for word in words if word in _FORMS}
    stem_of = stemmer.stem({other for group in groups.values() for other in group})
    return {
        stem_of[other]: stem_of[word]
        for word, group in groups.items()
        for other in group
        if stem_of[word] in stems and stem_of[other] not in stems
    }


def variant_of(groups: Mapping[str, Mapping[str, str]], content: Sequence[str]) -> tuple[str, ...]:
    """Words of the groups of *content*, none of a stem the question has itself."""
    words = (word for stem in content for word, other in groups.get(stem, {}).items() if other not in groups)
    return tuple(dict.fromkeys(words))[:MOST_VARIED]

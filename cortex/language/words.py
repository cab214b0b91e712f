"""Words of a text: stems as the full-text index keeps them, stop words, word lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from cortex.language.stems import split, stemmer
from cortex.packaged import files

_STOP: Final = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could couldn did didn do does doesn doing don done down during each either else ever every few for from
    further get gets got had hadn has hasn have haven having he her here hers him his how i if in into is isn it its
    itself just let like may me might more most must my no nor not now of off on once only or other our ours out over
    own please same shall she should shouldn so some such than that the their theirs them then there these they this
    those through to too under until up upon us very was wasn we were weren what when where whether which while who
    whom whose why will with within without won would wouldn yet you your yours""".split()
)

STOP_WORDS: Final = _STOP.union(
    (f"{word}t" for word in _STOP if word.endswith("n") and len(word) > len("in")),
    (f"{word}s" for word in "here how that there what when where who".split()),
)
"""With contractions as they are typed in haste: 'isnt', 'cant', 'whats'."""

NUMBER_WORDS: Final[Mapping[str, int]] = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}


def stems(text: str) -> list[str]:
    """The stems of *text* in order."""
    return stemmer().sequence(text)


def content_words(text: str) -> list[str]:
    """The words of *text* in order, lower case, without stop words.

    >>> content_words("Why do we drop the cache?")
    ['drop', 'cache']
    """
    return [word for word in split(text) if word not in STOP_WORDS]


@cache
def word_groups(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of one of the word lists beside this module: 'related', 'irregular' or 'common'."""
    lines = (files("cortex.language") / f"{name}_words.txt").read_text("utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line and not line.startswith("#"))

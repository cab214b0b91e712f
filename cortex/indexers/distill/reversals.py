"""Whether a statement turns its excerpt around: an opposite, another unit, or two that changed places.

What is told from what is data, in `reversals.toml`. It tells only what is said in much the same words; a statement that
turns its excerpt around in words of its own is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Final, NamedTuple

from cortex.language.patterns import patterns, read_table, words
from cortex.language.quantities import measure
from cortex.language.verbs import forms

_ENGLISH: Final = patterns("distill", "reversals")

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+\d[\w.]*\w|[^\W\d]+\d|[^\W\d]+|%")
_PART: Final = _ENGLISH["part"]
_BEING: Final = words("distill", "reversals_being")
_LITTLE: Final = words("distill", "reversals_little")
_ARTICLES: Final = frozenset(("a", "an", "the"))
_IS: Final = frozenset(("is", "are", "was", "were"))
_JOINS: Final = _ARTICLES | frozenset("and or nor plus is are was were be equals equal to same as".split())
"""What two sides stand around of which neither is the first."""

_LINKS: Final = words("distill", "reversals_links")
_END: Final = re.compile(r"[.;!?]+(?:\s+|$)")
_PLACE: Final = 3  # words that a place has at most
_STEM: Final = 5
_MEASURED: Final = re.compile(r"(?P<number>\d+(?:[.,]\d+)*)(?P<behind>(?:[\s-]*(?:[^\W\d]+|%)){0,2})")


class _Side(NamedTuple):
    before: frozenset[str]
    after: frozenset[str]


class _Data(NamedTuple):
    opposites: Sequence[Sequence[re.Pattern[str]]]
    directed: dict[str, str]
    compared: frozenset[str]


def turned(statement: str, excerpt: str, frame: str) -> bool:
    """Whether *statement* says an opposite of what *excerpt* says, or swaps two of its names or numbers.

    Args:
        frame: what is known besides: headings, who said it.
    """
    said, held = statement.lower(), excerpt.lower()
    return (
        opposed(said, held, frame.lower())
        or _swapped(said, held)
        or any(_exchanged(one, other) for one in _sentences(said) for other in _sentences(held))
        or _exchanged(_plain_words(said), _plain_words(held))
    )


def other_unit(statement: str, excerpt: str, known: str) -> bool:
    """Whether a number of *statement* has another unit than in *excerpt*, or one that is nowhere in *known*."""
    held = {*_measures(excerpt)}
    around = {measure(token) for token in _tokens(known.replace("_", " "))}
    return any(
        unit not in ({its for other, its in held if other == number} or around) for number, unit in _measures(statement)
    )


def _measures(text: str) -> Iterator[tuple[str, str]]:
    for found in _MEASURED.finditer(text.lower()):
        if unit := next(filter(None, map(measure, found["behind"].split())), ""):
            yield found["number"], unit


def opposed(said: str, held: str, frame: str = "") -> bool:
    """Whether *said*, in lower case, names the opposite of what *held* does, and neither names both."""
    around = f"{held} {frame}"
    return any(
        mine.search(said) and not mine.search(around) and theirs.search(held) and not theirs.search(said)
        for group in _data().opposites
        for mine, theirs in permutations(group, 2)
    )


def _exchanged(said: Sequence[str], held: Sequence[str]) -> bool:
    """Whether the sentences are the same but for two places that are exchanged, with more than an "and" between them.

    >>> _exchanged("redis was dropped for sqlite".split(), "sqlite was dropped for redis".split())
    True
    >>> _exchanged("by default it is on".split(), "it is on by default".split())
    False
    """
    if len(said) != len(held) or sorted(said) != sorted(held):
        return False
    other = [at for at, (mine, its) in enumerate(zip(said, held, strict=True)) if mine != its]
    if not other:
        return False
    mine, its = said[other[0] : other[-1] + 1], held[other[0] : other[-1] + 1]
    if sorted(_parts(said)) == sorted(_parts(held)):
        return False  # two clauses, each of them whole
    return any(
        [*its[-last:], *its[first : len(its) - last], *its[:first]] == [*mine]
        and {*its[first : len(its) - last]} - _JOINS
        for first in range(1, _PLACE + 1)
        for last in range(1, _PLACE + 1)
        if first + last < len(its)
    )


def _plain_words(text: str) -> list[str]:
    return [token for token in _tokens(text) if token not in _ARTICLES]


def _parts(sentence: Sequence[str]) -> list[list[str]]:
    links = [-1, *(at for at, word in enumerate(sentence) if word in _LINKS), len(sentence)]
    return [[*sentence[start + 1 : end]] for start, end in pairwise(links)]


def _sentences(text: str) -> list[list[str]]:
    return [
        ["be" if token in _IS else _stem(token) for token in _tokens(one) if token not in _ARTICLES]
        for one in _END.split(text)
    ]


def _swapped(said: str, held: str) -> bool:
    sides = [*_sides(held)]
    for verb, mine in _sides(said):
        theirs = [side for other, side in sides if other == verb]
        same = any(mine.before <= side.before and mine.after <= side.after for side in theirs)
        if not same and any(
            mine.before & (side.after - side.before) and mine.after & (side.before - side.after) for side in theirs
        ):
            return True
    return False


def _sides(text: str) -> Iterator[tuple[str, _Side]]:
    parts = [_tokens(part) for part in _PART.split(text)]
    for tokens, following in zip(parts, [*parts[1:], []], strict=True):
        for at, word in enumerate(tokens):
            before, after = tokens[:at], tokens[at + 1 :]
            if word in ("before", "after"):  # what is after one thing has that before it
                told = _content(before or following), _content(after)
                yield "before", _Side(*(told if word == "before" else told[::-1]))
            elif word in _data().compared or (word == "to" and "from" in before):
                yield word, _Side(_content(before), _content(after))
            elif verb := _data().directed.get(word):
                if "by" in after[:2]:
                    before, after = after[after.index("by") + 1 :], before
                elif _BEING & {*before[-2:]} and not word.endswith("ing"):
                    before, after = [], before
                yield verb, _Side(_content(before), _content(after))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _content(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(_stem(token) for token in tokens if token not in _LITTLE)


def _stem(token: str) -> str:
    return token if any(map(str.isdigit, token)) else token.removesuffix("s")[:_STEM]


@cache
def _data() -> _Data:
    read = read_table("reversals")
    return _Data(
        [[re.compile(rf"(?<![\w-])(?:{one})(?![\w-])") for one in group] for group in read["opposites"]],
        {form: verb for verb in read["directed"] for form in forms(verb)} | read["irregular"],
        frozenset(read["compared"]),
    )

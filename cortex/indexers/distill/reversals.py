"""Whether a statement turns its excerpt around: an opposite, another unit, or two that changed places.

What is told from what is data, in `reversals.toml`. It tells only what is said in much the same words; a statement that
turns its excerpt around in words of its own is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise, permutations, product
from typing import Final, NamedTuple

from cortex.language.patterns import patterns, read_table, words
from cortex.language.verbs import forms

_ENGLISH: Final = patterns("distill", "reversals")

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+\d[\w.]*\w|[^\W\d]+\d|[^\W\d]+|%")
_NUMBER: Final = re.compile(r"\d")
_PART: Final = _ENGLISH["part"]
_BEING: Final = words("distill", "reversals_being")
_LITTLE: Final = words("distill", "reversals_little")
_ARTICLES: Final = frozenset(("a", "an", "the"))
_IS: Final = frozenset(("is", "are", "was", "were"))
_JOINS: Final = _ARTICLES | frozenset("and or nor plus is are was were be equals equal to same as".split())
"""What two sides stand around of which neither is the first."""

_LINKS: Final = words("distill", "reversals_links")
_DENIES: Final = _ENGLISH["denies"]
_END: Final = re.compile(r"[.;!?]+(?:\s+|$)")
_PLACE: Final = 3
"""Words that a place has at most."""

_STEM: Final = 5
_AFTER_A_NUMBER: Final = 2
"""Words after a number among which its unit stands: "5 working days"."""


class _Side(NamedTuple):
    before: frozenset[str]
    after: frozenset[str]


class _Data(NamedTuple):
    opposites: Sequence[Sequence[re.Pattern[str]]]
    units: dict[str, str]
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
        or _unmade(said, held)
        or _swapped(said, held)
        or _renumbered(said, held)
        or any(_exchanged(one, other) for one in _sentences(said) for other in _sentences(held))
        or _exchanged(_plain_words(said), _plain_words(held))
        or _repartnered(said, held)
    )


def other_unit(statement: str, excerpt: str, known: str) -> bool:
    """Whether a number of *statement* has another unit than in *excerpt*, or one that is nowhere in *known*."""
    held = _measures(excerpt)
    around = {_data().units[token] for token in _tokens(known.replace("_", " ")) if token in _data().units}
    return any(
        unit not in (units or around)
        for number, unit in _measures(statement)
        for units in [{other for its, other in held if its == number}]
    )


def opposed(said: str, held: str, frame: str = "") -> bool:
    """Whether *said*, in lower case, names the opposite of what *held* does, and neither names both."""
    around = f"{held} {frame}"
    return any(
        mine.search(said) and not mine.search(around) and theirs.search(held) and not theirs.search(said)
        for group in _data().opposites
        for mine, theirs in permutations(group, 2)
    )


def _unmade(said: str, held: str) -> bool:
    """Whether one has "stable" where the other has "unstable", and neither denies anything."""
    if _DENIES.search(said) or _DENIES.search(held):
        return False
    mine, theirs = {*_tokens(said)}, {*_tokens(held)}
    return any(
        f"{prefix}{word}" in others
        for one, other in ((mine, theirs), (theirs, mine))
        for others in [other - one]
        for word in one - other
        for prefix in ("un", "non")
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


def _repartnered(said: str, held: str) -> bool:
    """Whether the same words make other clauses: "restores run, backups wait" of "backups run, restores wait".

    >>> _repartnered("if writes fail, the disk is full", "writes fail if the disk is full")
    True
    >>> _repartnered("if the disk is full, writes fail", "writes fail if the disk is full")
    False
    """
    mine, theirs = _clauses(said), _clauses(held)
    same = sorted(chain.from_iterable(mine)) == sorted(chain.from_iterable(theirs))
    return same and len(mine) > 1 and sorted(mine) != sorted(theirs)


def _clauses(text: str) -> list[list[str]]:
    """The words of each clause, a condition with its "if"; where nothing depends, commas part words of a list."""
    whole = [_stem(token) for token in _tokens(text) if token not in _ARTICLES]
    ends = _ENGLISH["depends"] if _ENGLISH["condition"].search(text) else _END
    parts = [sorted(_stem(token) for token in _tokens(part) if token not in _ARTICLES) for part in ends.split(text)]
    return [part for part in parts if part] or [whole]


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
    """Whether the two sides of a directed verb, or of a comparison, changed places or partners."""
    sides = [*_sides(held)]
    for verb, mine in _sides(said):
        theirs = [side for other, side in sides if other == verb]
        if any(mine.before <= side.before and mine.after <= side.after for side in theirs):
            continue
        for side in theirs:
            if mine.before & (side.after - side.before) and mine.after & (side.before - side.after):
                return True
        of_before = [side for side in theirs if mine.before & (side.before - _shared(theirs).before)]
        of_after = [side for side in theirs if mine.after & (side.after - _shared(theirs).after)]
        if of_before and of_after and not any(side in of_after for side in of_before):
            return True
    return False


def _shared(sides: Sequence[_Side]) -> _Side:
    """What tells none of *sides* from the others."""
    return _Side(*map(frozenset.intersection, *sides)) if len(sides) > 1 else _Side(frozenset(), frozenset())


def _sides(text: str) -> Iterator[tuple[str, _Side]]:
    """Each directed verb of *text* with who does it and to whom, in the passive, too."""
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


def _renumbered(said: str, held: str) -> bool:
    """Whether a number stands with words of another one of *held*, and with none of its own."""
    mine, theirs = _numbers(said), _numbers(held)
    for one, other in product(mine.keys() & theirs.keys(), theirs):
        of_one, of_other = theirs[one] - theirs[other], theirs[other] - theirs[one]
        if of_one and mine[one] & of_other and not mine[one] & of_one and not mine.get(other, frozenset()) & of_other:
            return True
    return False


def _numbers(text: str) -> dict[str, frozenset[str]]:
    """Each number of *text*, with the words of its part that no other number of it follows."""
    found: dict[str, frozenset[str]] = {}
    for part in _PART.split(text):
        tokens = _tokens(part)
        places = [at for at, token in enumerate(tokens) if _NUMBER.match(token)]
        shared = _content(tokens[: places[0]]) if places else frozenset()
        for which, at in enumerate(places):
            start = places[which - 1] + 1 if which else 0
            end = len(tokens) if at == places[-1] else at
            words = _content(word for word in tokens[start:end] if word not in _data().units) | {
                token for token in tokens[start:at] if token in ("from", "to")
            }
            found[tokens[at]] = found.get(tokens[at], frozenset()) | shared | words - {tokens[at]}
    return found


def _measures(text: str) -> set[tuple[str, str]]:
    tokens = _tokens(text)
    found: set[tuple[str, str]] = set()
    for at, token in enumerate(tokens):
        if _NUMBER.match(token):
            units = (_data().units.get(word) for word in _until_a_number(tokens[at + 1 :]))
            found |= {(token, unit) for unit in [next(filter(None, units), None)] if unit}
    return found


def _until_a_number(tokens: Sequence[str]) -> Iterator[str]:
    for token in tokens[:_AFTER_A_NUMBER]:
        if _NUMBER.match(token):
            return
        yield token


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
        {name: names[0] for names in read["units"] for name in names},
        {form: verb for verb in read["directed"] for form in forms(verb)} | read["irregular"],
        frozenset(read["compared"]),
    )

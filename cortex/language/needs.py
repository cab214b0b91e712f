"""Many patterns looked for in one sentence: most are not tried, for no word of the sentence can be part of a match.

What a match must hold is read off the parsed pattern: of each of its alternatives the word that is written least.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined, unused-ignore]  # not in every typeshed
from re import _parser  # type: ignore[attr-defined, unused-ignore]
from typing import Any, Final, NamedTuple

from cortex.language.words import STOP_WORDS

_TOKEN: Final = re.compile(r"\w+|\.+|[^\w\s]")
_DIGITS: Final = frozenset("0123456789")
_FEW: Final = 3  # letters without which a part of a word is in any
_LONGEST: Final = 20  # characters of a beginning
_FREQUENT: Final = frozenset("the a an of to in is are and or for by with as on it this that be at from . , -".split())
_MOST: Final = 50_000  # words whose patterns are remembered
_SENTENCES: Final = 64
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


class Need(NamedTuple):
    """A piece of what a match holds.

    Attributes:
        text: of a word; '0' for any digit.
        begins: the word begins with it.
        ends: the word ends with it.
    """

    text: str
    begins: bool = False
    ends: bool = False


class Patterns:
    """Patterns by name, of which `found` tells those that a sentence holds; it is in lower case, as they are."""

    def __init__(self, patterns: Mapping[str, re.Pattern[str]]) -> None:
        self._places = {name: place for place, name in enumerate(patterns)}
        self._names, self._looks = [*patterns], [_look(one) for one in patterns.values()]
        self._whole: defaultdict[str, int] = defaultdict(int)  # by word
        self._begun: defaultdict[str, int] = defaultdict(int)
        self._held: defaultdict[str, int] = defaultdict(int)
        self._always = 0
        self._of = lru_cache(_MOST)(self._of_token)
        self._may = lru_cache(_SENTENCES)(self._in_sentence)  # several readers ask of the same sentence
        for place, one in enumerate(patterns.values()):
            needs = needed(one.pattern)
            for need in needs or ():
                by = self._whole if need.begins and need.ends else self._begun if need.begins else self._held
                by[need.text] |= 1 << place
            self._always |= 0 if needs else 1 << place

    def mask(self, names: Iterable[str]) -> int:
        """What `found` takes to look for patterns of these *names* alone."""
        return sum(1 << self._places[name] for name in names if name in self._places)

    def found(self, sentence: str, among: int = -1) -> Iterator[str]:
        """The names of the patterns that *sentence* holds, in their order."""
        may = self._may(sentence) & among
        while may:
            low = may & -may
            place = low.bit_length() - 1
            if self._looks[place](sentence):
                yield self._names[place]
            may ^= low

    def holds(self, sentence: str, name: str) -> bool:
        """Whether *sentence* holds the pattern called *name*."""
        return any(self.found(sentence, self.mask([name])))

    def may_hold(self, sentence: str, name: str) -> bool:
        """Whether a word of *sentence* can be part of a match of the pattern called *name*."""
        return bool(self._may(sentence) >> self._places[name] & 1)

    def _in_sentence(self, sentence: str) -> int:
        """The patterns that *sentence* may hold."""
        may, of = self._always, self._of
        for token in _TOKEN.findall(sentence):
            may |= of(token)
        return may

    def _of_token(self, token: str) -> int:
        may = self._whole.get(token, 0) | (0 if _DIGITS.isdisjoint(token) else self._held.get("0", 0))
        for end in range(1, min(len(token), _LONGEST) + 1):
            may |= self._begun.get(token[:end], 0)
        for text, mask in self._held.items():
            may |= mask if text in token else 0
        return may


def _look(pattern: re.Pattern[str]) -> Callable[[str], re.Match[str] | None]:
    """How to look for *pattern* in a sentence: at its beginning alone, where it is tied to that."""
    (first, value), *_ = _parser.parse(pattern.pattern).data
    return pattern.match if (first, value) == (op.AT, op.AT_BEGINNING) else pattern.search


def needed(pattern: str) -> frozenset[Need] | None:
    r"""The pieces of which every match of *pattern* holds one; None where it may hold anything.

    >>> sorted(need.text for need in needed(r"\b(?:we|they) (?:agreed|decided) to\b"))
    ['agreed', 'decided']
    """
    return _needs(_parser.parse(pattern).data, Need(""))


def _needs(items: Sequence[Any], around: Need) -> frozenset[Need] | None:
    """The best of what the items of a sequence need, each of which is part of any match."""
    found: list[frozenset[Need] | None] = []
    at = 0
    while at < len(items):
        kind, value = items[at]
        literals = next((to for to in range(at, len(items)) if items[to][0] is not op.LITERAL), len(items))
        end = max(literals, at + 1)
        here = Need(
            "", _borders(items[:at], -1, otherwise=around.begins), _borders(items[end:], 0, otherwise=around.ends)
        )
        if kind is op.LITERAL:
            found += _pieces("".join(chr(value) for _, value in items[at:end]), here)
        else:
            found.append(_needs_of(kind, value, here))
        at = end
    return max(filter(None, found), key=_rarity, default=None)


def _needs_of(kind: Any, value: Any, here: Need) -> frozenset[Need] | None:  # noqa: ANN401
    if kind is op.SUBPATTERN:
        return _needs(value[3].data, here)
    if kind is op.BRANCH:
        found = [_needs(branch.data, here) for branch in value[1]]
        return frozenset().union(*(one for one in found if one)) if all(found) else None
    if kind in _REPEATS and value[0]:
        return _needs(value[2].data, Need(""))
    if kind is op.IN and all(one is op.LITERAL for one, _ in value):
        signs = [chr(one) for _, one in value]
        return None if any(map(str.isspace, signs)) else frozenset(map(Need, signs))
    digit = kind is op.IN and value in ([(op.CATEGORY, op.CATEGORY_DIGIT)], [(op.RANGE, (48, 57))])
    return frozenset((Need("0"),)) if digit else None


def _pieces(literal: str, here: Need) -> Iterator[frozenset[Need]]:
    for piece in _TOKEN.finditer(literal):
        begins, ends = piece.start() > 0 or here.begins, piece.end() < len(literal) or here.ends
        yield frozenset((Need(piece[0], begins, ends),))


def _borders(items: Sequence[Any], side: int, *, otherwise: bool) -> bool:
    """Whether a word ends where *items* begin, or begins where they end.

    Args:
        side: 0 for their first, -1 for their last.
        otherwise: what holds where they may match nothing.
    """
    if not items:
        return otherwise
    kind, value = items[side]
    if kind is op.SUBPATTERN:
        return _borders(value[3].data, side, otherwise=False)
    if kind is op.BRANCH:
        return all(_borders(branch.data, side, otherwise=False) for branch in value[1])
    if kind in _REPEATS:
        rest = items[1:] if side == 0 else items[:-1]
        unword = value[2].data == [(op.IN, [(op.CATEGORY, op.CATEGORY_NOT_WORD)])]
        inside = unword or _borders(value[2].data, side, otherwise=False)
        return inside and (bool(value[0]) or _borders(rest, side, otherwise=otherwise))
    if kind is op.LITERAL:
        return not (chr(value).isalnum() or chr(value) == "_")
    return kind is op.AT and value in (op.AT_BOUNDARY, op.AT_BEGINNING, op.AT_END)


def _rarity(needs: frozenset[Need]) -> float:
    """How little of what is written holds one of *needs*, about."""
    return -sum(map(_frequency, needs))


def _frequency(need: Need) -> float:
    if not need.text.isalpha():
        return 2.0 if need.text in _FREQUENT else 0.4
    if not (need.begins and need.ends) and len(need.text) < _FEW:
        return 2.0
    return 1.0 if need.text in _FREQUENT else 0.15 if need.text in STOP_WORDS else 0.03

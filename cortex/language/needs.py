"""Many patterns looked for in one sentence: most are not tried, for no word of the sentence can be part of a match.

What a match must hold is read off the parsed pattern: of each of its alternatives the word that is written least.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from cortex.language.words import STOP_WORDS

_TOKEN: Final = re.compile(r"\w+|\.+|[^\w\s]")
_DIGITS: Final = frozenset("0123456789")
_FEW: Final = 3  # letters without which a part of a word is in any
_LONGEST: Final = 20  # characters of a beginning
_FREQUENT: Final = frozenset("the a an of to in is are and or for by with as on it this that be at from . , -".split())
_MOST_PIECES: Final = 50_000  # whose patterns are remembered
_SENTENCES: Final = 64
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


class Need(NamedTuple):
    """A piece of what a match holds.

    Attributes:
        text: of a word; '0' for any digit.
        begins: the word begins with it.
        ends: the word ends with it.
        first: the word is the first of the sentence.
    """

    text: str
    begins: bool = False
    ends: bool = False
    first: bool = False


class Patterns:
    """Patterns by name, of which `found` tells those that a sentence holds; it is in lower case, as they are."""

    def __init__(self, patterns: Mapping[str, re.Pattern[str]]) -> None:
        self._names, self._looks = [*patterns], [_look(one) for one in patterns.values()]
        self._whole: defaultdict[str, list[int]] = defaultdict(_nothing)  # by word, as its first and anywhere
        self._begun: defaultdict[str, list[int]] = defaultdict(_nothing)
        self._held: defaultdict[str, list[int]] = defaultdict(_nothing)
        self._always = 0
        self._places = {name: place for place, name in enumerate(self._names)}
        self._known: dict[str, tuple[int, int | None]] = {}
        self._may = lru_cache(_SENTENCES)(self._read)  # several readers ask of the same sentence
        self._of = lru_cache(_MOST_PIECES)(self._of_token)
        for place, one in enumerate(patterns.values()):
            needs = needed(one.pattern)
            for need in needs or ():
                by = self._whole if need.begins and need.ends else self._begun if need.begins else self._held
                by[need.text][need.first] |= 1 << place
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
        return self.may_hold(sentence, name) and self._looks[self._places[name]](sentence) is not None

    def may_hold(self, sentence: str, name: str) -> bool:
        """Whether a word of *sentence* can be part of a match of the pattern called *name*."""
        return bool(self._may(sentence) >> self._places[name] & 1)

    def _read(self, sentence: str) -> int:
        """The patterns that *sentence* may hold."""
        known, may, opened = self._known, self._always, False
        for piece in sentence.split():
            anywhere, first = known.get(piece) or self._looked(piece)
            may |= anywhere
            if first is not None and not opened:
                may, opened = may | first, True
        return may

    def _looked(self, piece: str) -> tuple[int, int | None]:
        """The patterns that a token of *piece* may be part of, anywhere, and its first word as that of a sentence."""
        if len(self._known) > _MOST_PIECES:
            self._known.clear()
        anywhere, first = 0, None
        for token in _TOKEN.findall(piece):
            masks = self._of(token)
            anywhere |= masks[0]
            first = masks[1] if first is None and token[0].isalnum() else first
        self._known[piece] = anywhere, first
        return anywhere, first

    def _of_token(self, token: str) -> tuple[int, int]:
        beginnings = (token[:end] for end in range(1, min(len(token), _LONGEST) + 1))
        found = [self._begun[one] for one in beginnings if one in self._begun]
        found += [masks for text, masks in self._held.items() if text in token]
        found += [self._held["0"]] if not _DIGITS.isdisjoint(token) else []
        found += [self._whole[token]] if token in self._whole else []
        anywhere = first = 0
        for masks in found:
            anywhere |= masks[0]
            first |= masks[1]
        return anywhere, first


def _look(pattern: re.Pattern[str]) -> Callable[[str], re.Match[str] | None]:
    """How to look for *pattern* in a sentence: at its beginning alone, where it is tied to that."""
    (first, value), *_ = _parser.parse(pattern.pattern).data
    return pattern.match if (first, value) == (op.AT, op.AT_BEGINNING) else pattern.search


def _nothing() -> list[int]:
    return [0, 0]


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
        here = around._replace(
            begins=_borders(items[:at], -1, otherwise=around.begins),
            ends=_borders(items[at + 1 :], 0, otherwise=around.ends),
            first=_opens(items[:at]) or (not at and around.first),
        )
        if kind is op.LITERAL:
            end = next((to for to in range(at, len(items)) if items[to][0] is not op.LITERAL), len(items))
            ends = _borders(items[end:], 0, otherwise=around.ends)
            found += _pieces("".join(chr(value) for _, value in items[at:end]), here._replace(ends=ends))
            at = end
            continue
        found.append(_needs_of(kind, value, here))
        at += 1
    return max(filter(None, found), key=_rarity, default=None)


def _needs_of(kind: Any, value: Any, here: Need) -> frozenset[Need] | None:  # noqa: ANN401
    if kind is op.SUBPATTERN:
        return _needs(value[3].data, here)
    if kind is op.BRANCH:
        return _either([_needs(branch.data, here) for branch in value[1]])
    if kind in _REPEATS and value[0]:
        return _needs(value[2].data, Need("", first=here.first))
    if kind is op.IN and all(one is op.LITERAL for one, _ in value):
        signs = [chr(one) for _, one in value]
        return None if any(map(str.isspace, signs)) else frozenset(map(Need, signs))
    digit = kind is op.IN and value in ([(op.CATEGORY, op.CATEGORY_DIGIT)], [(op.RANGE, (48, 57))])
    return frozenset((Need("0", first=here.first),)) if digit else None


def _either(found: Sequence[frozenset[Need] | None]) -> frozenset[Need] | None:
    return frozenset().union(*(one for one in found if one)) if all(found) else None


def _pieces(literal: str, here: Need) -> Iterator[frozenset[Need]]:
    for piece in _TOKEN.finditer(literal):
        begins = here.begins if not piece.start() else True
        ends = here.ends if piece.end() == len(literal) else True
        yield frozenset((Need(piece[0], begins, ends, here.first and not piece.start()),))


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
        inside = _is_no_word(items[side]) or _borders(value[2].data, side, otherwise=False)
        return inside and (bool(value[0]) or _borders(rest, side, otherwise=otherwise))
    if kind is op.LITERAL:
        return not (chr(value).isalnum() or chr(value) == "_")
    return kind is op.AT and value in (op.AT_BOUNDARY, op.AT_BEGINNING, op.AT_END)


def _opens(items: Sequence[Any]) -> bool:
    """Whether *items* match nothing but what may stand before the first word."""
    if not items or items[0] != (op.AT, op.AT_BEGINNING):
        return False
    return len(items) == 1 or (len(items) == 2 and _is_no_word(items[1]))


def _is_no_word(item: Any) -> bool:  # noqa: ANN401
    kind, value = item
    if kind is op.SUBPATTERN:
        return len(value[3].data) == 1 and _is_no_word(value[3].data[0])
    return kind in _REPEATS and value[2].data == [(op.IN, [(op.CATEGORY, op.CATEGORY_NOT_WORD)])]


def _rarity(needs: frozenset[Need]) -> float:
    """How little of what is written holds one of *needs*, about."""
    return -sum(map(_frequency, needs))


def _frequency(need: Need) -> float:
    part = not (need.begins and need.ends)
    if need.first:
        return 0.02
    if not need.text.isalpha():
        return 2.0 if need.text in _FREQUENT else 0.4
    if part and len(need.text) < _FEW:
        return 2.0
    return 1.0 if need.text in _FREQUENT else 0.15 if need.text in STOP_WORDS else 0.03

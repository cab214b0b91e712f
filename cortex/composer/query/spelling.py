"""Spelling correction at edit distance one: insertion, deletion, substitution or transposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cortex.regex import regex

SHORTEST: Final = 6  # letters of a word that may be misspelled
_WORD: Final = regex(r"(?<![<{\w:])[a-z]+(?![\w>}])")


class Spelling:
    """A vocabulary, and the word of it that a misspelled one stands for."""

    def __init__(self, text: str) -> None:
        self._words = frozenset(_WORD.findall(text))
        self._by_first: dict[str, list[str]] = {}
        for word in self._words:
            if len(word) >= SHORTEST:
                self._by_first.setdefault(word[0], []).append(word)

    def mended(self, words: Sequence[str]) -> list[str]:
        """*words* with each unknown word replaced by the single known word near it, if there is one.

        >>> Spelling("minimum version").mended(["minimun", "verzion", "of", "minimax"])
        ['minimum', 'version', 'of', 'minimax']
        """
        return [self._mended(word) for word in words]

    def _mended(self, word: str) -> str:
        if len(word) < SHORTEST or word in self._words:
            return word
        near = [one for one in self._by_first.get(word[0], ()) if is_near(word, one)]
        return near[0] if len(near) == 1 else word


def is_near(one: str, other: str) -> bool:
    """Whether two words differ by one edit or one transposition.

    >>> is_near("dependancies", "dependencies"), is_near("chagnelog", "changelog"), is_near("tests", "latest")
    (True, True, False)
    """
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[start:], other[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[:2][::-1] and left[2:] == right[2:])
    )

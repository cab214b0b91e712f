"""Who wants another thing than the one a rule names: told by 'use this instead of that' alone."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = r"(?:[A-Z][\w.-]*|`[^`]+`)(?: [A-Z][\w.-]*)*"
_INSTEAD: Final = re.compile(
    rf"\b(?:[Uu]se|[Pp]refer|[Aa]dopt|[Ss]witch to)\s+(?P<new>{_NAME})\s+(?:.{{0,60}}?\s)?instead of\s+(?P<old>{_NAME})"
)
_CLAUSES: Final = re.compile(r"[.!?;:]\s|[—–\n]|\.$")
_NUMBER: Final = re.compile(r"(?<![\w.#/-])\d+(?:[.,_]\d+)*(?![\w-])")
_SAID: Final = re.compile(r"[^\W\d_]+|#")
_FEWEST: Final = 4
"""Words a sentence has, its number one of them, of which another may give another number."""


class Choice:
    """One named thing that is wanted instead of another.

    Attributes:
        wanted: what finds its name in a text.
        dropped: what finds the other's.
    """

    def __init__(self, new: str, old: str) -> None:
        self.wanted, self.dropped = map(_named, (new, old))

    def is_against(self, rule: str) -> bool:
        """Whether *rule* names what is to be dropped and not what is wanted."""
        return self.dropped.search(rule) is not None and self.wanted.search(rule) is None

    def is_for(self, text: str) -> bool:
        """Whether *text*, said of this choice, names what is wanted alone."""
        return self.wanted.search(text) is not None and self.dropped.search(text) is None


def choice(text: str) -> Choice | None:
    """The first thing that *text* wants instead of another, if any.

    >>> choice("Use Inter for the board instead of Plus Jakarta Sans").is_against("We keep Plus Jakarta Sans")
    True
    """
    found = _INSTEAD.search(text)
    return Choice(found["new"], found["old"]) if found else None


def is_another_number(said: str, rule: str) -> bool:
    """Whether a sentence of *said* is one of *rule*, word by word, but for one number.

    >>> is_another_number("Passwords have 16 characters. Why not?", "Passwords have at least 12 characters.")
    False
    >>> is_another_number("Passwords have at least 16 characters — so far", "Passwords have at least 12 characters.")
    True
    """
    ruled = {_template(one) for one in _CLAUSES.split(rule)}
    told = [_template(one) for one in _CLAUSES.split(said)]
    return any(
        words == held and sum(ours != theirs for ours, theirs in zip(numbers, others, strict=True)) == 1
        for words, numbers in told
        for held, others in ruled
        if len(numbers) == len(others) and len(words) >= _FEWEST
    )


def _template(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(_SAID.findall(_NUMBER.sub("#", text.lower()))), tuple(_NUMBER.findall(text))


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name.strip('`'))}(?![\w-])")

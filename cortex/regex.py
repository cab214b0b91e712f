"""Regular expressions that are compiled when they are first used: a question uses few of those that are loaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

_SEEKS: Final[dict[str, Callable[[], Any]]] = {
    "search": lambda: None, "match": lambda: None, "fullmatch": lambda: None, "finditer": lambda: iter(()),
}  # fmt: skip
"""The methods that look for a match, and what each gives where there is none."""


class _Regex:
    def __init__(self, pattern: str, flags: int, beside: tuple[str, ...]) -> None:
        self.pattern, self._flags, self._beside = pattern, flags, beside

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  a method or a value of `re.Pattern`
        if self._beside and name in _SEEKS:
            return lambda text, *places: self._sought(name, text, *places)
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)  # later calls come to it at once
        return found

    def _sought(self, name: str, text: str, *places: int) -> Any:  # noqa: ANN401  a match, or an iterator of them
        folded = text.casefold()
        if not any(literal in folded for literal in self._beside):
            return _SEEKS[name]()
        self._beside = ()
        return getattr(self, name)(text, *places)


def regex(pattern: str, flags: int = 0, *, beside: Iterable[str] = ()) -> re.Pattern[str]:
    """What `re.compile` gives, for its methods; `re`'s functions do not take it, and it is not the `re` of a match.

    Args:
        beside: literals in lower case, one of which is in every text with a match, however it is written there: while
            none has come, nothing is compiled.

    >>> regex("^[a-z]+", re.I).match("Cortex-1")[0]
    'Cortex'
    >>> [bool(regex("drops?", re.I, beside=["drop"]).search(text)) for text in ("Keep it", "Drop it")]
    [False, True]
    """
    return cast("re.Pattern[str]", _Regex(pattern, flags, tuple(beside)))

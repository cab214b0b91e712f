"""Regular expressions that are compiled when they are first used: a question uses few of those that are loaded."""

from __future__ import annotations

import re
from typing import Any, cast


class _Regex:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  a method or a value of `re.Pattern`
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)  # later calls come to it at once
        return found


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, for its methods; `re`'s functions do not take it, and it is not the `re` of a match.

    >>> regex("^[a-z]+", re.I).match("Cortex-1")[0]
    'Cortex'
    """
    return cast("re.Pattern[str]", _Regex(pattern, flags))

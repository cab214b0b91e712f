"""What a change says of where alone it holds: 'Only on the demo server', 'For the kiosk build only'."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.changed import new_words

LONGEST: Final = 1_500
"""Characters of a text in which it is looked for."""

_WHERE: Final = r"(?:on|for|in|at|to|when|if|with|within|while|during|under|behind)"
_SOME: Final = r"(?:[\w./'’-]+[^\S\n]+){1,5}?"
_LIMITS: Final = re.compile(
    rf"(?:^|[.!?;:(—–][^\S\n]?|\n)\W*(?:(?:this|it|that)\s+)?(?:(?:is|applies|holds|counts|works|affects|was)\s+|just\s+)*only\s+"
    rf"(?:{_WHERE}|affects?|applies|holds|changes|touches)\s+(?P<after>[^.!?;\n)]{{1,80}})"
    rf"|\b(?:this|it|that|limit|value|change|setting|default)\s+(?:(?:is|was|will)\s+)?(?:only\s+)?"
    rf"(?:applies|apply|holds|counts|changed|set|raised|lowered|done|made|enabled|used|meant)\s+only\s+{_WHERE}\s+(?P<done>[^.!?;\n)]{{1,80}})"
    rf"|\b(?:on|for|in|at)\s+(?P<before>{_SOME})only(?=\s*(?:$|[.;,!)—–\n]))"
    rf"|\b(?:limited|restricted|confined)\s+to\s+(?P<to>[^.!?;\n)]{{1,80}})",
    re.I,
)
_OF_ALL: Final = re.compile(
    r"\b(?:default|new|all|every|everywhere|everyone|everybody|any|comments?|docs?|review)\b", re.I
)
"""What says that it is of all there will be, or of the text and not the thing."""


def is_limited(text: str, title: str, known: str) -> bool:
    r"""Whether *text* below its *title* says that the change holds but for some, which *known* does not name.

    >>> is_limited("Raise the limit\n\nOnly on the demo server.", "Raise the limit", "What is the limit?")
    True
    >>> is_limited("Raise the limit\n\nOnly on the demo server.", "Raise the limit", "What is the limit on the demo?")
    False
    """
    below = text[len(title) : LONGEST] if text.startswith(title) else text[:LONGEST]
    for match in _LIMITS.finditer(below):
        told = next(filter(None, match.groups()), "")
        words = new_words(told, "")
        if words and not _OF_ALL.search(told) and words.isdisjoint(new_words(known, "")):
            return True
    return False

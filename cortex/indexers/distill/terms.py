"""What says what a term is: '*Epoch* means …', '"Quorum" refers to …', '**Fence** — a number that …'."""

from __future__ import annotations

from typing import Final

from cortex.indexers.distill.unit import MOST_WORDS, WORD, Unit
from cortex.language.markdown import Span
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "terms")

_FEWEST: Final = 3
_SMALL: Final = frozenset(("an", "the", "of", "to"))  # what stands before a colon and is no term


def defines(text: str, span: Span) -> bool:
    """Whether a sentence says what a term is."""
    return any(
        form.match(text, span.start, span.end)
        for form in (_ENGLISH["marked"], _ENGLISH["plain"], _ENGLISH["one"], _ENGLISH["said"])
    )


def says_what(unit: Unit) -> bool:
    """Whether a definition says more than its term: "url_for: The url_for function." does not."""
    words = WORD.findall(unit.text.lower())
    own = set(words) - set(WORD.findall(unit.context.lower())) - _SMALL
    return len(own) >= _FEWEST and len(words) <= MOST_WORDS

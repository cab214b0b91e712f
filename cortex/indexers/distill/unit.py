"""What a fact is made of: sentences of a body that stand together, and what introduces them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Shape = Literal["sentence", "item", "answer", "term", "choice", "end"]

LONGEST: Final = 480

WORD: Final = re.compile(r"[^\W\d_]{2,}")
ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]]+")
FEWEST_WORDS: Final = 5
SHORT: Final = 9  # words below which a sentence of prose is a short one
MOST_WORDS: Final = 80
_FEWEST_OWN: Final = 3
_SMALL: Final = frozenset(("an", "the", "of", "to"))  # what stands before a colon and is no term


class Unit(NamedTuple):
    """A candidate for a fact: `body[start:end]`, and what it says as one line.

    Attributes:
        context: what stands before it and it needs: the sentence that introduces its list, its term, or the question it
            answers.
        sentences: how many; more than one where the later lean on the first.
        first: nothing stands before it in its comment or section.
    """

    start: int
    end: int
    text: str
    context: str = ""
    shape: Shape = "sentence"
    sentences: int = 1
    first: bool = False


@lru_cache(64)  # several readers ask of the same sentence
def count_words(text: str) -> int:
    """How many words *text* has, of letters alone."""
    return len(WORD.findall(text))


def says_enough(text: str) -> bool:
    """Whether *text* has as many words as a sentence of prose has, addresses aside, and no more than a person reads.

    What an ellipsis opens goes on from elsewhere.
    """
    if text.startswith(("…", "...")):
        return False
    return FEWEST_WORDS <= count_words(ADDRESS.sub("", text) if "://" in text or "www." in text else text) <= MOST_WORDS


def says_what(unit: Unit) -> bool:
    """Whether a definition says more than its term: "url_for: The url_for function." does not."""
    words = WORD.findall(unit.text.lower())
    own = set(words) - set(WORD.findall(unit.context.lower())) - _SMALL
    return len(own) >= _FEWEST_OWN and len(words) <= MOST_WORDS

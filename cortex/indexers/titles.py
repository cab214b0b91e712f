"""Titles that say nothing of what was changed: nobody who asks a year later is glad of them as a fact."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cortex.indexers.distill.machines import is_machine
from cortex.language.patterns import patterns, read_table

_ENGLISH: Final = patterns("titles", "titles")

_TABLES: Final[dict[str, str]] = read_table("empty")
_EMPTY, _REMARKS, _SLIPS, _UPKEEP, _VAGUE = (
    frozenset(_TABLES[name].split()) for name in ("words", "remarks", "slips", "upkeep", "vague")
)
MOST_NAMED: Final = 3  # what a vague title may name and still tell nothing of it
_MERGE: Final = _ENGLISH["merge"]  # how git and GitHub word a merge that nobody words
_UPDATE: Final = re.compile(r"Update \S+\.\w+")  # how GitHub words a change that was made on its pages
_THANKS: Final = _ENGLISH["thanks"]

_QUOTED: Final = _ENGLISH["quoted"]  # a word that was put in or taken out, of a text that nobody sees here
_SCOPE: Final = re.compile(r"^\W*[\w./-]{1,30}(?:\([^)]*\))?!?:\s+(?=\w)")
_REFERENCE: Final = re.compile(r"(?i:\b(?:pr|gh|issue|s)[ -]?)?#?\b\d[\d.]*\b|\b(?i:pr|gh|issue|s)\d[\d.]*\b|@[\w-]+")
_OWNER: Final = re.compile(r"\b\w+(?:['’]s|(?<=s)['’])(?=\s)")
_SPOKEN: Final = re.compile(r"\w+")
_WORD: Final = re.compile(r"\w*[^\W\d_]\w*(?:\+\+|#)?")


@lru_cache(maxsize=4096)  # a pull request and its commits are often called the same
def says_nothing(title: str, author: str) -> bool:
    """Whether *title* tells that something was changed, and not what.

    >>> [says_nothing(title, "ada") for title in ("Fix typos", "Address Bob's comments", "Fix the key schedule")]
    [True, True, False]
    """
    if _MERGE.match(title) or _UPDATE.fullmatch(title) or _THANKS.fullmatch(title) or _QUOTED.fullmatch(title):
        return True
    title = _SCOPE.sub("", title.strip())
    words = [*_words(title)]
    if is_machine(author) and words[:1] and words[0] in _UPKEEP:
        return True
    if not _REMARKS.isdisjoint(words):
        words = [*_words(_ENGLISH["giver"].sub("", _OWNER.sub("", title)))]
    slip = next((place for place, word in enumerate(words) if word in _SLIPS), None)
    if slip is not None and words[slip + 1 : slip + 2] and words[slip + 1] in _EMPTY and "and" not in words[slip:]:
        words = words[:slip]
    return _EMPTY.issuperset(words)


def is_merge(title: str) -> bool:
    """Whether *title* is how a program words a merge.

    >>> is_merge("Merge branch 'main' into stable"), is_merge("Merge the two caches")
    (True, False)
    """
    return _MERGE.match(title) is not None


def is_vague(title: str) -> bool:
    """Whether a commit of this *title* says that it improved something, named in a few words, and not how.

    >>> [is_vague(title) for title in ("Clarify session keys", "Tidy up main()", "Forbid key reuse")]
    [True, True, False]
    """
    words = [*_words(_ENGLISH["path"].sub("", _SCOPE.sub("", title.strip())))]
    named = [word for word in words if word not in _EMPTY]
    return bool(words) and words[0] in _VAGUE and len(named) <= MOST_NAMED and not _ENGLISH["precise"].search(title)


def spoken(title: str) -> str:
    """*title* without its signs, white space and capitals, so that those that say the same are the same.

    >>> spoken("Read in WAL  mode.") == spoken("read in `WAL` mode")
    True
    """
    return " ".join(_SPOKEN.findall(title.casefold()))


def _words(title: str) -> list[str]:
    """What may say something, in lower case; numbers and single letters do not."""
    return [word.lower() for word in _WORD.findall(_REFERENCE.sub(" ", title)) if len(word) > 1]

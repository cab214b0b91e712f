"""Which kind of fact a row states: a failure in use, a choice, how work is done, or only a change; what is a trifle.

Nobody who asks a year later is glad of a title that says nothing of what was changed.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Final

from cortex.indexers.distill.tells import fails, gives_reason, is_report
from cortex.indexers.distill.text import is_machine
from cortex.indexers.worth import HALF, LABELLED, LEAST, Telling, features, likelihood, weighed
from cortex.language.changes import parse
from cortex.language.patterns import patterns, read_table
from cortex.language.stems import split
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.model import Kind

_LABELS: Final = {kind: frozenset(listed.split()) for kind, listed in read_table("kinds")["labels"].items()}
_TITLES: Final = patterns("kinds", "titles")

_TOKEN: Final = re.compile(r"[a-z']+")
_OPENING: Final = 1200  # characters of a body that are looked at

_ENGLISH: Final = patterns("titles", "titles")

_EMPTY, _REMARKS, _SLIPS, _UPKEEP, _VAGUE = (
    frozenset(read_table("empty")[name].split()) for name in ("words", "remarks", "slips", "upkeep", "vague")
)
MOST_NAMED: Final = 3  # what a vague title may name and still tell nothing of it
REPEATS: Final = 0.7  # share of the words of the shorter of two titles from which they say the same
_UPDATE: Final = re.compile(r"Update \S+\.\w+")  # how GitHub words a change that was made on its pages
_SCOPE: Final = re.compile(r"^\W*[\w./-]{1,30}(?:\([^)]*\))?!?:\s+(?=\w)")
_REFERENCE: Final = re.compile(r"(?i:\b(?:pr|gh|issue|s)[ -]?)?#?\b\d[\d.]*\b|\b(?i:pr|gh|issue|s)\d[\d.]*\b|@[\w-]+")
_OWNER: Final = re.compile(r"\b\w+(?:['’]s|(?<=s)['’])(?=\s)")
_SPOKEN: Final = re.compile(r"\w+")
_WORD: Final = re.compile(r"\w*[^\W\d_]\w*(?:\+\+|#)?")
_OF_NONE: Final = ("thanks", "quoted")  # a word that was put in or taken out, of a text that nobody sees here


def is_trivial(title: str, author: str) -> bool:
    """Whether *title* is of a change that nobody asks for a year later: a typo, formatting, a bump, a merge.

    >>> [is_trivial(title, "ada") for title in ("Fix typo in usage", "Bump tox to 4", "Add a badge", "Fix a leak")]
    [True, True, True, False]
    """
    if says_nothing(title, author) or _TITLES["trifle"].search(title):
        return True
    return _TITLES["chore"].search(title) is not None and not _TITLES["precise"].search(title)


def kind_of(type_: str, title: str, labels: str, state: str, body: str) -> Kind:
    """The kind of the fact that states what an issue, a pull request or a commit is.

    Args:
        labels: a JSON array.
    """
    if state != "open" and not _LABELS["decision"].isdisjoint(_words(labels)):
        return "decision"
    if type_ == "issue":
        return _of_issue(title, labels, body)
    stands, words = type_ == "commit" or state == "merged", _words(labels)
    aside = is_aside(title) or not _LABELS["aside"].isdisjoint(words)
    found = None if aside else weighed(title, body if stands else title)
    if not found or found[1].end or (found[1].sort == "decision" and not stands):
        return "change"  # the fact that tells why is of the kind
    labelled = found[1].sort == "incident" and not _LABELS["incident"].isdisjoint(words)
    return found[1].kind if found[0] >= (LABELLED if labelled else LEAST[found[1].sort]) else "change"


def is_declined(labels: str) -> bool:
    """Whether one of a JSON array of *labels* says that an issue was turned down.

    >>> is_declined('["resolution: wontfix"]'), is_declined('["bug"]')
    (True, False)
    """
    return not _LABELS["declined"].isdisjoint(_words(labels))


def takes_back(title: str) -> bool:
    """Whether *title* says that something was taken back, and not brought back by that.

    >>> [takes_back(one) for one in ('Revert "Add a lease"', 'Revert "Revert "Add a lease""', "Add a lease")]
    [True, False, False]
    """
    ops = {one.op for one in parse(title)}
    return Op.REVERTS in ops and Op.RELANDS not in ops


def is_document(path: str) -> bool:
    """Whether the file at *path* is read by people: what is mended there breaks nothing in use.

    >>> is_document("docs/usage.md"), is_document("src/usage.c")
    (True, False)
    """
    return _TITLES["document"].search(path) is not None


def kind_of_words(text: str) -> Kind:
    """The kind the words of a sentence speak for; a spec when none does, for it says how something is."""
    if _TITLES["owns"].search(text):
        return "ownership"
    if fails(text):
        return "incident"
    if gives_reason(text):
        return "decision"
    return "process" if _TITLES["process"].search(text) else "spec"


def reasons(title: str, body: str) -> str:
    """Where *body* tells why what *title* says is done: [[start, end, kind]] as JSON, or [] where it does not."""
    likely, told = (not is_aside(title) and weighed(title, body)) or (0.0, None)
    if not told or not told.end or (likely < HALF and not takes_back(title)):
        return "[]"
    return json.dumps([[told.start, told.end, told.kind if likely >= LEAST[told.sort] else "change"]])


def _of_issue(title: str, labels: str, body: str) -> Kind:
    words = _words(labels)
    if not _LABELS["aside"].isdisjoint(words):
        return "process" if not _LABELS["process"].isdisjoint(words) else "change"
    called = is_report(body) or not _LABELS["incident"].isdisjoint(words)
    failed = fails(title) or (called and fails(body[len(title) :][:_OPENING]))
    least = LABELLED if called else LEAST["incident"]
    asks = _TITLES["asks"].search(title)
    if failed and not asks and likelihood("incident", features(title, title, Telling("incident"))) >= least:
        return "incident"
    if not _LABELS["process"].isdisjoint(words) or _TITLES["process"].search(title):
        return "process"
    return "change"  # what it asks for


def is_aside(title: str) -> bool:
    """Whether *title* is about what nobody uses: tests, words, checks."""
    return _TITLES["aside"].search(title) is not None


@lru_cache(maxsize=1024)
def _words(labels: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(labels.lower())) if labels != "[]" else frozenset()


@lru_cache(maxsize=4096)  # a pull request and its commits are often called the same
def says_nothing(title: str, author: str) -> bool:
    """Whether *title* tells that something was changed, and not what.

    >>> [says_nothing(title, "ada") for title in ("Fix typos", "Address Bob's comments", "Fix the key schedule")]
    [True, True, False]
    """
    if is_merge(title) or _UPDATE.fullmatch(title) or any(_ENGLISH[name].fullmatch(title) for name in _OF_NONE):
        return True
    title = _SCOPE.sub("", title.strip())
    words = [*_said(title)]
    if is_machine(author) and words[:1] and words[0] in _UPKEEP:
        return True
    if not _REMARKS.isdisjoint(words):
        words = [*_said(_ENGLISH["giver"].sub("", _OWNER.sub("", title)))]
    slip = next((place for place, word in enumerate(words) if word in _SLIPS), None)
    if slip is not None and words[slip + 1 : slip + 2] and words[slip + 1] in _EMPTY and "and" not in words[slip:]:
        words = words[:slip]
    return _EMPTY.issuperset(words)


def is_merge(title: str) -> bool:
    """Whether *title* is how a program words a merge.

    >>> is_merge("Merge branch 'main' into stable"), is_merge("Merge the two caches")
    (True, False)
    """
    return _ENGLISH["merge"].match(title) is not None


def is_vague(title: str) -> bool:
    """Whether a commit of this *title* says that it improved something, named in a few words, and not how.

    >>> [is_vague(title) for title in ("Clarify session keys", "Tidy up main()", "Forbid key reuse")]
    [True, True, False]
    """
    words = [*_said(_ENGLISH["path"].sub("", _SCOPE.sub("", title.strip())))]
    named = [word for word in words if word not in _EMPTY]
    return bool(words) and words[0] in _VAGUE and len(named) <= MOST_NAMED and not _ENGLISH["precise"].search(title)


def spoken(title: str) -> str:
    """*title* without its signs, white space and capitals, so that those that say the same are the same.

    >>> spoken("Read in WAL  mode.") == spoken("read in `WAL` mode")
    True
    """
    return " ".join(_SPOKEN.findall(title.casefold()))


def repeats(title: str, other: str) -> bool:
    """Whether two titles share most words of the shorter.

    >>> repeats("Fix a crash in the pager when its thread fails", "Fix crash of pager when a thread fails")
    True
    >>> repeats("Add a pager", "Fix a crash in the pager when its thread fails")
    False
    """
    one, two = ({*split(text)} - STOP_WORDS for text in (title, other))
    return len(one & two) >= max(2.0, REPEATS * min(len(one), len(two)))


def _said(title: str) -> list[str]:
    """What may say something, in lower case; numbers and single letters do not."""
    return [word.lower() for word in _WORD.findall(_REFERENCE.sub(" ", title)) if len(word) > 1]

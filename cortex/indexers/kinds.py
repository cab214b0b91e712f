"""Which kind of fact a row states: a failure in use, a choice, how work is done, or only a change; what is a trifle."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from cortex.indexers.distill.remarks import remarks
from cortex.indexers.distill.tells import (
    chooses,
    does,
    fails,
    gives_reason,
    is_conceded,
    is_report,
    is_taken,
    is_unsure,
    stops,
    tells_failure,
    tells_why,
    tells_why_reverted,
)
from cortex.indexers.distill.unit import WORD, Unit, says_enough
from cortex.indexers.titles import says_nothing
from cortex.language.changes import parse
from cortex.language.patterns import patterns, read_table
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.model import Kind

_LABELS: Final = {kind: frozenset(listed.split()) for kind, listed in read_table("kinds")["labels"].items()}
_TITLES: Final = patterns("kinds", "titles")

_QUOTED: Final = re.compile('["“]')
_HASH: Final = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_SQUASHED: Final = re.compile(r"\n\s*\n\*\s+\S[^\n]*\n\s*\n")  # a title in the list of commits
_TOKEN: Final = re.compile(r"[a-z']+")
_OPENING: Final = 1200  # characters of a body that are looked at
_NONE: Final = "[]"
_SHORTEST: Final = 40  # characters of a body below which it gives no reason
_SENTENCES: Final = 4  # of a body that may give it
_AFTER: Final = 20  # characters after a sentence that may take it back
_FEWEST: Final = 3  # words of a title that name what failed, and of a reason that its title has not
_BEGINNING: Final = 5  # letters by which words are told apart


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
    stands = type_ == "commit" or state == "merged"
    if stands and reasons(title, body) != _NONE:
        return "change"  # the fact that tells why is of the kind
    if _is_incident(title, labels):
        return "incident"
    return "decision" if stands and not _binds_nobody(title) and chooses(title) and not _clears(title) else "change"


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


@lru_cache(maxsize=1024)
def reasons(title: str, body: str) -> str:
    """Where *body* tells why what *title* says is done: [[start, end, kind]] as JSON, or [] where it does not."""
    kind, tells = _wanted(title)
    if kind and len(body) - len(title) >= _SHORTEST:
        for unit in islice(remarks(body, alone=True), 1, _SENTENCES):
            said = unit.start >= len(title) and says_enough(unit.text) and _adds(unit.text, title)
            if _SQUASHED.search(body, len(title), unit.start):
                break  # what follows is said of another commit
            if said and tells(unit) and not is_conceded(body[unit.end : unit.end + _AFTER]):
                found = "incident" if fails(unit.text) else kind
                return (
                    _NONE if found == "decision" and _clears(unit.text) else json.dumps([[unit.start, unit.end, found]])
                )
    return _NONE


def _wanted(title: str) -> tuple[Kind | None, Callable[[Unit], bool]]:
    """The kind of a fact that tells why *title* is done, and what tells a sentence that does."""
    if is_aside(title) and not (_QUOTED.search(title) and _TITLES["revert"].search(title)):
        return None, bool
    if _TITLES["revert"].search(title):
        return "decision", tells_why_reverted
    if _TITLES["mends"].search(title):
        return "incident", tells_failure
    if does(title) and not _binds_nobody(title):
        return "decision", tells_why
    return "decision", lambda unit: is_taken(unit.text, alone=True)


def _of_issue(title: str, labels: str, body: str) -> Kind:
    words = _words(labels)
    if not _LABELS["aside"].isdisjoint(words):
        return "process" if not _LABELS["process"].isdisjoint(words) else "change"
    called = is_report(body) or not _LABELS["incident"].isdisjoint(words)
    failed = fails(title) or (called and fails(body[len(title) :][:_OPENING]))
    if failed and _names(title) and not _TITLES["asks"].search(title):
        return "incident"
    if not _LABELS["process"].isdisjoint(words) or _TITLES["process"].search(title):
        return "process"
    return "change"  # what it asks for


def _is_incident(title: str, labels: str) -> bool:
    """Whether a change mends what failed in use, as its title tells."""
    if is_aside(title) or _TITLES["intends"].search(title) or not _LABELS["aside"].isdisjoint(_words(labels)):
        return False
    if _TITLES["mends"].search(title):
        return fails(title) and not is_unsure(title) and _names(title)
    return bool(_TITLES["heeds"].search(title)) and stops(title) and not is_unsure(title) and _names(title)


def _names(title: str) -> bool:
    """Whether *title* names what failed, or when, and does not only say that something did.

    >>> [_names(title) for title in ("Doesn't build", "Fix regression in leases of days", "Crash when the lease ends")]
    [False, False, True]
    """
    named = sum(not _TITLES["vague"].match(word) for word in _telling(title))
    when = _TITLES["circumstance"].search(title) is not None
    told, regressed = _TITLES["regressed"].subn("", title)
    return named >= _FEWEST - when and (when or not regressed or fails(told))


def _adds(text: str, title: str) -> bool:
    """Whether *text* says what *title* does not."""
    known = {word.lower()[:_BEGINNING] for word in WORD.findall(title)}
    return sum(word.lower()[:_BEGINNING] not in known for word in _telling(text)) >= _FEWEST


def _telling(text: str) -> Iterator[str]:
    return (word for word in WORD.findall(_HASH.sub("", text)) if word.lower() not in STOP_WORDS)


def _clears(text: str) -> bool:
    """Whether *text* says that something is not used in the code."""
    return _TITLES["unused"].search(text) is not None


def is_aside(title: str) -> bool:
    """Whether *title* is about what nobody uses: tests, words, checks."""
    return _TITLES["aside"].search(title) is not None


def _binds_nobody(title: str) -> bool:
    """Whether *title* tells no choice that others go by: of tests, words and form, of what nobody used, a fault."""
    return any(_TITLES[name].search(title) for name in ("aside", "clears", "chore", "mends", "reshapes"))


@lru_cache(maxsize=1024)
def _words(labels: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(labels.lower())) if labels != "[]" else frozenset()

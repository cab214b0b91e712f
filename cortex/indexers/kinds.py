"""Which kind of fact a row states: a failure in use, a choice, how work is done, or only a change; what is a trifle."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Final

from cortex.indexers.distill.tells import fails, gives_reason, is_report
from cortex.indexers.titles import says_nothing
from cortex.indexers.worth import HALF, LABELLED, LEAST, Telling, features, likelihood, weighed
from cortex.language.changes import parse
from cortex.language.patterns import patterns, read_table
from cortex.language.verbs import Op
from cortex.substrate.model import Kind

_LABELS: Final = {kind: frozenset(listed.split()) for kind, listed in read_table("kinds")["labels"].items()}
_TITLES: Final = patterns("kinds", "titles")

_TOKEN: Final = re.compile(r"[a-z']+")
_OPENING: Final = 1200  # characters of a body that are looked at
_FAILED: Final = Telling("incident")


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
    if (
        failed
        and not _TITLES["asks"].search(title)
        and likelihood("incident", features(title, title, _FAILED)) >= least
    ):
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

"""Which kind of fact a row states: a failure in use, a choice, how work is done, or only a change; what is a trifle."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import islice
from typing import Final

from cortex.indexers.distill.remarks import remarks
from cortex.indexers.distill.tells import breaks, chooses, does, fails, gives_reason, is_report, is_unsure, stops
from cortex.indexers.distill.unit import says_enough
from cortex.indexers.titles import says_nothing, spoken
from cortex.language.patterns import patterns, read_table
from cortex.substrate.model import Kind

_LABELS: Final = {kind: frozenset(listed.split()) for kind, listed in read_table("kinds")["labels"].items()}
_TITLES: Final = patterns("kinds", "titles")

_TOKEN: Final = re.compile(r"[a-z']+")
_OPENING: Final = 1200  # characters of a body that are looked at
_SHORTEST: Final = 40  # characters of a body below which it gives no reason
_SENTENCES: Final = 5  # of a body that may give it


def is_trivial(title: str, author: str) -> bool:
    """Whether *title* is of a change that nobody asks for a year later: a typo, formatting, a bump, a merge.

    >>> [is_trivial(title, "ada") for title in ("Fix typo in usage", "Bump tox from 3 to 4", "Fix a leak of handles")]
    [True, True, False]
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
    if _is_incident(title, labels, body):
        return "incident"
    stands = type_ == "commit" or state == "merged"
    return "decision" if stands and not _is_aside(title) and chooses(title) else "change"


def is_declined(labels: str) -> bool:
    """Whether one of a JSON array of *labels* says that an issue was turned down.

    >>> is_declined('["resolution: wontfix"]'), is_declined('["bug"]')
    (True, False)
    """
    return not _LABELS["declined"].isdisjoint(_words(labels))


def is_document(path: str) -> bool:
    """Whether the file at *path* is read by people: what is mended there breaks nothing in use.

    >>> is_document("docs/usage.md"), is_document("src/usage.c")
    (True, False)
    """
    return _TITLES["document"].search(path) is not None


def kind_of_revert(title: str, body: str) -> Kind:
    """The kind of what took something back: an incident where it tells what failed, a decision where it tells why."""
    said = body[len(title) :][:_OPENING]
    if fails(said):
        return "incident"
    return "decision" if any(gives_reason(line) for line in said.splitlines()) else "change"


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
    if len(body) - len(title) < _SHORTEST:
        return "[]"
    reverts = _TITLES["revert"].search(title) is not None
    if not reverts and (_is_aside(title) or not does(title)):
        return "[]"
    for unit in islice(remarks(body), 1, _SENTENCES):
        told = unit.start >= len(title) and unit.sentences == 1 and says_enough(unit.text)
        if told and (_tells_why_reverted(unit.text) if reverts else _tells_why(unit.text, title)):
            return json.dumps([[unit.start, unit.end, "incident" if reverts and fails(unit.text) else "decision"]])
    return "[]"


def _tells_why(sentence: str, title: str) -> bool:
    return gives_reason(sentence) and spoken(sentence) != spoken(title)


def _tells_why_reverted(sentence: str) -> bool:
    return not (_TITLES["reverts"].search(sentence) or is_unsure(sentence))


def _is_aside(title: str) -> bool:
    """Whether a choice that *title* tells binds nobody: of tests, of words, of what nobody used."""
    return any(_TITLES[name].search(title) for name in ("aside", "clears", "chore"))


def _of_issue(title: str, labels: str, body: str) -> Kind:
    words = _words(labels)
    if not _LABELS["aside"].isdisjoint(words):
        return "process" if not _LABELS["process"].isdisjoint(words) else "spec"
    called = is_report(body) or not _LABELS["incident"].isdisjoint(words)
    if not _TITLES["asks"].search(title) and (fails(title) or (called and fails(body[len(title) :][:_OPENING]))):
        return "incident"
    if not _LABELS["process"].isdisjoint(words) or _TITLES["process"].search(title):
        return "process"
    return "spec"


def _is_incident(title: str, labels: str, body: str) -> bool:
    """Whether a change mends what failed in use, as it says itself."""
    words = _words(labels)
    if _TITLES["aside"].search(title) or not _LABELS["aside"].isdisjoint(words):
        return False
    if not _TITLES["mends"].search(title):
        return _TITLES["heeds"].search(title) is not None and stops(title)
    said = body[len(title) :][:_OPENING]
    return fails(title) or breaks(said) or (not _LABELS["incident"].isdisjoint(words) and fails(said))


@lru_cache(maxsize=1024)
def _words(labels: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(labels.lower())) if labels != "[]" else frozenset()

"""How the sites and their bots word the commit that merges a pull request.

Source: messages of GitHub, GitLab, Bitbucket and Azure DevOps merges, of bors and homu, and of Bitcoin's merge script.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from cortex.language.patterns import patterns
from cortex.substrate.records import TITLE

_ENGLISH: Final = patterns("connectors", "merges")

_SUBJECTS: Final = [form for name, form in _ENGLISH.items() if name.startswith("subject_")]
"""In the order tried; where a form has no title, the first line of the text is it."""

_GITLAB: Final = _ENGLISH["gitlab"]
_TAKEN_BACK: Final = _ENGLISH["taken_back"]
_LISTED_COMMIT = re.compile(r"[0-9a-f]{7,40} (?P<title>.+?)(?: \((?P<author>[^()]+)\))?")


class Merge(NamedTuple):
    """The pull request a commit message tells of; `of` is the repository it names, '' where it names none."""

    number: int
    title: str
    text: str
    author: str = ""
    of: str = ""


class Taken(NamedTuple):
    """A pull request that a commit takes back or brings back; `of` is the repository it names."""

    how: Literal["reverts", "reapplies"]
    number: int
    of: str = ""


def merged(message: str) -> Merge | None:
    """The pull request that *message* says was merged, None when it says nothing of the kind."""
    subject, _, text = message.strip().partition("\n")
    subject, text = subject.strip(), text.strip("\n")
    for form in _SUBJECTS:
        if found := form.fullmatch(subject):
            told = found.groupdict()
            merge = _merge(int(told["number"]), told.get("title"), text, subject, told.get("author") or "")
            return merge._replace(of=told.get("of") or "")
    if subject.startswith("Merge branch ") and (marks := _GITLAB.findall(text)):
        of, number = marks[-1]
        return _merge(int(number), None, text, subject, "")._replace(of=of.strip("/"))
    return None


def _merge(number: int, title: str | None, text: str, subject: str, author: str) -> Merge:
    if title:
        return Merge(number, title.strip(), text, author)
    first, _, rest = text.partition("\n")
    if listed := _LISTED_COMMIT.fullmatch(first.strip()):
        alone = not _LISTED_COMMIT.fullmatch(rest.partition("\n")[0].strip())
        return Merge(number, listed["title"] if alone else subject, text, author or listed["author"] or "")
    if not first.strip() or _GITLAB.match(first):
        return Merge(number, subject, text, author)
    return Merge(number, first.strip(), rest.strip("\n"), author)


def reverted(subject: str) -> list[Taken]:
    """The pull requests that a subject takes back or brings back.

    >>> [(taken.how, taken.number) for taken in reverted('Revert "Revert "Title (#12)" (#34)" (#56)')]
    [('reverts', 34), ('reapplies', 12)]
    """
    found: list[Taken] = []
    back, subject = False, subject[:TITLE]
    while quoted := _TAKEN_BACK.match(subject):
        back ^= quoted["reverts"] is not None
        subject = quoted["what"]
        inner = _TAKEN_BACK.match(subject)
        if numbers := _ENGLISH["numbered"].findall(subject[inner.end() :] if inner else subject):
            plain, of, named = numbers[-1]
            found.append(Taken("reverts" if back else "reapplies", int(plain or named), of))
    return found


def is_of(named: str, *names: str) -> bool:
    """Whether a repository that a message names is the one called any of *names*.

    Its owner may be another: of what it was forked from, or of a time before it was moved. A message that names none
    speaks of its own.

    >>> is_of("bitcoin-core/gui", "bitcoin/bitcoin"), is_of("Ada/Engine", "eve/engine"), is_of("", "ada/engine")
    (False, True, True)
    """
    ends = {name.casefold().rpartition("/")[2] for name in names if name}
    return not named or named.casefold().rpartition("/")[2] in ends

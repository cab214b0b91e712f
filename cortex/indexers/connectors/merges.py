"""How the sites and their bots word the commit that merges a pull request.

Source: messages of GitHub, GitLab, Bitbucket and Azure DevOps merges, of bors and homu, and of Bitcoin's merge script.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_NUMBER = r"(?P<number>[1-9]\d{0,8})"
# In the order tried; where a form has no title, the first line of the text is it.
_SUBJECTS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"Merge (?:pull request|PR) #{_NUMBER}(?: from \S+| into \S+)*(?:\s*[:-]\s*(?P<title>.+))?",
        rf"Merge (?:[\w.-]+/[\w.-]+)?#{_NUMBER}(?::\s*(?P<title>.+))?",
        rf"(?:Auto|Rollup) merge of #{_NUMBER} - (?P<author>[\w-]+):\S+ r=.*",
        rf"Merged PR {_NUMBER}:\s*(?P<title>.+)",
        rf"Merged in \S+ \(pull request #{_NUMBER}\)",
        rf"(?P<title>.*\S)\s*\((?:#|GH-){_NUMBER}\)",
    )
)
_GITLAB = re.compile(r"^See merge request \S*!([1-9]\d{0,8})[ \t]*$", re.M)
_TAKEN_BACK = re.compile(r'(?:(?P<reverts>Revert|Back out)|Reapply|Reland)\s+"(?P<what>.+)"', re.I)
_NUMBERED = re.compile(r"\((?:#|GH-)([1-9]\d{0,8})\)|^Merge (?:pull request |PR |\S+/\S+)?#([1-9]\d{0,8})\b", re.I)
_LISTED_COMMIT = re.compile(r"[0-9a-f]{7,40} (?P<title>.+?)(?: \((?P<author>[^()]+)\))?")


class Merge(NamedTuple):
    """The pull request a commit message tells of."""

    number: int
    title: str
    text: str
    author: str = ""


def merged(message: str) -> Merge | None:
    """The pull request that *message* says was merged, None when it says nothing of the kind."""
    subject, _, text = message.strip().partition("\n")
    subject, text = subject.strip(), text.strip("\n")
    for form in _SUBJECTS:
        if found := form.fullmatch(subject):
            told = found.groupdict()
            return _merge(int(told["number"]), told.get("title"), text, subject, told.get("author") or "")
    if subject.startswith("Merge branch ") and (marks := _GITLAB.findall(text)):
        return _merge(int(marks[-1]), None, text, subject, "")
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


def reverted(subject: str) -> list[tuple[Literal["reverts", "reapplies"], int]]:
    """The numbers of the pull requests that a subject takes back or brings back.

    >>> reverted('Revert "Title (#12)" (#34)')
    [('reverts', 12)]
    >>> reverted('Revert "Revert "Title (#12)" (#34)" (#56)')
    [('reverts', 34), ('reapplies', 12)]
    """
    found: list[tuple[Literal["reverts", "reapplies"], int]] = []
    back = False
    while quoted := _TAKEN_BACK.match(subject):
        back ^= quoted["reverts"] is not None
        subject = quoted["what"]
        inner = _TAKEN_BACK.match(subject)
        if numbers := _NUMBERED.findall(subject[inner.end() :] if inner else subject):
            found.append(("reverts" if back else "reapplies", int(numbers[-1][0] or numbers[-1][1])))
    return found

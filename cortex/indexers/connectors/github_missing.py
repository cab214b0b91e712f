"""What was deleted on GitHub, which tells nobody: a list that is shorter than what is held of it lacks something.

How long a list is takes one request. Only a list that is too short is read again, and what it lacks is asked for by
its number before it is said to be gone: a row that another's deletion moved to a page already read is still there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from cortex.errors import GitHubFailed
from cortex.indexers.connectors import Gone
from cortex.indexers.connectors.github_http import PER_PAGE, Answer, Repository

Held = Callable[[], Iterable[tuple[str, str]]]
"""The ref and the address of every issue, pull request and comment that the brain holds of the repository."""

THREADS: Final = "issues"
LISTS: Final[Mapping[str, tuple[str, Mapping[str, str], str]]] = {
    THREADS: ("/issues", {"state": "all"}, "number"),
    "comments": ("/issues/comments", {}, "id"),
    "review comments": ("/pulls/comments", {}, "id"),
}
"""Path and parameters of each list, and what names one of its rows; a review is in none, and cannot be deleted."""

_MARKS: Final = {"#issuecomment-": "comments", "#discussion_r": "review comments"}
_NO_LONGER: Final = (404, 410)


def missing(
    repository: Repository, held: Iterable[tuple[str, str]], blank: Mapping[str, set[str]] = MappingProxyType({})
) -> Iterator[Gone]:
    """What of *held* GitHub no longer has.

    Args:
        blank: by list, what is there and not held, for it says nothing; what is no longer there is taken out.

    Raises:
        GitHubFailed: GitHub said no, or answers no more.
    """
    ours: dict[str, dict[str, str]] = {name: {} for name in LISTS}
    for ref, url in held:
        if name := list_of(ref, url):
            ours[name][_number(ref)] = ref
    for name, (path, parameters, key) in LISTS.items():
        count = _count(repository, path, parameters)
        silent = blank.get(name, set())
        if count is None or count >= len(ours[name]) + len(silent):
            continue
        there = {str(row.get(key)) for row in _rows(repository, path, parameters)}
        silent &= there
        for number in ours[name].keys() - there:
            if _is_gone(repository, f"{path}/{number}"):
                yield Gone(ref=ours[name][number])


def list_of(ref: str, url: str) -> str:
    """The list that has the record called *ref*; '' for a review.

    >>> list_of("comment:12#34", "https://github.com/ada/parser/pull/12#discussion_r34")
    'review comments'
    """
    if not ref.startswith("comment:"):
        return THREADS
    return next((name for mark, name in _MARKS.items() if mark in url), "")


def _number(ref: str) -> str:
    return ref.rpartition("#")[2].rpartition(":")[2]


def _count(repository: Repository, path: str, parameters: Mapping[str, str]) -> int | None:
    """How many rows a list has: as many as it has pages of one; None where GitHub does not say."""
    answer = _asked(repository, path, {**parameters, "per_page": "1"}, many=True)
    if answer is None:
        return None
    if answer.last.get("page", "").isdigit():
        return int(answer.last["page"])
    return None if answer.next else len(answer.data)


def _rows(repository: Repository, path: str, parameters: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    asked: Mapping[str, str] = {**parameters, "per_page": str(PER_PAGE), "sort": "created", "direction": "asc"}
    before: object = None
    while answer := repository.get(path, asked, many=True):
        yield from (row for row in answer.data if isinstance(row, dict))
        if not answer.next or answer.data == before:
            return
        asked, before = answer.next, answer.data


def _is_gone(repository: Repository, path: str) -> bool:
    answer = _asked(repository, path, {}, many=False)
    return answer is None or f"/{repository.name}/".lower() not in str(answer.data.get("html_url")).lower()


def _asked(repository: Repository, path: str, parameters: Mapping[str, str], *, many: bool) -> Answer | None:
    try:
        return repository.get(path, parameters, many=many)
    except GitHubFailed as error:
        if error.status not in _NO_LONGER:
            raise
        return None

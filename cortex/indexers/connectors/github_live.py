"""Issues, pull requests, comments and reviews of a repository on GitHub, as its REST API has them now.

Three streams, each in the order of the last change, are read a page at a time: issues and pull requests, their
comments, and comments on code; who merged a pull request and what its reviews say is asked for each that changed.
After every page a cursor says how far a stream was read, by the time of its last row, so that a row which changes
meanwhile and moves to the end makes no other slip through between two pages.

What was deleted GitHub tells nobody: a list that is shorter than what is held of it lacks something. How long it is
takes one request; one that is too short is read again, and what it lacks is asked for by its number before it is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from cortex.errors import GitHubFailed
from cortex.indexers.connectors import Cursor, Gone, Item
from cortex.indexers.connectors.fields import Fields, moment
from cortex.indexers.connectors.github_http import PER_PAGE, Answer, Repository
from cortex.indexers.connectors.github_rows import SAYS_NOTHING, Thread, ThreadType, comment, listed, ref_of, thread
from cortex.substrate.model import Record, Skipped
from cortex.substrate.sources import timestamp

_GONE = 410

Row = Mapping[str, Any]
Known = Callable[[], Mapping[int, Thread]]


def read(
    repository: Repository, *, source: str, since: str | None = None, known: Known = dict, held: Held = tuple
) -> Iterator[Item]:
    """The records of *repository* that changed after the last cursor; all of them where there is none.

    The cursor is complete where everything was read from the beginning and nothing was lost; else what was deleted is
    looked for.

    Args:
        known: the issues and pull requests that the brain holds, whose titles their comments take.
        held: all that it holds.

    Raises:
        GitHubFailed: GitHub said no, or answers no more; the cursors up to there stand.
    """
    live = _Live(repository, source, json.loads(since) if since else {}, dict(known()))
    repository.find()
    for stream in LISTS:
        try:
            yield from live.stream(stream)
        except GitHubFailed as error:
            if error.status != _GONE:
                raise
            live.lost = True
            yield Skipped(input=f"{repository.name} {stream}", reason=f"GitHub says: {error.said}")
    complete = since is None and not live.lost
    if not complete:
        yield Cursor(value=live.cursor())  # what was read is stored, and held from here on
        yield from missing(repository, held())
    yield Cursor(value=live.cursor(), complete=complete)


class _Live:
    """A repository while it is read: how far each stream is, and the threads that are known by now."""

    def __init__(
        self, repository: Repository, source: str, places: dict[str, dict[str, str]], threads: dict[int, Thread]
    ) -> None:
        self.repository, self.source, self.places, self.threads = repository, source, places, threads
        self.lost = False

    def cursor(self) -> str:
        return json.dumps(self.places, sort_keys=True)

    def stream(self, name: str) -> Iterator[Item]:
        """The records of one stream from its place on, and a cursor where that moves."""
        path, parameters, _ = LISTS[name]
        place = self.places.get(name, {})
        since, etag, onward = place.get("since", ""), place.get("etag", ""), dict[str, str]()
        seen: set[tuple[str, str]] = set()
        pages: set[tuple[tuple[str, str], ...]] = set()
        for _ in range(PAGES):
            asked = {**parameters, "sort": "updated", "direction": "asc", "per_page": str(PER_PAGE)}
            asked |= ({"since": since} if since else {}) | onward
            answer = self.repository.get(path, asked, etag=etag, many=True)
            if answer is None:
                return
            rows = [row for row in answer.data if isinstance(row, dict)]
            keys = [(_where(row), str(row.get("updated_at"))) for row in rows]
            for key, row in zip(keys, rows, strict=True):
                if key not in seen:
                    seen.add(key)
                    yield from self._thread(row) if name == THREADS else self._comment(row)
            changed = moment(str(rows[-1].get("updated_at"))) if rows else None
            # Whether GitHub's `since` takes rows of its very second too is not documented.
            last = timestamp(changed - timedelta(seconds=1)) if changed else ""
            if last > since:
                since, etag, onward, pages = last, "", {}, set()
                self.places[name] = {"since": since}
                yield Cursor(value=self.cursor())
            elif answer.next and tuple(keys) in pages:
                yield Skipped(input=path, reason="GitHub gave the same page twice: its list ends there", kept=True)
                return
            elif answer.next:
                pages.add(tuple(keys))
                onward = {"page": answer.next["page"]} if "page" in answer.next else dict(answer.next)
            else:
                if not onward and answer.etag:
                    self.places[name] = {"since": since, "etag": answer.etag}
                return
        yield Skipped(input=path, reason=f"more than {PAGES:,} pages: the next run goes on from there", kept=True)

    def _thread(self, row: Row) -> Iterator[Item]:
        number = Fields(row).number("number")
        if not listed(row) or number is None:
            yield from self._made(row, "issue")
            return
        whole = _asked(self.repository, f"/pulls/{number}", {}, many=False)
        yield from self._made(whole.data if whole else row, "pull")
        for review in _rows(self.repository, f"/pulls/{number}/reviews", {}):
            yield from self._comment({"pull_number": number, **review})

    def _made(self, row: Row, held: ThreadType) -> Iterator[Item]:
        fields = Fields(row, where=_where(row))
        made = thread(fields, source=self.source, held=held)
        if isinstance(made, Record):
            self.threads[int(made.ref.partition(":")[2])] = Thread(held, made.title)
        yield from self._noted(fields, made)

    def _comment(self, row: Row) -> Iterator[Item]:
        fields = Fields(row, where=_where(row))
        made, ref = comment(fields, source=self.source, threads=self.threads), ref_of(fields)
        silent = isinstance(made, Skipped) and made.reason in SAYS_NOTHING
        yield from self._noted(fields, made)
        if ref and silent:
            yield Gone(ref=ref)

    def _noted(self, fields: Fields, made: Record | Skipped) -> Iterator[Item]:
        self.lost |= isinstance(made, Skipped) and made.reason not in SAYS_NOTHING
        if isinstance(made, Record):
            yield from fields.noted()
        yield made


def _where(row: Row) -> str:
    return str(row.get("html_url") or row.get("url") or row.get("id") or "a row")


Held = Callable[[], Iterable[tuple[str, str]]]
"""The ref and the address of every issue, pull request and comment that the brain holds of the repository."""

THREADS: Final = "issues"
PAGES: Final = 10_000  # of a list, and reviews of one pull request, that a run reads at most
LISTS: Final[Mapping[str, tuple[str, Mapping[str, str], str]]] = {
    THREADS: ("/issues", {"state": "all"}, "number"),
    "comments": ("/issues/comments", {}, "id"),
    "review comments": ("/pulls/comments", {}, "id"),
}
"""Path and parameters of each list, and what names one of its rows; a review is in none, and cannot be deleted."""

_MARKS: Final = {"#issuecomment-": "comments", "#discussion_r": "review comments"}
_NO_LONGER: Final = (404, _GONE)


def missing(repository: Repository, held: Iterable[tuple[str, str]]) -> Iterator[Gone]:
    """What of *held* GitHub no longer has.

    Raises:
        GitHubFailed: GitHub said no, or answers no more.
    """
    ours: dict[str, dict[str, str]] = {name: {} for name in LISTS}
    for ref, url in held:
        if name := list_of(ref, url):
            ours[name][ref.rpartition("#")[2].rpartition(":")[2]] = ref
    for name, (path, parameters, key) in LISTS.items():
        count = _count(repository, path, parameters)
        if count is None or count >= len(ours[name]):
            continue
        listed_ = _rows(repository, path, {**parameters, "sort": "created", "direction": "asc"})
        there = {str(row.get(key)) for row in listed_}
        for number in ours[name].keys() - there:
            answer = _asked(repository, f"{path}/{number}", {}, many=False)
            address = str(answer.data.get("html_url")).lower() if answer else ""
            if f"/{repository.name}/".lower() not in address:
                yield Gone(ref=ours[name][number])


def list_of(ref: str, url: str) -> str:
    """The list that has the record called *ref*; '' for a review.

    >>> list_of("comment:12#34", "https://github.com/ada/parser/pull/12#discussion_r34")
    'review comments'
    """
    if not ref.startswith("comment:"):
        return THREADS
    return next((name for mark, name in _MARKS.items() if mark in url), "")


def _count(repository: Repository, path: str, parameters: Mapping[str, str]) -> int | None:
    """How many rows a list has: as many as it has pages of one; None where GitHub does not say."""
    answer = _asked(repository, path, {**parameters, "per_page": "1"}, many=True)
    if answer and answer.last.get("page", "").isdigit():
        return int(answer.last["page"])
    return len(answer.data) if answer and not answer.next else None


def _rows(repository: Repository, path: str, parameters: Mapping[str, str]) -> Iterator[Row]:
    """The rows of a list to its end, or to where GitHub gives the same page again."""
    asked: Mapping[str, str] = {**parameters, "per_page": str(PER_PAGE)}
    pages: set[str] = set()
    while asked and len(pages) < PAGES and (answer := _asked(repository, path, asked, many=True)):
        page = repr(answer.data)
        yield from (row for row in answer.data if isinstance(row, dict) and page not in pages)
        asked = answer.next if page not in pages else {}
        pages.add(page)


def _asked(repository: Repository, path: str, parameters: Mapping[str, str], *, many: bool) -> Answer | None:
    try:
        return repository.get(path, parameters, many=many)
    except GitHubFailed as error:
        if error.status not in _NO_LONGER:
            raise
        return None

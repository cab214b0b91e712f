"""Records of commits, and of the pull requests that merge and squash commits tell of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from cortex.indexers.connectors import merges
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG, Fields
from cortex.substrate.model import Link, Record, Skipped

FILES: Final = 50  # how many of the files a commit changed are told; a mass edit says nothing about any one of them
SHORT: Final = 12  # digits of its hash that a commit is called by

_WRAPPED: Final = 50  # characters of a subject that may go on in the next line, as editors break lines
_ENDS: Final = (".", "!", "?", ":", ";")
_GOES_ON: Final = re.compile(r"[`(]?[^\W\d_A-Z]|`")

_SHA = re.compile(r"[0-9a-f]{7,64}")
_CO_AUTHOR = re.compile(r"^co-authored-by:([^<\n]*+)(?:<([^>\n]*+)>)?[ \t]*+$", re.I | re.M)
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")


class Commit(NamedTuple):
    """What git states of a commit."""

    sha: str
    parents: tuple[str, ...]
    author: str
    authored_at: datetime | None
    committer: str
    committed_at: datetime | None
    message: str
    files: tuple[str, ...] = ()


class Site(NamedTuple):
    """What precedes a commit's id, a pull request's number and a tag in their addresses; '' where there is no site."""

    commit: str = ""
    pull: str = ""
    tag: str = ""


def records(
    items: Iterable[Commit | Record | Skipped],
    *,
    source: str,
    site: Site,
    names: tuple[str, ...] = (),
    known: Callable[[int], str] = lambda _: "",
) -> Iterator[Record | Skipped]:
    """A record of each commit, and one of each pull request they merged; what is no commit passes through.

    Of two commits that tell of one pull request the later counts.

    Args:
        items: commits newest first. A pull request's author is that of the last commit of its branch, so its record
            waits until that commit comes by.
        names: what the repository is called, where that is known. A merge that names another is a commit and no more.
        known: what a number is, 'issue' or 'pull', where that is known better than from commits, else ''.
    """
    names = tuple(filter(None, names)) or (source,)
    waiting: dict[str, Record] = {}
    told: set[int] = set()
    branches = _Branches()
    for commit in items:
        if not isinstance(commit, Commit):
            yield commit
            continue
        came_with = branches.came_with(commit)
        merge = merges.merged(commit.message)
        if merge and (known(merge.number) == "issue" or not merges.is_of(merge.of, *names)):
            merge = None
        yield _record(commit, source, site, merge, names, came_with)
        if branch := waiting.pop(commit.sha, None):
            yield branch.model_copy(update={"author": commit.author})
        if merge is None or merge.number in told or known(merge.number):
            continue
        told.add(merge.number)
        pull = _pull(commit, source, site, merge, names)
        if pull.author or len(commit.parents) < 2 or commit.parents[1] in waiting:
            yield pull
        else:
            waiting[commit.parents[1]] = pull
    yield from waiting.values()


def ref(sha: str) -> str:
    """What a commit is called in a brain.

    >>> ref("8a700a355e941314f44aa268cf9033ebfa6a82b7")
    'commit:8a700a355e94'
    """
    return f"commit:{sha[:SHORT]}"


class _Branches:
    """Which merge each commit came with, found as commits go by newest first.

    Attributes:
        trunk: the next commit on the line that was merged into: of each commit there its first parent.
        merge_of: by commits yet to come, the merge whose other parents lead to them.
    """

    def __init__(self) -> None:
        self.trunk = ""
        self.merge_of: dict[str, str] = {}

    def came_with(self, commit: Commit) -> str:
        """The merge that brought *commit*; '' for one made on the trunk."""
        merge = self.merge_of.pop(commit.sha, "")
        first, *others = commit.parents or ("",)
        if commit.sha == self.trunk or not (self.trunk or merge):
            self.trunk, merge = first, ""
        elif merge:
            self.merge_of.setdefault(first, merge)
        for other in others:
            self.merge_of.setdefault(other, commit.sha)
        return merge


def _record(
    commit: Commit, source: str, site: Site, merge: merges.Merge | None, names: tuple[str, ...], came_with: str
) -> Record:
    links = [Link(relation="merges", to_ref=f"pull:{merge.number}")] if merge else []
    links += _reverts(commit.message, names)
    links += [Link(relation="came_with", to_ref=ref(came_with))] if came_with else []
    told = _CO_AUTHOR.findall(commit.message) if "o-authored-by" in commit.message.lower() else []
    co_authors = filter(None, (name.strip() or address for name, address in told))
    links += [Link(relation="co_author", to_ref=f"person:{name}") for name in co_authors]
    links += [Link(relation="touches", to_ref=f"file:{path}") for path in commit.files]
    return Record(
        source=source,
        type="commit",
        ref=ref(commit.sha),
        title=subject(commit.message),
        body=commit.message,
        url=site.commit and site.commit + commit.sha,
        author=commit.author,
        created_at=commit.authored_at,
        updated_at=commit.committed_at,
        links=tuple(dict.fromkeys(links)),
    )


def subject(message: str) -> str:
    r"""The first line of *message* that says anything, and the one it goes on in.

    >>> subject("Show the markers of git where the working directory\nwas another.\n\nMore.")
    'Show the markers of git where the working directory was another.'
    """
    first, _, rest = message.lstrip().partition("\n")
    goes_on = len(first) >= _WRAPPED and not first.rstrip().endswith(_ENDS) and _GOES_ON.match(rest)
    return f"{first} {rest.splitlines()[0]}".rstrip() if goes_on else first.rstrip()


def _reverts(message: str, names: tuple[str, ...]) -> list[Link]:
    """What the message says it takes or brings back; a commit may be named by as few as 7 of its digits."""
    found = [Link(relation="reverts", to_ref=ref(sha)) for sha in _REVERTS.findall(message)]
    taken = [one for one in merges.reverted(subject(message)) if merges.is_of(one.of, *names)]
    return found + [Link(relation=one.how, to_ref=f"pull:{one.number}") for one in taken]


def _pull(commit: Commit, source: str, site: Site, merge: merges.Merge, names: tuple[str, ...]) -> Record:
    """The pull request a commit merged, as its message tells it; the author of a branch is filled in later."""
    branch = len(commit.parents) > 1
    merger = commit.author if branch else ""
    return Record(
        source=source,
        type="pull",
        ref=f"pull:{merge.number}",
        title=merge.title,
        body=f"{merge.title}\n\n{merge.text}" if merge.text else merge.title,
        url=site.pull and f"{site.pull}{merge.number}",
        author=merge.author or ("" if branch else commit.author),
        state="merged",
        merged_by=merger if commit.committer in ("GitHub", "GitLab", "") else commit.committer,
        updated_at=commit.committed_at,
        merged_at=commit.committed_at,
        links=(Link(relation="merges", to_ref=ref(commit.sha)), *_reverts(commit.message, names)),
    )


def of_row(fields: Fields) -> Commit | Skipped:
    """The commit an object states: GitHub's (`commit.message`) or a flat one (`subject` and `body`, or `message`)."""
    if isinstance(inner := fields.row.get("commit"), Mapping):
        by = {name: one if isinstance(one := inner.get(name), Mapping) else {} for name in ("author", "committer")}
        dates = {"date": by["author"].get("date"), "commit_date": by["committer"].get("date")}
        fields.row = {**fields.row, **by, **dates, "message": inner.get("message")}
    sha, message = fields.text("sha").lower(), fields.text("message")
    if not message:
        message = "\n\n".join(part for part in (fields.text("subject"), fields.text("body")) if part)
    if not _SHA.fullmatch(sha):
        return Skipped(input=fields.where, reason="no commit id")
    if len(message) > BODY_LIMIT:
        return Skipped(input=fields.where, reason=BODY_TOO_LONG)
    return Commit(
        sha,
        fields.names("parents", "sha"),
        fields.person("author"),
        fields.time("date"),
        fields.person("committer"),
        fields.time("commit_date" if fields.row.get("commit_date") else "date"),
        message.rstrip("\n"),
        fields.names("files", "filename")[:FILES],
    )

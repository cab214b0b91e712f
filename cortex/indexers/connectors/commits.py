"""Records of commits, and of the pull requests that merge and squash commits tell of.

Source: messages of GitHub, GitLab, Bitbucket and Azure DevOps merges, of bors and homu, and of Bitcoin's merge script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG, Fields
from cortex.language.patterns import patterns
from cortex.substrate.model import Link, Record, Skipped

FILES: Final = 50  # how many of the files a commit changed are told; a mass edit says nothing about any one of them
SHORT: Final = 12  # digits of its hash that a commit is called by

_WRAPPED: Final = 50  # characters of a subject that may go on in the next line, as editors break lines
_ENDS: Final = (".", "!", "?", ":", ";")
_GOES_ON: Final = re.compile(r"[`(]?[^\W\d_A-Z]|`")

_SHA = re.compile(r"[0-9a-f]{7,64}")
_CO_AUTHOR = re.compile(r"^co-authored-by:([^<\n]*+)(?:<([^>\n]*+)>)?[ \t]*+$", re.I | re.M)


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
    for commit, came_with in _with_merges(items):
        if not isinstance(commit, Commit):
            yield commit
            continue

        merge = merged(commit.message)
        if merge and (known(merge.number) == "issue" or not is_of(merge.of, *names)):
            merge = None
        yield _record(commit, source, site, merge, came_with)
        if branch := waiting.pop(commit.sha, None):
            yield branch.model_copy(update={"author": commit.author})
        if merge is None or merge.number in told or known(merge.number):
            continue
        told.add(merge.number)
        pull = _pull(commit, source, site, merge)
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


def _with_merges(items: Iterable[Commit | Record | Skipped]) -> Iterator[tuple[Commit | Record | Skipped, str]]:
    """Each of *items* with the merge that brought it; '' for a commit made on the trunk, and for what is none."""
    trunk = ""  # the next commit on the line that was merged into: of each commit there its first parent
    merge_of: dict[str, str] = {}  # by commits yet to come, the merge whose other parents lead to them
    for item in items:
        merge = ""
        if isinstance(item, Commit):
            merge = merge_of.pop(item.sha, "")
            first, *others = item.parents or ("",)
            if item.sha == trunk or not (trunk or merge):
                trunk, merge = first, ""
            elif merge:
                merge_of.setdefault(first, merge)
            for other in others:
                merge_of.setdefault(other, item.sha)
        yield item, merge


def _record(commit: Commit, source: str, site: Site, merge: Merge | None, came_with: str) -> Record:
    links = [Link(relation="merges", to_ref=f"pull:{merge.number}")] if merge else []
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


def _pull(commit: Commit, source: str, site: Site, merge: Merge) -> Record:
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
        links=(Link(relation="merges", to_ref=ref(commit.sha)),),
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


_ENGLISH: Final = patterns("connectors", "merges")

_SUBJECTS: Final = [form for name, form in _ENGLISH.items() if name.startswith("subject_")]
"""In the order tried; where a form has no title, the first line of the text is it."""

_GITLAB: Final = _ENGLISH["gitlab"]
_LISTED_COMMIT = re.compile(r"[0-9a-f]{7,40} (?P<title>.+?)(?: \((?P<author>[^()]+)\))?")


class Merge(NamedTuple):
    """The pull request a commit message tells of; `of` is the repository it names, '' where it names none."""

    number: int
    title: str
    text: str
    author: str = ""
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


def is_of(named: str, *names: str) -> bool:
    """Whether a repository that a message names is the one called any of *names*.

    Its owner may be another: of what it was forked from, or of a time before it was moved. A message that names none
    speaks of its own.

    >>> is_of("bitcoin-core/gui", "bitcoin/bitcoin"), is_of("Ada/Engine", "eve/engine"), is_of("", "ada/engine")
    (False, True, True)
    """
    ends = {name.casefold().rpartition("/")[2] for name in names if name}
    return not named or named.casefold().rpartition("/")[2] in ends

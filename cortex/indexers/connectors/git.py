"""The history of a git repository: every commit its work trees reach, and the pull requests their messages tell of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from cortex.indexers.connectors import Cursor, Item, commits, worktrees
from cortex.indexers.connectors.commits import FILES, Commit, Site
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.indexers.connectors.git_command import GitStopped, asked, streamed, tokens
from cortex.indexers.connectors.github_rows import Thread
from cortex.indexers.connectors.tree import wanted
from cortex.substrate.model import Record, Skipped

# Each commit: an empty token, these fields, an empty token, then the files it changed, none of them empty.
_FORMAT: Final = "%x00" + "%x00".join(("%H", "%P", "%an", "%at", "%cn", "%ct", "%B")) + "%x00"
_FIELDS: Final = 7

_SHA = re.compile(r"[0-9a-f]{40,64}")
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[\w.-]+@)?(?P<scp>[\w.-]+\.[\w-]+):/?)"
    r"(?P<path>[\w.~-]+(?:/[\w.~-]+)*/[\w.~-]+?)(?:\.git)?/?"
)
_SITES: Final = (
    (re.compile(r"github\."), "/commit/", "/pull/", "/releases/tag/"),
    (re.compile(r"gitlab\."), "/-/commit/", "/-/merge_requests/", "/-/tags/"),
    (re.compile(r"codeberg\.org|gitea\.|forgejo\."), "/commit/", "/pulls/", "/releases/tag/"),
    (re.compile(r"bitbucket\.org"), "/commits/", "/pull-requests/", "/src/"),
)


class Remote(NamedTuple):
    """Where a repository was cloned from."""

    host: str
    name: str


class _Heads(NamedTuple):
    main: str
    others: tuple[str, ...]
    """Of linked work trees."""
    boundary: frozenset[str]
    """Where a shallow clone ends: commits whose parents are not here."""
    mark: str
    """What tells that place in a cursor; '' for a whole clone."""

    def cursor(self) -> str:
        return " ".join(filter(None, (self.main, *self.others, self.mark)))


def read(
    root: Path, *, source: str, since: str | None = None, known: Callable[[], Mapping[int, Thread]] = dict
) -> Iterator[Item]:
    """The commits that HEAD of any work tree reaches, newest first, and the pull requests they merged.

    What the main work tree reaches comes first, and is told as if there were no other. Where there is no repository,
    nothing comes.

    Args:
        root: a work tree's top folder or a bare repository, all of one repository alike; a folder inside one is none.
        since: the last cursor. Only what came after it is read, unless history was rewritten, another branch is
            checked out, or a shallow clone was deepened: then everything is, and the cursor is complete. What only
            linked work trees reach is read whenever one of them moved, for what it says changes when it is merged.
        known: the issues and pull requests that the brain holds; a number that is an issue's is no pull request's.

    Raises:
        BadInput: git is not installed, or refuses to work in *root*.
    """
    heads = _heads(root)
    if heads is None:
        return
    if heads.boundary:
        reason = "a shallow clone: what came before is not here; get it with git fetch --unshallow"
        yield Skipped(input="git log", reason=reason, kept=True)
    if asked(worktrees.files_folder(root), "rev-parse", "--is-bare-repository") == "true":
        reason = "a bare repository has no files to read; index a clone for its documents and rules"
        yield Skipped(input="files", reason=reason, kept=True)
    if since != heads.cursor():
        base = _base(root, heads, since)
        try:
            yield from _commits(root, heads, base, source, known)
        except GitStopped as error:
            yield Skipped(input="git log", reason=f"git stopped: {error}")
            yield Cursor(value="", stopped=f"git stopped: {error}")
            return
        yield Cursor(value=heads.cursor(), complete=base is None and not heads.boundary)
    else:
        yield Cursor(value=since)


def _commits(
    root: Path, heads: _Heads, base: str | None, source: str, known: Callable[[], Mapping[int, Thread]]
) -> Iterator[Record | Skipped]:
    origin = remote(root)
    names = (origin.name if origin else source,)
    records = partial(commits.records, source=source, site=site_of(origin), names=names)
    issues = cache(lambda: {number for number, thread in known().items() if thread.type == "issue"})

    def issue(number: int) -> str:
        return "issue" if number in issues() else ""

    if base != heads.main:
        yield from records(_log(root, [heads.main, *([f"^{base}"] if base else [])], heads.boundary), known=issue)
    if heads.others:
        told = cache(lambda: _told(root, heads.main, names))

        def known_there(number: int) -> str:
            return issue(number) or ("pull" if number in told() else "")

        yield from records(_log(root, [*heads.others, f"^{heads.main}"], heads.boundary), known=known_there)


def _told(root: Path, sha: str, names: tuple[str, ...]) -> frozenset[int]:
    with streamed(root, "log", "-z", "--format=tformat:%B", sha, "--") as output:
        found = [commits.merged(message.decode(errors="surrogateescape")) for message in tokens(output)]
    return frozenset(merge.number for merge in found if merge and commits.is_of(merge.of, *names))


def top(folder: Path) -> Path | None:
    """The top folder of the work tree that *folder* is in, None outside of any."""
    found = asked(folder, "rev-parse", "--show-toplevel", climb=True)
    return Path(found) if found else None


def remote(root: Path) -> Remote | None:
    """The host and the name, such as 'owner/name', of the remote 'origin'; None where it has no address on a host."""
    found = _REMOTE.fullmatch((asked(root, "config", "--no-includes", "--get", "remote.origin.url") or "").strip())
    return Remote((found["host"] or found["scp"]).lower(), found["path"]) if found else None


def site_of(remote: Remote | None) -> Site:
    """Where a host shows the commits, pull requests and tags of a repository."""
    for host, *ways in _SITES if remote else ():
        if remote and host.match(remote.host):
            return Site(*(f"https://{remote.host}/{remote.name}{way}" for way in ways))
    return Site()


def _heads(root: Path) -> _Heads | None:
    found = worktrees.heads(root) if root.is_dir() else []
    if not found:
        return None
    listed = Path(root, asked(root, "rev-parse", "--git-path", "shallow") or "shallow")
    boundary = frozenset(listed.read_text().split()) if listed.is_file() else frozenset()
    digest = hashlib.sha256(" ".join(sorted(boundary)).encode()).hexdigest()[:12]
    return _Heads(found[0], tuple(found[1:]), boundary, f"shallow:{digest}" if boundary else "")


def _base(root: Path, heads: _Heads, since: str | None) -> str | None:
    """The commit to go on from in the main work tree; None to read everything."""
    before = (since or "").split()
    mark = before.pop() if before and before[-1].startswith("shallow:") else ""
    if not before or mark != heads.mark or not all(map(_SHA.fullmatch, before)):
        return None
    for old, new in ((before, (heads.main, *heads.others)), (before[:1], (heads.main,))):
        if asked(root, "rev-list", "--max-count=1", *old, "--not", *new, "--") != "":  # out of reach, or not here
            return None
    return before[0]


def _log(root: Path, revisions: list[str], boundary: frozenset[str]) -> Iterator[Commit | Skipped]:
    options = ("-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    with streamed(root, "log", *options, f"--format=tformat:{_FORMAT}", *revisions, "--") as output:
        found = tokens(output)
        start = next(found, None)
        while start is not None:
            fields = [next(found, b"") for _ in range(_FIELDS)]
            next(found, None)
            files, start = _files(found, brings=not fields[1])
            if fields[0]:  # a commit cut off in the middle: git tells why on leaving
                shown = [] if fields[0].decode("ascii") in boundary else files
                yield from _commit(fields, shown)


def _files(tokens: Iterator[bytes], *, brings: bool) -> tuple[list[bytes], bytes | None]:
    """The names of files up to the empty token that starts the next commit, None at the end.

    Args:
        brings: of those beyond the first `FILES` the ones whose text is read count too: they are known since then.
    """
    files: list[bytes] = []
    for token in tokens:
        if not token:
            return files, token
        if len(files) < FILES or (brings and wanted(token.decode(errors="surrogateescape"))):
            files.append(token if files else token.removeprefix(b"\n"))
    return files, None


def _commit(fields: list[bytes], files: list[bytes]) -> Iterator[Commit | Skipped]:
    sha, parents, author, authored, committer, committed, message = (
        field.decode(errors="surrogateescape") for field in fields
    )
    where = commits.ref(sha)
    if len(message) > BODY_LIMIT:
        yield Skipped(input=where, reason=BODY_TOO_LONG)
        return
    if "\udc80" <= max(message + author, default="") <= "\udcff":
        yield Skipped(input=where, reason="invalid UTF-8 replaced", kept=True)
    times = [moment(authored), moment(committed)]
    if None in times:
        yield Skipped(input=where, reason="a date that is none", kept=True)
    names = tuple(file.decode(errors="surrogateescape") for file in files)
    yield Commit(sha, tuple(parents.split()), author, times[0], committer, times[1], message.rstrip("\n"), names)


def moment(seconds: str) -> datetime | None:
    """The time that git tells as *seconds*; None for one that is none."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None

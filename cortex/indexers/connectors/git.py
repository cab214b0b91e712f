"""The history of a git repository: every commit HEAD reaches, and the pull requests their messages tell of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, NamedTuple

from cortex.indexers.connectors import Cursor, Item, commits, merges
from cortex.indexers.connectors.commits import FILES, Commit, Site
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.indexers.connectors.git_command import GitStopped, asked, streamed
from cortex.substrate.model import Skipped

# Each commit: an empty token, these fields, an empty token, then the files it changed, none of them empty.
_FORMAT: Final = "%x00" + "%x00".join(("%H", "%P", "%an", "%at", "%cn", "%ct", "%B")) + "%x00"
_FIELDS: Final = 7

_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[\w.-]+@)?(?P<scp>[\w.-]+\.[\w-]+):/?)"
    r"(?P<path>[\w.~-]+(?:/[\w.~-]+)*/[\w.~-]+?)(?:\.git)?/?"
)
_SITES: Final = (
    (re.compile(r"github\."), "/commit/", "/pull/"),
    (re.compile(r"gitlab\."), "/-/commit/", "/-/merge_requests/"),
    (re.compile(r"codeberg\.org|gitea\.|forgejo\."), "/commit/", "/pulls/"),
    (re.compile(r"bitbucket\.org"), "/commits/", "/pull-requests/"),
)


class Remote(NamedTuple):
    """Where a repository was cloned from."""

    host: str
    name: str


class _Head(NamedTuple):
    sha: str
    boundary: frozenset[str]
    """Where a shallow clone ends: commits whose parents are not here."""

    def cursor(self) -> str:
        if not self.boundary:
            return self.sha
        digest = hashlib.sha256(" ".join(sorted(self.boundary)).encode()).hexdigest()
        return f"{self.sha} shallow:{digest[:12]}"


def read(root: Path, *, source: str, since: str | None = None) -> Iterator[Item]:
    """The commits HEAD reaches, newest first, and the pull requests they merged; nothing where there is no repository.

    Args:
        root: a work tree's top folder or a bare repository; a folder inside a repository is none.
        since: the last cursor. Only what came after it is read, unless history was rewritten, another branch is
            checked out, or a shallow clone was deepened: then everything is, and the cursor is complete.

    Raises:
        BadInput: git is not installed, or refuses to work in *root*.
    """
    head = _head(root)
    if head is None:
        return
    yield from _missing(root, head)
    base = _base(root, head, since)
    if base != head.sha:
        try:
            found = _log(root, f"{base}..{head.sha}" if base else head.sha, head.boundary)
            origin = remote(root)
            names = (origin.name,) if origin else (source, *_only_named(root, head.sha))
            yield from commits.records(found, source=source, site=_site(origin), names=names)
        except GitStopped as error:
            yield Skipped(input="git log", reason=f"git stopped: {error}")
            yield Cursor(value="", stopped=f"git stopped: {error}")
            return
    yield Cursor(value=head.cursor(), complete=base is None and not head.boundary)


def _missing(root: Path, head: _Head) -> Iterator[Skipped]:
    """What this copy of a repository does not have."""
    if head.boundary:
        reason = "a shallow clone: what came before is not here; get it with git fetch --unshallow"
        yield Skipped(input="git log", reason=reason, kept=True)
    if asked(root, "rev-parse", "--is-bare-repository") == "true":
        reason = "a bare repository has no files to read; index a clone for its documents and rules"
        yield Skipped(input="files", reason=reason, kept=True)


def top(folder: Path) -> Path | None:
    """The top folder of the work tree that *folder* is in, None outside of any."""
    found = asked(folder, "rev-parse", "--show-toplevel", climb=True)
    return Path(found) if found else None


def remote(root: Path) -> Remote | None:
    """The host and the name, such as 'owner/name', of the remote 'origin'; None where it has no address on a host.

    >>> _remote("git@github.com:ada/engine.git")
    Remote(host='github.com', name='ada/engine')
    """
    return _remote(asked(root, "config", "--get", "remote.origin.url") or "")


def _remote(address: str) -> Remote | None:
    found = _REMOTE.fullmatch(address.strip())
    return Remote((found["host"] or found["scp"]).lower(), found["path"]) if found else None


def _site(remote: Remote | None) -> Site:
    for host, commit, pull in _SITES if remote else ():
        if remote and host.match(remote.host):
            start = f"https://{remote.host}/{remote.name}"
            return Site(start + commit, start + pull)
    return Site()


def _only_named(root: Path, sha: str) -> tuple[str, ...]:
    """The repository that every merge which names one names: where nothing else tells, it is this one."""
    named = asked(root, "log", "--format=%s", "-E", "-i", "--grep=^Merge [^ ]+/[^ ]+#[0-9]", sha, "--") or ""
    names = {merge.of.casefold() for line in named.splitlines() if (merge := merges.merged(line)) and merge.of}
    return tuple(names) if len(names) == 1 else ()


def _head(root: Path) -> _Head | None:
    sha = asked(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") if root.is_dir() else None
    if not sha:
        return None
    listed = Path(root, asked(root, "rev-parse", "--git-path", "shallow") or "shallow")
    return _Head(sha, frozenset(listed.read_text().split()) if listed.is_file() else frozenset())


def _base(root: Path, head: _Head, since: str | None) -> str | None:
    """The commit to go on from; None to read everything."""
    sha, _, boundary = (since or "").partition(" ")
    if not re.fullmatch(r"[0-9a-f]{40,64}", sha) or boundary != head.cursor().partition(" ")[2]:
        return None
    return sha if asked(root, "merge-base", "--is-ancestor", sha, head.sha) is not None else None


def _log(root: Path, revisions: str, boundary: frozenset[str]) -> Iterator[Commit | Skipped]:
    options = ("-z", "--date-order", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    with streamed(root, "log", *options, f"--format=tformat:{_FORMAT}", revisions, "--") as output:
        tokens = _tokens(output)
        start = next(tokens, None)
        while start is not None:
            fields = [next(tokens, b"") for _ in range(_FIELDS)]
            next(tokens, None)
            files, start = _files(tokens)
            if fields[0]:  # a commit cut off in the middle: git tells why on leaving
                shown = [] if fields[0].decode("ascii") in boundary else files
                yield from _commit(fields, shown)


def _files(tokens: Iterator[bytes]) -> tuple[list[bytes], bytes | None]:
    """The names of files up to the empty token that starts the next commit, None at the end."""
    files: list[bytes] = []
    for token in tokens:
        if not token:
            return files, token
        if len(files) < FILES:
            files.append(token if files else token.removeprefix(b"\n"))
    return files, None


def _tokens(output: IO[bytes]) -> Iterator[bytes]:
    """What stands between NULs, a token too long to be wanted cut short."""
    held = b""
    while chunk := output.read(1 << 16):
        first, *rest = chunk.split(b"\0")
        if len(held) <= BODY_LIMIT:
            held += first
        if rest:
            yield held
            yield from rest[:-1]
            held = rest[-1]


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
    times = [_moment(authored), _moment(committed)]
    if None in times:
        yield Skipped(input=where, reason="a date that is none", kept=True)
    names = tuple(file.decode(errors="surrogateescape") for file in files)
    yield Commit(sha, tuple(parents.split()), author, times[0], committer, times[1], message.rstrip("\n"), names)


def _moment(seconds: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None

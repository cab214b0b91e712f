"""What there is to index at a place: each feed is one connector with where it reads from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from cortex.errors import BadInput
from cortex.indexers.connectors import Item, git, github_export, github_live, outcomes, tags, tree, worktrees
from cortex.indexers.connectors.github_http import Repository
from cortex.indexers.connectors.github_live import Held, Known
from cortex.indexers.connectors.listing import leads_out

READER_VERSION = 7  # counted up when connectors read the same file differently


class Feed(NamedTuple):
    """One connector and where it reads from.

    Attributes:
        origin: names in `records.origin` where the records are from.
        read: given the last cursor, the items since.
        fingerprint: the same as last time means that there is nothing new; '' means that reading will tell.
        connector: names it in `cursors.connector`, where that is not the origin.
        expected: how many records a full reading gives, about; for progress only.
        waits: whether reading waits for somebody else, who may stop; each batch is stored before the next is read.
    """

    origin: str
    read: Callable[[str | None], Iterator[Item]]
    fingerprint: str = ""
    expected: int | None = None
    connector: str = ""
    waits: bool = False


def project_feeds(root: Path, source: str, known: Known = dict) -> list[Feed]:
    """The feeds of a repository or a plain folder: its history and tags, where it has them, and its files.

    All work trees of a repository give the same: the commits of each, and the files of one.
    """
    if not root.is_dir():
        raise BadInput(root, "no such folder", hint="name a repository or a folder of documents")
    files = worktrees.files_folder(root)
    return [
        Feed("git", lambda since: git.read(root, source=source, since=since, known=known)),
        Feed("tags", lambda since: tags.read(root, source=source, since=since)),
        Feed("tree", lambda _: tree.read(files, source=source)),
        *_ledger(files, source),
    ]


def export_feeds(folder: Path, source: str, known: Known = dict) -> list[Feed]:
    """The feeds of a folder of GitHub's issues, pulls and comments, and of the documents beside them."""
    files = [path for path in github_export.files(folder) if path.is_file()]
    documents = folder / "docs"
    read = partial(github_export.read, folder, source=source, known=known)
    feeds = [Feed("github", lambda _: read(), _stamp(files), sum(map(_lines, files))), *_ledger(folder, source)]
    if documents.is_dir():
        feeds.append(Feed("export docs", lambda _: tree.read(documents, source=source)))
    return feeds


def github_feed(repository: Repository, source: str, known: Known, held: Held = tuple) -> Feed:
    """The feed of a repository on GitHub: its records are those that an export of it would give."""

    def read(since: str | None) -> Iterator[Item]:
        return github_live.read(repository, source=source, since=since, known=known, held=held)

    return Feed("github", read, connector="github live", waits=True)


def _ledger(folder: Path, source: str) -> list[Feed]:
    path = folder / outcomes.LEDGER
    if not path.is_file() or leads_out(Path(os.path.realpath(folder)), outcomes.LEDGER):
        return []
    return [Feed("outcomes", lambda _: outcomes.read(path, source=source), _stamp([path]), _lines(path))]


def _stamp(files: Iterable[Path]) -> str:
    """Names, sizes and times of *files*: the same as long as nobody wrote to them."""
    stats = [(p.name, (stat := p.stat()).st_size, stat.st_mtime_ns, stat.st_ino) for p in files]
    return blake2b(repr((READER_VERSION, stats)).encode(), digest_size=16).hexdigest()


def _lines(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: lines.read(1 << 20), b""))


def source_of_export(folder: Path) -> str:
    """'owner/name' as the export's rows say it, else the folder's name."""
    return github_export.source_name(folder) or folder.resolve().name.replace("+", "/")


def source_of_project(root: Path) -> str:
    """'owner/name' of the remote called origin, else the name of the repository's folder."""
    main = worktrees.main_folder(root)
    folder = main.parent if (main.parent / ".git").is_file() else main  # a bare repository that its folder points to
    return remote_name(root) or folder.name.removesuffix(".git") or "project"


def remote_name(root: Path) -> str:
    """'owner/name' of the remote called origin of the repository whose top folder is *root*; '' where it has none."""
    origin = git.remote(root)
    return "/".join(origin.name.split("/")[-2:]) if origin else ""

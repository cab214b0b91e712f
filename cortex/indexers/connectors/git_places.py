"""Where a repository lies, read without git: the folder's own, or one that its files lead to elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

# What of a repository decides which history and which files are read; its hooks and caches do not.
_READ: Final = "HEAD config config.worktree index objects packed-refs refs reftable shallow worktrees".split()


def tops(folder: Path, *, climb: bool) -> list[Path]:
    """The folders with a `.git` in them, from *folder* upwards; at most *folder* itself without *climb*."""
    return [place for place in (folder, *(folder.parents if climb else ())) if os.path.lexists(place / ".git")]


def is_repository(folder: Path) -> bool:
    """Whether *folder* looks like a repository itself, as a bare one does."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def repository_of(top: Path) -> Path | None:
    """The repository that `.git` in *top* is, or points to; its symlinks are resolved."""
    entry = top / ".git"
    if entry.is_file():
        found = _text(entry)
        return _real(top, found.removeprefix("gitdir: ")) if found.startswith("gitdir: ") else None
    return _real(entry) if entry.is_dir() else None


def common_of(repository: Path) -> Path:
    """The repository that *repository*, which may be a linked work tree's, shares history and settings with."""
    shared = repository / "commondir"
    return _real(repository, _text(shared)) if shared.is_file() else repository


def is_linked(top: Path, repository: Path) -> bool:
    """Whether the repository that *top* points to has *top* for one of its linked work trees."""
    back = repository / "gitdir"
    listed = repository.parent == common_of(repository) / "worktrees" and back.is_file()
    return listed and same(_real(repository, _text(back)), top / ".git")


def strays(repository: Path) -> Iterator[Path]:
    """The places outside of *repository* that git would read from: by symlinks, or by alternates."""
    common = common_of(repository)
    alternates = common / "objects" / "info" / "alternates"
    named = _text(alternates).split("\n")
    linked = [folder / name for folder in {repository, common} for name in _READ if (folder / name).is_symlink()]
    led = [_real(path) for path in (*linked, *_links(common / "objects"))]
    led += [_real(common / "objects", name) for name in named if name and not name.startswith("#")]
    yield from (place for place in led if not place.is_relative_to(common))


def same(one: Path, other: Path) -> bool:
    """Whether both name one file, on disks too that do not tell upper from lower case."""
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False


def stamp(folder: Path, found: list[Path]) -> tuple[tuple[int, int], ...]:
    """What changes with the files that decide where the repository of *folder* lies."""
    repository = (repository_of(found[0]) if found else None) or folder
    deciding = [*(top / ".git" for top in found[:1]), repository / "config", repository / "config.worktree"]
    stamps = list[tuple[int, int]]()
    for path in (*deciding, repository / "commondir", common_of(repository) / "objects" / "info"):
        try:
            status = path.stat()
            stamps.append((status.st_mtime_ns, status.st_ino))
        except OSError:
            stamps.append((0, 0))
    return tuple(stamps)


def _links(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                yield from _links(Path(entry.path))


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape").rstrip("\r\n")
    except OSError:
        return ""


def _real(folder: Path, name: str = "") -> Path:
    return Path(os.path.realpath(folder / name))

"""Which files a tree holds, and their text: as git sees them in a work tree, else as a plain folder.

Whatever cannot be read is named with the reason; nothing outside the tree is ever opened.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from shutil import which as which_program

from cortex.indexers.connectors.encodings import decoded
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.pages import Page, page
from cortex.substrate.model import Skipped, storable

MAX_BYTES = 5_000_000
MAX_LINES = 50_000
"""A parsed line of Markdown takes up to 2 kB while its file is read; this keeps a hostile file below 100 MB."""

IGNORE_FILE = ".cortexignore"
"""What a project keeps in git and out of its memory, in the syntax of .gitignore; git itself matches it."""

_TOOL_FOLDERS = frozenset(
    ".git .hg .svn .venv venv __pycache__ site-packages .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis "
    ".eggs .cache .next .nuxt .gradle .terraform".split()
)
_VENDORED = frozenset("node_modules bower_components vendor third_party third-party Pods Carthage".split())

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def list_tree(root: Path) -> Iterator[str | Skipped]:
    """The paths under *root* that are files or look like it, sorted, and what was passed over.

    A folder that git ignores as a whole, such as an export inside a work tree, is listed as a plain folder.
    """
    found = _git_files(root)
    if not found and not (root / ".git").exists():
        found = sorted(_folder_files(root), key=str)
    yield from _without_vendored(found)


def load(root: Path, path: str, *, max_bytes: int = MAX_BYTES) -> Iterator[Page | Skipped]:
    """The page at *path*, and a note where it is less than the file.

    Args:
        root: the tree's real path, symlinks resolved.
    """
    name = printable(path)
    data = "a symlink out of the tree" if leads_out(root, path) else _bytes(root / path, max_bytes)
    if isinstance(data, str):
        yield Skipped(input=name, reason=data)
    elif data is not None:
        yield from _decoded(name, data)


def printable(path: str) -> str:
    r"""*path* with bytes that are no UTF-8 written as `\xe9`, so that two such names stay two."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def leads_out(root: Path, path: str) -> bool:
    """Whether *path*, its symlinks resolved, lies outside the tree."""
    return not Path(os.path.realpath(root / path)).is_relative_to(root)


def _git_files(root: Path) -> list[str | Skipped]:
    names = _ls_files(root, "--cached", "--others", "--exclude-standard")
    if names and (root / IGNORE_FILE).is_file() and not leads_out(Path(os.path.realpath(root)), IGNORE_FILE):
        names -= _ls_files(root, "--cached", "--others", "--ignored", f"--exclude-from={IGNORE_FILE}")
    return sorted(names, key=str)


def _ls_files(root: Path, *which: str) -> set[str | Skipped]:
    if which_program("git") is None:
        return set()
    listed = asked(root, "ls-files", "-z", *which, climb=True) or ""
    return {name for name in listed.split("\0") if name and not name.endswith("/")}


def _folder_files(root: Path) -> Iterator[str | Skipped]:
    unreadable: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=unreadable.append):
        inside = Path(folder).relative_to(root)
        links = [name for name in folders if Path(folder, name).is_symlink()]
        yield from ((inside / name).as_posix() for name in (*files, *links))
        yield from (f"{(inside / name).as_posix()}/" for name in folders if name in _VENDORED and name not in links)
        folders[:] = [name for name in folders if name not in _TOOL_FOLDERS | _VENDORED]
    for error in unreadable:
        where = os.path.relpath(error.filename, root)
        yield Skipped(input=printable(where) + "/", reason=f"unreadable: {error.strerror}")


def _without_vendored(found: list[str | Skipped]) -> Iterator[str | Skipped]:
    named: set[str] = set()
    for path in found:
        folder = _vendored_folder(path) if isinstance(path, str) else ""
        if isinstance(path, Skipped):
            yield path
        elif folder and folder not in named:
            named.add(folder)
            yield Skipped(input=printable(folder), reason="a vendored folder, not read")
        elif not folder and _TOOL_FOLDERS.isdisjoint(path.split("/")[:-1]):
            yield path


def _vendored_folder(path: str) -> str:
    parts = path.split("/")
    depth = next((n for n, part in enumerate(parts[:-1]) if part in _VENDORED), None)
    return "" if depth is None else "/".join(parts[: depth + 1]) + "/"


def _bytes(file: Path, max_bytes: int) -> bytes | str | None:
    """The file's bytes; or why there are none; or None where that is as it should be."""
    try:
        status = file.stat()
        if stat.S_ISREG(status.st_mode):
            return file.read_bytes() if status.st_size <= max_bytes else f"larger than {max_bytes / 1_000_000:g} MB"
        return None if stat.S_ISDIR(status.st_mode) else "not a regular file"
    except OSError as error:
        if file.is_symlink() and error.errno in {errno.ENOENT, errno.ELOOP}:
            return "a symlink that leads nowhere"
        # Git lists a file that was deleted from the work tree.
        return None if error.errno == errno.ENOENT else f"unreadable: {error.strerror}"


def _decoded(name: str, data: bytes) -> Iterator[Page | Skipped]:
    read = decoded(data)
    if read is None:
        yield Skipped(input=name, reason="binary, not text")
        return
    kept = storable(read.text) if _UNSTORABLE.search(read.text) else read.text
    found = page(name, kept)
    if len(found.starts) > MAX_LINES:
        yield Skipped(input=name, reason=f"longer than {MAX_LINES:,} lines")
        return
    if read.note:
        yield Skipped(input=name, reason=read.note, kept=True)
    if kept != read.text:
        reason = "held NUL or unpaired surrogate characters, stored as U+FFFD"
        yield Skipped(input=name, reason=reason, kept=True)
    yield found

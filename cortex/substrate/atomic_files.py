"""Atomic file writes and folder locks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Final

from cortex.errors import NotKept

try:
    import fcntl
except ImportError:  # Windows has no folder locks: concurrent writers of one file may overwrite each other
    fcntl = None  # type: ignore[assignment]

TEMPORARY: Final = ".unfinished"  # suffix of a temporary file; a killed process may leave one
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)


def write_file(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace the content of *path* atomically; a symbolic link is replaced, not followed.

    Args:
        private: make the file, and folders created for it, readable by the owner alone.

    Raises:
        NotKept: the write failed; the file is unchanged.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}{TEMPORARY}")
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        try:
            with os.fdopen(os.open(temporary, _FLAGS, 0o600 if private else 0o666), "wb") as file:
                file.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


@contextmanager
def locked(folder: Path, *, private: bool = False) -> Iterator[None]:
    """Hold the exclusive lock of *folder*, created where missing; not reentrant.

    Raises:
        NotKept: the folder cannot be created or opened.
    """
    if fcntl is None:
        yield
        return
    with _translated(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotKept(path, error.strerror or str(error)) from error


def _sync(folder: Path) -> None:
    if fcntl is not None:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

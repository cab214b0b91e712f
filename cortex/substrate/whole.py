"""Writing a file all at once: whoever reads it, whenever, finds it as it was or as it is to be."""

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
except ImportError:  # Windows: two writers of one file at the same moment are not kept apart
    fcntl = None  # type: ignore[assignment]

UNFINISHED: Final = ".unfinished"  # how the name of a file ends that a killed process left
_ANEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)


def write_whole(path: Path, text: str, *, private: bool = False) -> None:
    """Make *text* the content of the file at *path*, and of none that a link there leads to.

    Args:
        private: nobody but the owner may read it, nor a folder that is made for it.

    Raises:
        NotKept: it cannot be written; the file is as it was.
    """
    made = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}{UNFINISHED}")
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        try:
            with os.fdopen(os.open(made, _ANEW, 0o600 if private else 0o666), "wb") as file:
                file.write(text.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
            made.replace(path)
        except BaseException:
            with suppress(OSError):
                made.unlink(missing_ok=True)
            raise
        _settle(path.parent)


@contextmanager
def alone(folder: Path, *, private: bool = False) -> Iterator[None]:
    """Let other writers of *folder* wait meanwhile.

    Raises:
        NotKept: there is no such folder, and none can be made.
    """
    if fcntl is None:
        yield
        return
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say of what goes wrong that *path* cannot be written.

    Raises:
        NotKept: the system said no.
    """
    try:
        yield
    except OSError as error:
        raise NotKept(path, error.strerror or str(error)) from error


def _settle(folder: Path) -> None:
    """Have the disk know the new name of a file in *folder*, where the system can be asked for that."""
    if fcntl is not None:
        held = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(held)
        finally:
            os.close(held)

"""Folders of text files for tests, and what the tree connector makes of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic, sleep

from cortex.indexers.connectors import Item, Unread, tree
from cortex.substrate.model import Record, Skipped

GIT_IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """*root* with *files* in it, their folders made, their text written as it is."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *GIT_IDENTITY, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, message: str) -> None:
    """Commit all of *root*."""
    git(root, "add", "-A")
    git(root, "commit", "-m", message)


def until(happens: Callable[[], bool]) -> None:
    """Wait until something *happens* in another thread or process, which a busy machine may let wait for long."""
    end = monotonic() + 120
    while not happens():
        assert monotonic() < end, "it never happened"
        sleep(0.01)


def read_tree(root: Path, *, source: str) -> Iterator[Item]:
    """What the tree connector gives, its texts read."""
    found = tree.read(root, source=source)
    return (one for item in found for one in (item.read() if isinstance(item, Unread) else (item,)))


def records(root: Path) -> list[Record]:
    return [item for item in read_tree(root, source="demo") if isinstance(item, Record)]


def skipped(root: Path) -> dict[str, str]:
    """Why each input that was passed over was."""
    return {item.input: item.reason for item in read_tree(root, source="demo") if isinstance(item, Skipped)}


def by_ref(root: Path) -> dict[str, Record]:
    """The records by their refs, which are unique."""
    found = records(root)
    refs = {record.ref: record for record in found}
    assert len(refs) == len(found)
    return refs

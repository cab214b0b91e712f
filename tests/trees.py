"""Folders of text files for tests, and what the tree connector makes of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cortex.indexers.connectors import tree
from cortex.substrate.model import Record, Skipped

GIT_IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """*root* with *files* in it, their folders made, their text written as it is."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *GIT_IDENTITY, *arguments], cwd=root, check=True, capture_output=True)


def records(root: Path) -> list[Record]:
    return [item for item in tree.read(root, source="demo") if isinstance(item, Record)]


def skipped(root: Path) -> dict[str, str]:
    """Why each input that was passed over was."""
    return {item.input: item.reason for item in tree.read(root, source="demo") if isinstance(item, Skipped)}


def by_ref(root: Path) -> dict[str, Record]:
    """The records by their refs, which are unique."""
    found = records(root)
    refs = {record.ref: record for record in found}
    assert len(refs) == len(found)
    return refs

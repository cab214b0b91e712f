"""The files of a folder that GitHub's objects were exported to: which are read, and what each holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from cortex.errors import BadInput
from cortex.indexers.connectors.github_rows import Shape, listed, shape
from cortex.indexers.connectors.json_rows import SUFFIXES, Row, rows
from cortex.indexers.connectors.outcomes import LEDGER
from cortex.substrate.model import Skipped

FOREIGN = "holds no issues, pull requests, comments or commits"
PACKED = "packed: unpack it and index again"
INSIDE = "a folder in the export: only what stands directly in it is read"
# Pull requests come before the issues that may list them again, and both before the comments that need their titles.
ORDER: Final[tuple[Shape, ...]] = ("pull", "issue", "comment", "commit", "release")
_NAMED = re.compile(r"(pull)|(issue)|(comment|review)|(commit)|(release)", re.I)
_PACKED = re.compile(r"\.(?:json|jsonl|ndjson)\.(?:gz|bz2|xz|zst|zip)$", re.I)
_WEB = re.compile(r"(https?://[^/\s]+/([\w.-]+/[\w.-]+))/(?:issues|pull|commit)/")
_OWNER_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_LOOKED_AT: Final = 20


def address_of(folder: Path) -> tuple[str, str] | None:
    """The repository's address, '' where only its name is told, and its name."""
    for path in files(folder):
        for row in islice(rows_of(path), _LOOKED_AT) if looked_at(path, folder)[0] else ():
            if isinstance(row, Skipped):
                continue
            if address := _WEB.match(str(row.value.get("html_url"))):
                return address[1], address[2]
            if isinstance(repo := row.value.get("repo"), str) and _OWNER_NAME.fullmatch(repo):
                return "", repo
    return None


def files(folder: Path) -> list[Path]:
    """The files that may be read, in the order of their names.

    Raises:
        BadInput: *folder* is none.
    """
    if not folder.is_dir():
        raise BadInput(folder, "no such folder", hint="name a folder that holds issues.jsonl, pulls.jsonl, …")
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES and path.name != LEDGER]


def left_out(folder: Path) -> Iterator[Skipped]:
    """What looks like a part of an export and is not read: packed files, and those in folders."""
    for path in sorted(folder.iterdir()):
        if _PACKED.search(path.name) and path.is_file():
            yield Skipped(input=path.name, reason=PACKED)
        elif path.is_dir() and path.name != "docs" and _holds_rows(path):
            yield Skipped(input=f"{path.name}/", reason=INSIDE)


def _holds_rows(folder: Path) -> bool:
    if folder.is_symlink() or not os.access(folder, os.R_OK | os.X_OK):
        return False
    return any(path.suffix.lower() in SUFFIXES for path in folder.iterdir())


def looked_at(path: Path, folder: Path) -> tuple[Shape | None, str]:
    """What a file holds, by its first rows, or by its name where they tell nothing; else why it is not read."""
    if not path.resolve().is_relative_to(folder.resolve()):
        return None, "symlink out of the folder"
    if not path.is_file():
        return None, "not a file"
    for row in islice(rows_of(path), _LOOKED_AT):
        if isinstance(row, Row) and (found := shape(row.value)):
            return ("issue" if listed(row.value) else found), ""
    named = named_so(path)
    return (named, "") if named else (None, FOREIGN)


def rows_of(path: Path) -> Iterator[Row | Skipped]:
    """The rows of a file; where nothing in one of a file of pull requests says what it is, it is one."""
    pulls = named_so(path) == "pull"
    for row in rows(path):
        if pulls and isinstance(row, Row) and shape(row.value) == "issue" and "html_url" not in row.value:
            yield row._replace(value={"merged_at": None, **row.value})
        else:
            yield row


def named_so(path: Path) -> Shape | None:
    """What a file holds by its name."""
    named = _NAMED.search(path.stem)
    return ORDER[(named.lastindex or 1) - 1] if named else None

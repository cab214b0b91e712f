"""A folder of issues, pull requests, comments and commits as GitHub's REST API returns them.

Every `*.jsonl` or `*.ndjson` (an object a line) and `*.json` (arrays, or pages of arrays) directly in the folder is
read; what an object is, its own fields tell. Documents beside them, in `docs/`, belong to the tree connectors, and the
outcomes ledger to its own.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, Item, commits
from cortex.indexers.connectors.commits import Commit
from cortex.indexers.connectors.fields import SUFFIXES, Fields, Row, rows
from cortex.indexers.connectors.github_rows import SAYS_NOTHING, Shape, Thread, comment, listed, ref_of, shape, thread
from cortex.indexers.connectors.outcomes import LEDGER
from cortex.substrate.model import Record, RecordType, Skipped

UNKNOWN = "neither issue, pull request, comment nor commit"
DUPLICATE = "the same as another row"
OLDER = "an older state of another row"

FOREIGN = "holds no issues, pull requests, comments or commits"
PACKED = "packed: unpack it and index again"
INSIDE = "a folder in the export: only what stands directly in it is read"
# Pull requests come before the issues that may list them again, and both before the comments that need their titles.
ORDER: Final[tuple[Shape, ...]] = ("pull", "issue", "comment", "commit")
_NAMED = re.compile(r"(pull)|(issue)|(comment|review)|(commit)", re.I)
_PACKED = re.compile(r"\.(?:json|jsonl|ndjson)\.(?:gz|bz2|xz|zst|zip)$", re.I)
_WEB = re.compile(r"(https?://[^/\s]+/([\w.-]+/[\w.-]+))/(?:issues|pull|commit)/")
_OWNER_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_LOOKED_AT: Final = 20
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def read(folder: Path, *, source: str, known: Callable[[], Mapping[int, Thread]] = dict) -> Iterator[Item]:
    """The records of *folder*: pull requests, issues, comments, commits, and what could not be read.

    Where an issue and a pull request have one number the pull request stands, and a pull request as the commits tell
    it gives way to GitHub's own. Of two rows with one ref the one that changed last stands, else the later.

    The cursor's value names the record types the folder holds, such as 'comment,issue,pull', and what it `lost`: a
    broken line must not make its record look deleted, nor an issue that is missing cost its comments their title.

    Args:
        known: the issues and pull requests that the brain holds.

    Raises:
        BadInput: *folder* is none, or nothing in it is an export.
    """
    export = _Export(source, known)
    for path in files(folder):
        held, problem = _looked_at(path, folder)
        if held:
            export.files.append((ORDER.index(held), path))
        else:
            export.problems.append((Skipped(input=path.name, reason=problem), _named_so(path)))
    export.problems += [(one, None) for one in _left_out(folder)]
    if not export.files:
        raise BadInput(folder, FOREIGN, hint="name a folder that holds issues.jsonl, pulls.jsonl, comments.jsonl, …")
    address, name = _address_of(folder)
    site = commits.Site(f"{address}/commit/", f"{address}/pull/") if address else commits.Site()
    yield from export.items(site, name)


def source_name(folder: Path) -> str | None:
    """'owner/name' as the first row that tells it has it.

    Raises:
        BadInput: *folder* is none.
    """
    return _address_of(folder)[1] or None


class _Export:
    """A folder while it is read: what is known of its threads by now, and what was lost.

    Attributes:
        held: the shapes of each file's rows.
    """

    def __init__(self, source: str, known: Callable[[], Mapping[int, Thread]]) -> None:
        self.source, self.known = source, known
        self.lost: Counter[RecordType] = Counter()
        self.files: list[tuple[int, Path]] = []
        self.held: dict[Path, set[Shape]] = {}
        self.problems: list[tuple[Skipped, Shape | None]] = []
        self.threads: dict[int, Thread] = {}
        self.told_of: Counter[str] = Counter()
        self.told: dict[str, list[tuple[Record, Fields]]] = {}

    def items(self, site: commits.Site, name: str) -> Iterator[Item]:
        for place, path in self.files:
            self.held[path] = {ORDER[place]}
            for row in _rows_of(path):
                if isinstance(row, Row):
                    self.told_of.update(filter(None, [ref_of(Fields(row.value))]))
                    self.held[path].update(filter(None, [shape(row.value)]))

        def known(number: int) -> str:
            return self.threads[number].type if number in self.threads else ""

        types = set[str]()
        for item in commits.records(self._made(), source=self.source, site=site, names=(name,), known=known):
            if isinstance(item, Record):
                types.add(item.type)
            yield item
        yield Cursor(value=",".join(sorted(types)), complete=True, lost=dict(self.lost))

    def _made(self) -> Iterator[Record | Commit | Skipped]:
        for problem, named in self.problems:
            if problem.reason not in (FOREIGN, PACKED, INSIDE):
                self.lost.update([named] if named else ORDER)
            yield problem
        for place, path in sorted(self.files):
            if place == ORDER.index("comment") and not self.lost.keys().isdisjoint(("issue", "pull")):
                self.threads = {**self.known(), **self.threads}
            for row in _rows_of(path):
                if isinstance(row, Skipped):
                    self.lost.update(self.held[path])
                    yield row
                    continue
                told_better = f"pull:{Fields(row.value).number('number')}" in self.told_of
                if not told_better or not (listed(row.value) or shape(row.value) == "issue"):
                    yield from self._of_row(row, self.held[path])

    def _of_row(self, row: Row, held: set[Shape]) -> Iterator[Record | Commit | Skipped]:
        fields, found = Fields(row.value, where=row.input), shape(row.value)
        made: Record | Commit | Skipped = Skipped(input=row.input, reason=UNKNOWN)
        if found == "comment":
            made = comment(fields, source=self.source, threads=self.threads)
        elif found:
            made = commits.of_row(fields) if found == "commit" else thread(fields, source=self.source, held=found)
        if isinstance(made, Skipped):
            if made.reason not in SAYS_NOTHING:
                self.lost.update([found] if found else held)
            yield made
            return
        if isinstance(made, Commit):
            yield from fields.noted()
            yield made
            return
        ref = ref_of(fields)
        every = self.told.setdefault(ref, [])
        every.append((made, fields))
        if len(every) < self.told_of[ref]:
            return
        newest, fields = max(reversed(self.told.pop(ref)), key=lambda one: one[0].updated_at or _LONG_AGO)
        for record, other in every:
            if other is not fields:
                yield Skipped(input=other.where, reason=DUPLICATE if record == newest else OLDER)
        if newest.type in ("issue", "pull"):
            self.threads[int(newest.ref.partition(":")[2])] = Thread(newest.type, newest.title)
        yield from fields.noted()
        yield newest


def _address_of(folder: Path) -> tuple[str, str]:
    """The repository's address, '' where only its name is told, and its name."""
    for path in files(folder):
        for row in islice(_rows_of(path), _LOOKED_AT) if _looked_at(path, folder)[0] else ():
            if isinstance(row, Skipped):
                continue
            if address := _WEB.match(str(row.value.get("html_url"))):
                return address[1], address[2]
            if isinstance(repo := row.value.get("repo"), str) and _OWNER_NAME.fullmatch(repo):
                return "", repo
    return "", ""


def files(folder: Path) -> list[Path]:
    """The files that may be read, in the order of their names.

    Raises:
        BadInput: *folder* is none.
    """
    if not folder.is_dir():
        raise BadInput(folder, "no such folder", hint="name a folder that holds issues.jsonl, pulls.jsonl, …")
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES and path.name != LEDGER]


def _left_out(folder: Path) -> Iterator[Skipped]:
    """What looks like a part of an export and is not read: packed files, and those in folders."""
    for path in sorted(folder.iterdir()):
        if _PACKED.search(path.name) and path.is_file():
            yield Skipped(input=path.name, reason=PACKED)
        is_folder = path.is_dir() and not path.is_symlink() and os.access(path, os.R_OK | os.X_OK)
        if is_folder and path.name != "docs" and any(one.suffix.lower() in SUFFIXES for one in path.iterdir()):
            yield Skipped(input=f"{path.name}/", reason=INSIDE)


def _looked_at(path: Path, folder: Path) -> tuple[Shape | None, str]:
    """What a file holds, by its first rows, or by its name where they tell nothing; else why it is not read."""
    if not path.resolve().is_relative_to(folder.resolve()):
        return None, "symlink out of the folder"
    if not path.is_file():
        return None, "not a file"
    for row in islice(_rows_of(path), _LOOKED_AT):
        if isinstance(row, Row) and (found := shape(row.value)):
            return ("issue" if listed(row.value) else found), ""
    named = _named_so(path)
    return (named, "") if named else (None, FOREIGN)


def _rows_of(path: Path) -> Iterator[Row | Skipped]:
    """The rows of a file; where nothing in one of a file of pull requests says what it is, it is one."""
    pulls = _named_so(path) == "pull"
    for row in rows(path):
        if pulls and isinstance(row, Row) and shape(row.value) == "issue" and "html_url" not in row.value:
            yield row._replace(value={"merged_at": None, **row.value})
        else:
            yield row


def _named_so(path: Path) -> Shape | None:
    """What a file holds by its name."""
    named = _NAMED.search(path.stem)
    return ORDER[(named.lastindex or 1) - 1] if named else None

"""A folder of issues, pull requests, comments and commits as GitHub's REST API returns them.

Every `*.jsonl` (an object a line) and `*.json` (arrays, or pages of arrays) directly in the folder is read; what an
object is, its own fields tell. Documents beside them, in `docs/`, belong to the tree connectors, and the outcomes
ledger to its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, Item, commits
from cortex.indexers.connectors.commits import Commit
from cortex.indexers.connectors.fields import Fields
from cortex.indexers.connectors.github_rows import Shape, Thread, ThreadType, comment, listed, shape, thread
from cortex.indexers.connectors.json_rows import REPAIRED, Row, rows
from cortex.indexers.connectors.outcomes import LEDGER
from cortex.substrate.model import Record, Skipped

FOREIGN = "holds no issues, pull requests, comments or commits"
UNKNOWN = "neither issue, pull request, comment nor commit"
DUPLICATE = "the same as an earlier row"

# Pull requests come before the issues that may list them again, and both before the comments that need their titles.
_ORDER: Final[tuple[Shape, ...]] = ("pull", "issue", "comment", "commit")
_NAMED = re.compile(r"(pull)|(issue)|(comment|review)|(commit)", re.I)
_WEB = re.compile(r"(https?://[^/\s]+/([\w.-]+/[\w.-]+))/(?:issues|pull|commit)/")
_OWNER_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_LOOKED_AT: Final = 20


def read(folder: Path, *, source: str) -> Iterator[Item]:
    """The records of *folder*: pull requests, issues, comments, commits, and what could not be read.

    Where an issue and a pull request have one number the pull request stands, and a pull request as the commits tell
    it gives way to GitHub's own. Of two rows with one ref the first stands.

    The cursor's value names the record types the folder holds, such as 'comment,issue,pull'; only of those can
    anything be gone. It is complete unless an input was lost: a broken line must not make its record look deleted.

    Raises:
        BadInput: *folder* is none, or nothing in it is an export.
    """
    export = _Export(source)
    for path in _files(folder):
        held, problem = _looked_at(path, folder)
        if held:
            export.files.append((_ORDER.index(held), path))
        else:
            export.problems.append(Skipped(input=path.name, reason=problem))
    if not export.files:
        raise BadInput(folder, FOREIGN, hint="name a folder that holds issues.jsonl, pulls.jsonl, comments.jsonl, …")
    address, _ = _web(folder) or ("", "")
    yield from export.items(commits.Site(f"{address}/commit/", f"{address}/pull/") if address else commits.Site())


def source_name(folder: Path) -> str | None:
    """'owner/name' as the first row that tells it has it.

    Raises:
        BadInput: *folder* is none.
    """
    web = _web(folder)
    return web[1] if web else None


def _web(folder: Path) -> tuple[str, str] | None:
    """The repository's address, '' where only its name is told, and its name."""
    for path in _files(folder):
        for row in islice(rows(path), _LOOKED_AT) if _looked_at(path, folder)[0] else ():
            if isinstance(row, Skipped):
                continue
            if address := _WEB.match(str(row.value.get("html_url"))):
                return address[1], address[2]
            if isinstance(repo := row.value.get("repo"), str) and _OWNER_NAME.fullmatch(repo):
                return "", repo
    return None


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise BadInput(folder, "no such folder", hint="name a folder that holds issues.jsonl, pulls.jsonl, …")
    return [path for path in sorted(folder.iterdir()) if path.suffix in (".jsonl", ".json") and path.name != LEDGER]


def _looked_at(path: Path, folder: Path) -> tuple[Shape | None, str]:
    """What a file holds, by its first rows, or by its name where they tell nothing; else why it is not read."""
    if not path.resolve().is_relative_to(folder.resolve()):
        return None, "symlink out of the folder"
    if not path.is_file():
        return None, "not a file"
    for row in islice(rows(path), _LOOKED_AT):
        if isinstance(row, Row) and (found := shape(row.value)):
            return ("issue" if listed(row.value) else found), ""
    named = _NAMED.search(path.stem)
    return (_ORDER[(named.lastindex or 1) - 1], "") if named else (None, FOREIGN)


class _Export:
    """A folder while it is read: what is known of its threads by now, and whether anything was lost."""

    def __init__(self, source: str) -> None:
        self.source, self.lost = source, False
        self.files: list[tuple[int, Path]] = []
        self.problems: list[Skipped] = []
        self.threads: dict[int, Thread] = {}
        self.whole_pulls: set[int] = set()
        self.seen: set[str] = set()
        self.types: set[str] = set()

    def items(self, site: commits.Site) -> Iterator[Item]:
        for item in commits.records(self._made(), source=self.source, site=site, known=self._known):
            if isinstance(item, Record):
                self.types.add(item.type)
            yield item
        yield Cursor(value=",".join(sorted(self.types)), complete=not self.lost)

    def _known(self, number: int) -> str:
        thread = self.threads.get(number)
        return thread.type if thread else ""

    def _made(self) -> Iterator[Record | Commit | Skipped]:
        for problem in self.problems:
            self.lost |= problem.reason != FOREIGN
            yield problem
        for _, path in sorted(self.files):
            for row in rows(path):
                if isinstance(row, Skipped):
                    self.lost = True
                    yield row
                else:
                    yield from self._of_row(row)

    def _of_row(self, row: Row) -> Iterator[Record | Commit | Skipped]:
        fields = Fields(row.value, where=row.input)
        made = self._record(fields)
        if made is None:
            return
        if isinstance(made, Skipped):
            self.lost |= made.reason != DUPLICATE
        else:
            fields.notes += [REPAIRED] * row.repaired
            yield from (Skipped(input=row.input, reason=note) for note in fields.notes)
        yield made

    def _record(self, fields: Fields) -> Record | Commit | Skipped | None:
        match shape(fields.row):
            case "comment":
                made = comment(fields, source=self.source, threads=self.threads)
            case "commit":
                return commits.of_row(fields)
            case None:
                return Skipped(input=fields.where, reason=UNKNOWN)
            case held:
                if fields.number("number") in self.whole_pulls and (held == "issue" or listed(fields.row)):
                    return None
                made = self._thread(fields, held)
        if isinstance(made, Record):
            if made.ref in self.seen:
                return Skipped(input=fields.where, reason=DUPLICATE)
            self.seen.add(made.ref)
        return made

    def _thread(self, fields: Fields, held: ThreadType) -> Record | Skipped:
        made, number = thread(fields, source=self.source, held=held), fields.number("number")
        if isinstance(made, Record) and number is not None:
            self.threads.setdefault(number, Thread(held, made.title))
            if held == "pull" and not listed(fields.row):
                self.whole_pulls.add(number)
        return made

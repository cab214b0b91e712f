"""A folder of issues, pull requests, comments, commits and releases as GitHub's REST API returns them.

Every `*.jsonl` or `*.ndjson` (an object a line) and `*.json` (arrays, or pages of arrays) directly in the folder is
read; what an object is, its own fields tell. Documents beside them, in `docs/`, belong to the tree connectors, and the
outcomes ledger to its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, Item, commits
from cortex.indexers.connectors.commits import Commit
from cortex.indexers.connectors.fields import Fields
from cortex.indexers.connectors.github_files import (
    FOREIGN,
    INSIDE,
    ORDER,
    PACKED,
    address_of,
    files,
    left_out,
    looked_at,
    named_so,
    rows_of,
)
from cortex.indexers.connectors.github_rows import (
    REMARK,
    SAYS_NOTHING,
    SORTS,
    Shape,
    Thread,
    comment,
    listed,
    ref_of,
    release,
    shape,
    sort_of,
    thread,
)
from cortex.indexers.connectors.json_rows import REPAIRED, Row
from cortex.substrate.model import Link, Record, RecordType, Skipped

UNKNOWN = "neither issue, pull request, comment nor commit"
DUPLICATE = "the same as another row"
OLDER = "an older state of another row"

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def read(folder: Path, *, source: str, known: Callable[[], Mapping[int, Thread]] = dict) -> Iterator[Item]:
    """The records of *folder*: pull requests, issues, comments, commits, releases, and what could not be read.

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
        held, problem = looked_at(path, folder)
        if held:
            export.files.append((ORDER.index(held), path))
        else:
            export.problems.append((Skipped(input=path.name, reason=problem), named_so(path)))
    export.problems += [(one, None) for one in left_out(folder)]
    if not export.files:
        raise BadInput(folder, FOREIGN, hint="name a folder that holds issues.jsonl, pulls.jsonl, comments.jsonl, …")
    address, name = address_of(folder) or ("", "")
    site = commits.Site(f"{address}/commit/", f"{address}/pull/") if address else commits.Site()
    yield from export.items(site, name)


def source_name(folder: Path) -> str | None:
    """'owner/name' as the first row that tells it has it.

    Raises:
        BadInput: *folder* is none.
    """
    web = address_of(folder)
    return web[1] if web else None


class _Told(NamedTuple):
    """One row of several that tell of the same thing."""

    input: str
    record: Record
    notes: list[Skipped]


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
        self.told: dict[str, list[_Told]] = {}
        self.types: set[str] = set()

    def items(self, site: commits.Site, name: str) -> Iterator[Item]:
        for place, path in self.files:
            self.held[path] = {ORDER[place]}
            for row in rows_of(path):
                if isinstance(row, Row):
                    self.told_of.update(filter(None, [_name(row)]))
                    self.held[path].update(filter(None, [shape(row.value)]))
        for item in commits.records(self._made(), source=self.source, site=site, names=(name,), known=self._known):
            if isinstance(item, Record):
                self.types.add(item.type)
            yield item
        yield Cursor(value=",".join(sorted(self.types)), complete=True, lost=dict(self.lost))

    def _known(self, number: int) -> str:
        thread = self.threads.get(number)
        return thread.type if thread else ""

    def _made(self) -> Iterator[Record | Commit | Skipped]:
        for problem, named in self.problems:
            if problem.reason not in (FOREIGN, PACKED, INSIDE):
                self.lost.update([named] if named else ORDER)
            yield problem
        for place, path in sorted(self.files):
            if place == ORDER.index("comment") and not self.lost.keys().isdisjoint(("issue", "pull")):
                self.threads = {**self.known(), **self.threads}
            for row in rows_of(path):
                if isinstance(row, Skipped):
                    self.lost.update(self.held[path])
                    yield row
                elif not self._is_told_better(row):
                    yield from self._of_row(row, self.held[path])

    def _is_told_better(self, row: Row) -> bool:
        number = Fields(row.value).number("number")
        whole = number is not None and f"pull:{number}" in self.told_of
        return whole and (listed(row.value) or shape(row.value) == "issue")

    def _of_row(self, row: Row, held: set[Shape]) -> Iterator[Record | Commit | Skipped]:
        fields = Fields(row.value, where=row.input)
        made = self._record(fields)
        if isinstance(made, Skipped):
            found = shape(row.value)
            if made.reason not in SAYS_NOTHING:
                self.lost.update([found] if found else held)
            yield made
            return
        fields.notes += [REPAIRED] * row.repaired
        notes = [Skipped(input=row.input, reason=note, kept=True) for note in fields.notes]
        if isinstance(made, Commit):
            yield from notes
            yield made
            return
        name = _name(row)
        if made.type == "comment":
            links = tuple(self._to_remark(link) if link.relation == "replies" else link for link in made.links)
            ref = made.ref if name == self._first_named(made.ref) else name
            made = made.model_copy(update={"ref": ref, "links": links})
        every = self.told.setdefault(name, [])
        every.append(_Told(row.input, made, notes))
        if len(every) == self.told_of[name]:
            yield from self._newest(self.told.pop(name))

    def _first_named(self, ref: str) -> str:
        return next((name for sort in SORTS if (name := ref + sort) in self.told_of), ref)

    def _to_remark(self, reply: Link) -> Link:
        """*reply* as only remarks on code have one: to another of them, whatever else has its number."""
        name, first = reply.to_ref + REMARK, self._first_named(reply.to_ref)
        return reply.model_copy(update={"to_ref": name}) if first in self.told_of and first != name else reply

    def _newest(self, every: Sequence[_Told]) -> Iterator[Record | Skipped]:
        newest = max(reversed(every), key=lambda one: one.record.updated_at or _LONG_AGO)
        for one in every:
            if one is not newest:
                yield Skipped(input=one.input, reason=DUPLICATE if one.record == newest.record else OLDER)
        made = newest.record
        if made.type in ("issue", "pull"):
            self.threads[int(made.ref.partition(":")[2])] = Thread(made.type, made.title)
        yield from newest.notes
        yield made

    def _record(self, fields: Fields) -> Record | Commit | Skipped:
        match shape(fields.row):
            case "comment":
                return comment(fields, source=self.source, threads=self.threads)
            case "commit":
                return commits.of_row(fields)
            case "release":
                return release(fields, source=self.source)
            case None:
                return Skipped(input=fields.where, reason=UNKNOWN)
            case held:
                return thread(fields, source=self.source, held=held)


def _name(row: Row | Skipped) -> str:
    """What *row* tells of; '' for what is told of once, or cannot be said."""
    ref = ref_of(Fields(row.value)) if isinstance(row, Row) else ""
    return ref + sort_of(row.value) if isinstance(row, Row) and ref.startswith("comment:") else ref

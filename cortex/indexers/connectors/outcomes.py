"""The outcomes ledger: what became of a piece of work once people used it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, cast, get_args

from pydantic import Field

from cortex.errors import BadInput
from cortex.indexers.connectors import Item
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG, Fields, rows
from cortex.substrate.model import Link, Record, Skipped, Value

Status = Literal["shipped", "flagged", "rejected", "reverted"]

BAD_STATUS = f"status is none of {', '.join(get_args(Status))}"

LEDGER: Final = "outcomes.jsonl"  # what a ledger is called beside the files of an export or at the root of a project

_LONGEST: Final = 80


class Entry(Value):
    """A row of a ledger: the outcome of a piece of work."""

    slug: str = Field("", description="its name in its ref; by default made from the title")
    title: str
    status: Status
    pull: int | None = None
    note: str = ""
    author: str = ""
    date: datetime | None = Field(None, description="time of the outcome")
    since: datetime | None = Field(None, description="time of the slug's first outcome")
    recorded_by: str = Field("", description="actual caller; '' for a row written by hand")
    approved_by: str = Field("", description="reviewer of an untrusted writer's outcome")

    @property
    def ref(self) -> str:
        """Ref of its record."""
        return f"outcome:{slugify(self.slug or self.title)}"


def read(path: Path, *, source: str) -> Iterator[Item]:
    """The outcomes in *path*, JSON lines with `title`, `status` and, where known, slug, pull, note, author and date.

    A ledger is appended to: of two rows with one slug the later stands, at the place of the first. It gives no
    cursor, since what is missing from one file may stand in another or have been added by hand.

    Raises:
        BadInput: *path* is no file.
    """
    latest: dict[str, Entry] = {}
    for item in entries(path):
        if isinstance(item, Skipped):
            yield item
        else:
            latest[item.ref] = item
    yield from (to_record(entry, source=source) for entry in latest.values())


def entries(path: Path) -> Iterator[Entry | Skipped]:
    """The rows of the ledger at *path*, in their order.

    Raises:
        BadInput: *path* is no file.
    """
    if not path.is_file():
        raise BadInput(path, "no such file", hint='write a line such as {"title": "…", "status": "shipped"}')
    for row in rows(path):
        if isinstance(row, Skipped):
            yield row
            continue
        fields = Fields(row.value, where=row.input)
        made = parse_entry(fields)
        yield made
        if isinstance(made, Entry):
            yield from fields.noted()


def parse_entry(fields: Fields) -> Entry | Skipped:
    """The row in *fields*, without the recorder, which only a journal states."""
    title, note, pull = fields.line("title").strip(), fields.text("note"), fields.number("pull")
    status = fields.text("status").strip().lower()
    if status not in get_args(Status):
        return Skipped(input=fields.where, reason=BAD_STATUS)
    if not title:
        return Skipped(input=fields.where, reason="no title")
    if len(title) + len(note) > BODY_LIMIT:
        return Skipped(input=fields.where, reason=BODY_TOO_LONG)
    if pull is None and fields.row.get("pull") is not None:
        fields.notes.append("pull is no number")
    return Entry(
        slug=fields.line("slug"), title=title, status=cast("Status", status), pull=pull, note=note,
        author=fields.person("author"), date=fields.time("date"),
    )  # fmt: skip


def to_record(entry: Entry, *, source: str) -> Record:
    """The record of one outcome.

    >>> to_record(Entry(title="Empty-state copy", status="shipped", pull=958), source="o8").ref
    'outcome:empty-state-copy'
    """
    return Record(
        source=source,
        type="outcome",
        ref=entry.ref,
        title=entry.title,
        body=f"{entry.title}\n\n{entry.note}" if entry.note else entry.title,
        author=entry.author,
        association=entry.recorded_by,
        state=entry.status,
        created_at=entry.since or entry.date,
        updated_at=entry.date,
        links=(Link(relation="mentions", to_ref=f"pull:{entry.pull}"),) if entry.pull else (),
    )


def slugify(text: str) -> str:
    """Words joined by dashes; a long or wordless text ends in a hash, so that two of them stay two."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    slug = "-".join(words)
    if 0 < len(slug) <= _LONGEST:
        return slug
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{slug[: _LONGEST - 9].rstrip('-')}-{digest}".lstrip("-")

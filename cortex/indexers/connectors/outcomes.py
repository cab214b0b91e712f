"""The outcomes ledger: what became of a piece of work once people used it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import TypeAdapter, ValidationError

from cortex.errors import BadInput
from cortex.indexers.connectors import Item
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG, Fields
from cortex.indexers.connectors.json_rows import REPAIRED, rows
from cortex.substrate.model import Link, Record, Skipped

Status = Literal["shipped", "flagged", "rejected", "reverted"]

BAD_STATUS = f"status is none of {', '.join(get_args(Status))}"

LEDGER: Final = "outcomes.jsonl"  # what a ledger is called beside the files of an export or at the root of a project
_STATUS: Final = TypeAdapter[Status](Status)
_LONGEST: Final = 80


def read(path: Path, *, source: str) -> Iterator[Item]:
    """The outcomes in *path*, JSON lines with `title`, `status` and, where known, slug, pull, note, author and date.

    A ledger is appended to: of two rows with one slug the later stands, at the place of the first. It gives no
    cursor, since what is missing from one file may stand in another or have been added by hand.

    Raises:
        BadInput: *path* is no file.
    """
    if not path.is_file():
        raise BadInput(path, "no such file", hint='write a line such as {"title": "…", "status": "shipped"}')
    latest: dict[str, Record] = {}
    for row in rows(path):
        if isinstance(row, Skipped):
            yield row
            continue
        fields = Fields(row.value, where=row.input)
        made = _of_row(fields, source)
        if isinstance(made, Skipped):
            yield made
            continue
        fields.notes += [REPAIRED] * row.repaired
        yield from (Skipped(input=row.input, reason=note, kept=True) for note in fields.notes)
        latest[made.ref] = made
    yield from latest.values()


def _of_row(fields: Fields, source: str) -> Record | Skipped:
    title, note = fields.line("title").strip(), fields.text("note")
    try:
        status = _STATUS.validate_python(fields.text("status").strip().lower())
    except ValidationError:
        return Skipped(input=fields.where, reason=BAD_STATUS)
    if not title:
        return Skipped(input=fields.where, reason="no title")
    if len(title) + len(note) > BODY_LIMIT:
        return Skipped(input=fields.where, reason=BODY_TOO_LONG)
    return outcome(
        title,
        status,
        source=source,
        pull=_pull(fields),
        note=note,
        slug=fields.line("slug"),
        author=fields.person("author"),
        date=fields.time("date"),
    )


def _pull(fields: Fields) -> int | None:
    if fields.row.get("pull") is None:
        return None
    number = fields.number("pull")
    if number is None:
        fields.notes.append("pull is no number")
    return number


def outcome(
    title: str,
    status: Status,
    *,
    source: str,
    pull: int | None = None,
    note: str = "",
    slug: str = "",
    author: str = "",
    date: datetime | None = None,
) -> Record:
    """The record of one outcome.

    Args:
        slug: what it is called in its ref; made from the title where it is ''.

    >>> outcome("Empty-state copy", "shipped", source="o8", pull=958).ref
    'outcome:empty-state-copy'
    """
    return Record(
        source=source,
        type="outcome",
        ref=f"outcome:{_slug(slug or title)}",
        title=title,
        body=f"{title}\n\n{note}" if note else title,
        author=author,
        state=status,
        created_at=date,
        updated_at=date,
        links=(Link(relation="mentions", to_ref=f"pull:{pull}"),) if pull else (),
    )


def _slug(text: str) -> str:
    """Words joined by dashes; a long or wordless text ends in a hash, so that two of them stay two."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    slug = "-".join(words)
    if 0 < len(slug) <= _LONGEST:
        return slug
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{slug[: _LONGEST - 9].rstrip('-')}-{digest}".lstrip("-")

"""Writing a journal: a note is a file, an outcome or a review a row at the end of one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from cortex.indexers.connectors.notes import Note, id_of_file, render
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.journal.places import NOTES, OUTCOMES, REVIEWS, WRITTEN, Journal, Place, Unmerged, digest, key
from cortex.indexers.journal.reading import LedgerRow, NoteFile, Review, ledger_rows
from cortex.substrate.atomic_files import locked
from cortex.substrate.model import Value
from cortex.substrate.secrets import redact


def write_note(journal: Journal, note: Note, *, trusted: bool) -> NoteFile:
    """Write the file of *note* without secrets, over the one of its id; a private copy of a shared note is removed.

    Raises:
        NotKept: the write failed.
    """
    redacted = {name: redact(value) for name, value in note if isinstance(value, str) and name not in ("id", "kind")}
    note, place = note.model_copy(update=redacted), journal.place(trusted=trusted)
    text, name = render(note), find_file(place, note.id) or f"{NOTES}/{note.file_name}"
    with _owning(journal, place, digest(text)):
        place.write(name, text)
        if place.shared and (other := find_file(journal.private, note.id)):
            (journal.private.path / other).unlink(missing_ok=True)
    return NoteFile(note, place, name, trusted)


def append_rows(journal: Journal, values: Sequence[Entry] | Sequence[Review], *, trusted: bool) -> None:
    """Append rows without secrets to their file; `after` names the row that each replaces.

    Raises:
        NotKept: the write failed.
    """
    if not values:
        return
    place, name = journal.place(trusted=trusted), OUTCOMES if isinstance(values[0], Entry) else REVIEWS
    place.check(name)
    with locked(place.path, private=not place.shared):
        held = [row for row in ledger_rows(place, name, Unmerged()) if isinstance(row, LedgerRow)]
        latest = {row.name: key(row.row) for row in sorted(held, key=lambda row: row.at)}
        names = (one.ref if isinstance(one, Entry) else one.name for one in values)
        rows = [_fields(one) | {"after": latest.get(name, "")} for one, name in zip(values, names, strict=True)]
        with _owning(journal, place, *map(key, rows)):
            text = place.read(name)
            text += "\n" if text and not text.endswith("\n") else ""
            place.write(name, text + "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def find_file(place: Place, id_: str) -> str:
    """Name of the note file with the id *id_*; '' for none."""
    return next((name for name in place.notes() if id_of_file(PurePosixPath(name).stem) == id_), "")


def _fields(value: Value) -> dict[str, Any]:
    fields = value.model_dump(mode="json", exclude_defaults=True).items()
    return {name: redact(field) if isinstance(field, str) else field for name, field in fields}


@contextmanager
def _owning(journal: Journal, place: Place, *digests: str) -> Iterator[None]:
    """Register *digests* as written by this machine before a write into the repository."""
    if not place.shared:
        yield
        return
    with locked(journal.private.path, private=True):
        held = journal.private.read(WRITTEN)
        if news := [one for one in digests if one not in held.split()]:
            journal.private.write(WRITTEN, held + "".join(f"{one}\n" for one in news))
        yield

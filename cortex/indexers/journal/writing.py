"""Writing into a journal: a note a file, a row at the end of its file; whole, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from cortex.indexers.connectors.notes import Note, id_in, written
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.journal.doubt import Doubt, digest, key
from cortex.indexers.journal.places import NOTES, OUTCOMES, REVIEWS, WRITTEN, Journal, Place
from cortex.indexers.journal.reading import KeptNote, Line, Review, lines
from cortex.substrate.model import Value
from cortex.substrate.secrets import redact
from cortex.substrate.whole import alone


def keep_note(journal: Journal, note: Note, *, trusted: bool) -> KeptNote:
    """Write the file of *note*, in the place of the one it has; secrets are left out of it.

    Raises:
        NotKept: it cannot be written.
    """
    said = {name: redact(value) for name, value in note if isinstance(value, str) and name not in ("id", "kind")}
    note, place = note.model_copy(update=said), journal.place(trusted=trusted)
    text, name = written(note), file_of(place, note.id) or f"{NOTES}/{note.file}"
    with _writing(journal, place, digest(text)):
        place.write(name, text)
        if place.shared and (other := file_of(journal.private, note.id)):
            (journal.private.path / other).unlink(missing_ok=True)
    return KeptNote(note, place, name, trusted)


def keep_rows(journal: Journal, made: Sequence[Entry] | Sequence[Review], *, trusted: bool) -> None:
    """Write rows at the end of their file; each names the row that it takes the place of, as far as is known here.

    Raises:
        NotKept: they cannot be written.
    """
    if not made:
        return
    place, name = journal.place(trusted=trusted), OUTCOMES if isinstance(made[0], Entry) else REVIEWS
    place.check(name)
    with alone(place.path, private=not place.shared):
        held = [line for line in lines(place, name, Doubt()) if isinstance(line, Line)]
        latest = {line.name: key(line.row) for line in sorted(held, key=lambda line: line.at)}
        names = (one.ref if isinstance(one, Entry) else one.name for one in made)
        rows = [_told(one) | {"after": latest.get(name, "")} for one, name in zip(made, names, strict=True)]
        with _writing(journal, place, *map(key, rows)):
            text = place.text(name)
            text += "\n" if text and not text.endswith("\n") else ""
            place.write(name, text + "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def _told(one: Value) -> dict[str, Any]:
    fields = one.model_dump(mode="json", exclude_defaults=True).items()
    return {field: redact(value) if isinstance(value, str) else value for field, value in fields}


def file_of(place: Place, id_: str) -> str:
    """The file of the note called *id_*, whatever somebody called it; '' where it has none."""
    return next((name for name in place.notes() if id_in(PurePosixPath(name).stem) == id_), "")


@contextmanager
def _writing(journal: Journal, place: Place, *signatures: str) -> Iterator[None]:
    """Note first that this machine is about to write what has these *signatures* into the repository."""
    if not place.shared:
        yield
        return
    with alone(journal.private.path, private=True):
        held = journal.private.text(WRITTEN)
        if news := [one for one in signatures if one not in held.split()]:
            journal.private.write(WRITTEN, held + "".join(f"{one}\n" for one in news))
        yield

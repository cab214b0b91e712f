"""The journal of a source in a brain: its folders, and migration of brains that have none."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from cortex.indexers.connectors import git
from cortex.indexers.connectors.notes import Note
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.connectors.worktrees import files_folder
from cortex.indexers.journal.contents import append_rows, write_note
from cortex.indexers.journal.places import FOLDER, Journal, Place
from cortex.substrate.atomic_files import locked, write_file
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import holds, mark_written, unwritten
from cortex.substrate.records import REMEMBERED, UNTRUSTED
from cortex.substrate.selection import locations
from cortex.surfaces.naming import files_from, holds_files

CHOICES: Final = "sources.json"
"""In the folder of private journals: what was chosen for each place that was indexed."""


def journal_of(brain: Brain, source: str, root: Path | None = None) -> Journal:
    """The folders of the journal of *source*.

    Args:
        root: the folder being indexed; by default the one indexed last.
    """
    folder = root or files_from(brain, source)
    files = files_folder(Path(folder)) if folder else None
    shared = Place(files, FOLDER, shared=True) if files and git.top(files) else None
    beside, name = journal_folder(brain.path.absolute()), quote(source, safe=" @+").replace(".", "%2E")
    private = Place(beside.parent, f"{beside.name}/{name}")
    return Journal(private, shared, elsewhere=files is None and holds_files(brain, source))


def journal_folder(brain: Path) -> Path:
    """The folder of private journals beside the *brain*.

    >>> journal_folder(Path("home/brain.db")).name
    'brain.journal'
    """
    return brain.with_name(f"{brain.stem}.journal")


class Kept(NamedTuple):
    """What somebody chose for a source: its name, and whether reads that name none leave it out."""

    name: str
    archived: bool


def keep_choice(brain: Brain, source: str, *, archived: bool | None = None) -> None:
    """Write down what the place of *source* is called now, so that a brain made anew calls it so, too.

    Args:
        archived: whether it is set aside; None leaves that as it is.
    """
    folder = journal_folder(brain.path.absolute())
    with locked(folder, private=True):
        kept = _choices(folder)
        for place in (at for _, name, at in locations(brain) if name == source and at):
            was_archived = place in kept and kept[place].archived
            kept[place] = Kept(source, was_archived if archived is None else archived)
        content = {place: one._asdict() for place, one in sorted(kept.items())}
        write_file(folder / CHOICES, f"{json.dumps(content, ensure_ascii=False, indent=1)}\n", private=True)


def kept_choice(brain: Brain, place: str) -> Kept | None:
    """What was chosen for the source at *place*; None where nothing was."""
    return _choices(journal_folder(brain.path.absolute())).get(place)


def _choices(folder: Path) -> dict[str, Kept]:
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError):  # missing, or broken by hand
        held = json.loads((folder / CHOICES).read_text("utf-8"))
        return {place: Kept(str(one["name"]), archived=bool(one["archived"])) for place, one in held.items()}
    return {}


def is_used(brain: Brain, journal: Journal, source: str) -> bool:
    """Whether the journal has a folder, or records in the brain."""
    has_folder = any(place.path.is_dir() for place in journal.places)
    return has_folder or holds(brain, source, REMEMBERED, UNTRUSTED)


def migrate(brain: Brain, journal: Journal, source: str, *, final: bool = False) -> int:
    """Write the notes and outcomes of a brain without journals to files, once; the number written.

    Args:
        final: do not migrate later, since records are about to be added that have files.
    """
    if (rows := unwritten(brain, source)) is None:
        return 0
    for type_, *row in rows:
        if type_ != "outcome":
            _migrate_note(journal, *row, directive=type_ == "directive")
    for trusted in (True, False):
        entries = [_entry(*row) for type_, *row in rows if type_ == "outcome" and (row[6] == REMEMBERED) == trusted]
        append_rows(journal, entries, trusted=trusted)
    if rows or final:
        mark_written(brain, source)
    return len(rows)


def _migrate_note(journal: Journal, *row: Any, directive: bool) -> None:  # noqa: ANN401  columns of SQLite
    ref, title, body, author, recorder, path, origin, created_at, _, _, _ = row
    trusted = origin == REMEMBERED
    note = Note(
        id=ref.rpartition("#")[2].rpartition(":")[2], text=body, kind="directive" if directive else "note", path=path,
        by=author if trusted else author.partition(", for ")[2],
        where=title.removesuffix(f" › {path}" if path else "").removeprefix(f"{author}, "), recorded_by=recorder,
        at=_time(created_at),
    )  # fmt: skip
    write_note(journal, note, trusted=trusted)


def _entry(*row: Any) -> Entry:  # noqa: ANN401  columns of SQLite
    ref, title, body, author, recorder, _, _, created_at, updated_at, state, pull = row
    return Entry(
        slug=ref.partition(":")[2], title=title, status=state, pull=pull, author=author, recorded_by=recorder,
        note=body.removeprefix(title).removeprefix("\n\n"), date=_time(updated_at), since=_time(created_at),
    )  # fmt: skip


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None

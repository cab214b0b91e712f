"""The journal of a source beside the brain that indexes it: where it is, and what older brains kept to themselves."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cortex.indexers.connectors import git
from cortex.indexers.connectors.notes import Note
from cortex.indexers.connectors.outcomes import Entry
from cortex.indexers.connectors.worktrees import files_folder
from cortex.indexers.journal.places import FOLDER, Journal, Place
from cortex.indexers.journal.writing import keep_note, keep_rows
from cortex.substrate.brain import Brain
from cortex.substrate.records import REMEMBERED, UNTRUSTED
from cortex.substrate.statements import sql
from cortex.surfaces.naming import files_from, holds_files


def journal_of(brain: Brain, source: str, root: Path | None = None) -> Journal:
    """Where what is told of *source* is kept.

    Args:
        root: the folder that its files are about to be read from; by default that of the last time.
    """
    held = root or files_from(brain, source)
    files = files_folder(Path(held)) if held else None
    shared = Place(files, FOLDER, shared=True) if files and git.top(files) else None
    beside, name = journal_folder(brain.path.absolute()), quote(source, safe=" @+").replace(".", "%2E")
    private = Place(beside.parent, f"{beside.name}/{name}")
    return Journal(private, shared, elsewhere=files is None and holds_files(brain, source))


def journal_folder(brain: Path) -> Path:
    """The folder beside the *brain* of what is told of its sources, and of its answers.

    >>> journal_folder(Path("home/brain.db")).name
    'brain.journal'
    """
    return brain.with_name(f"{brain.stem}.journal")


def is_used(brain: Brain, journal: Journal, source: str) -> bool:
    """Whether anything of the journal was ever written, or is in the brain."""
    held = """
        select 1 from records r join sources s on s.id = r.source_id
        where s.name = ? and r.origin in (?, ?) and r.gone_at is null limit 1
    """
    written = any(place.path.is_dir() for place in journal.places)
    return written or brain.db.execute(held, (source, REMEMBERED, UNTRUSTED)).fetchone() is not None


def write_out(brain: Brain, journal: Journal, source: str, *, before_more: bool = False) -> int:
    """Write what a brain holds of the journal and no file does yet, as brains of earlier versions do; how much it was.

    Args:
        before_more: more is about to be told, in a file first.

    Raises:
        NotKept: it cannot be written; nothing of it is lost from the brain.
    """
    if brain.db.execute(sql("is_written"), {"source": source}).fetchone():
        return 0
    rows = brain.db.execute(sql("unwritten"), {"source": source}).fetchall()
    for type_, *row in rows:
        if type_ != "outcome":
            _write_note(journal, *row, directive=type_ == "directive")
    for trusted in (True, False):
        noted = [row for type_, *row in rows if type_ == "outcome" and (row[6] == REMEMBERED) == trusted]
        keep_rows(journal, [_entry(*row) for row in noted], trusted=trusted)
    if rows or before_more:
        with brain.transaction() as db:
            db.execute(sql("mark_written"), {"source": source})
    return len(rows)


def _write_note(journal: Journal, *row: Any, directive: bool) -> None:  # noqa: ANN401  what SQLite gives
    ref, title, body, author, recorder, path, origin, created_at, _, _, _ = row
    trusted = origin == REMEMBERED
    where = title.removesuffix(f" › {path}" if path else "").removeprefix(f"{author}, ")
    note = Note(
        id=ref.rpartition("#")[2].rpartition(":")[2], text=body, kind="directive" if directive else "note", path=path,
        by=author if trusted else author.partition(", for ")[2], where=where, recorded_by=recorder,
        at=_moment(created_at),
    )  # fmt: skip
    keep_note(journal, note, trusted=trusted)


def _entry(*row: Any) -> Entry:  # noqa: ANN401  what SQLite gives
    ref, title, body, author, recorder, _, _, created_at, updated_at, state, pull = row
    return Entry(
        slug=ref.partition(":")[2], title=title, status=state, pull=pull, author=author, recorded_by=recorder,
        note=body.removeprefix(title).removeprefix("\n\n"), date=_moment(updated_at), since=_moment(created_at),
    )  # fmt: skip


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None

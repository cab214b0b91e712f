"""The journal of a source in a brain: its folders, and what was chosen for the places that were indexed."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from cortex.indexers.connectors import git
from cortex.indexers.connectors.worktrees import files_folder
from cortex.indexers.journal.places import FOLDER, Journal, Place
from cortex.substrate.atomic_files import locked, write_file
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import holds
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

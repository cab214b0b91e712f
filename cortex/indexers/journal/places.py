"""Where a journal is kept, and which of its files may be touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cortex.errors import NotKept
from cortex.indexers.connectors import outcomes
from cortex.substrate.whole import UNFINISHED, write_whole

FOLDER: Final = ".cortex"
NOTES: Final = "notes"
OUTCOMES: Final = outcomes.LEDGER
REVIEWS: Final = "reviews.jsonl"
WRITTEN: Final = "written"
"""Beside the brain: digests of what this machine wrote into the repository."""

LINKED: Final = "a symlink, or behind one"
NESTED: Final = "in a repository of its own"

_FOR_GIT: Final = {".gitattributes": "*.jsonl merge=union\n", ".gitignore": f"*{UNFINISHED}\n"}


class Place(NamedTuple):
    """A folder of a journal, below a root outside of which nothing is read or written."""

    root: Path
    folder: str
    shared: bool = False

    @property
    def path(self) -> Path:
        """The folder."""
        return self.root / self.folder

    def problem(self, name: str) -> str:
        """Why the file *name* is not to be touched; '' where it may be."""
        at = self.root
        for part in Path(self.folder, name).parts:
            at /= part
            if at.is_symlink():
                return LINKED
        return NESTED if self.shared and (self.path / ".git").exists() else ""

    def check(self, name: str) -> None:
        """Make sure that the file *name* may be touched.

        Raises:
            NotKept: it is not to be.
        """
        if problem := self.problem(name):
            raise NotKept(self.path / name, problem)

    def notes(self) -> list[str]:
        """The names of the files of notes, in their order."""
        folder = self.path / NOTES
        if self.problem(NOTES) or not folder.is_dir():
            return []
        return sorted(f"{NOTES}/{one.name}" for one in folder.iterdir() if one.suffix == ".md" and one.name[0] != ".")

    def text(self, name: str) -> str:
        """The content of the file *name*; '' where there is none, or none that is to be read."""
        path = self.path / name
        return "" if self.problem(name) or not path.is_file() else path.read_bytes().decode("utf-8", "replace")

    def write(self, name: str, text: str) -> None:
        """Make *text* the content of the file *name*.

        Raises:
            NotKept: it cannot be, or is not to be.
        """
        self.check(name)
        for extra, content in _FOR_GIT.items() if self.shared else ():
            if not (self.path / extra).exists() and not self.problem(extra):
                write_whole(self.path / extra, content)
        write_whole(self.path / name, text, private=not self.shared)


class Journal(NamedTuple):
    """Where the journal of a source is kept.

    Attributes:
        private: beside the brain.
        shared: in the repository; none outside of one.
        elsewhere: there may be one in a repository that is not at hand.
    """

    private: Place
    shared: Place | None = None
    elsewhere: bool = False

    @property
    def places(self) -> Iterator[Place]:
        """Each, the shared one first."""
        yield from (self.shared, self.private) if self.shared else (self.private,)

    def place(self, *, trusted: bool) -> Place:
        """Where to write: nothing of untrusted writers into the repository."""
        return self.shared if trusted and self.shared else self.private

"""The folders of a journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cortex.errors import NotKept
from cortex.indexers.connectors import outcomes
from cortex.substrate.atomic_files import TEMPORARY, write_file

FOLDER: Final = ".cortex"
NOTES: Final = "notes"
OUTCOMES: Final = outcomes.LEDGER
REVIEWS: Final = "reviews.jsonl"
WRITTEN: Final = "written"
"""In the private folder: digests of what this machine wrote into the repository."""

LINKED: Final = "a symlink, or behind one"
NESTED: Final = "in a repository of its own"

_FOR_GIT: Final = {".gitattributes": "*.jsonl merge=union\n", ".gitignore": f"*{TEMPORARY}\n"}


class Place(NamedTuple):
    """One folder of a journal; symbolic links below *root* are not followed."""

    root: Path
    folder: str
    shared: bool = False

    @property
    def path(self) -> Path:
        """The folder."""
        return self.root / self.folder

    def problem(self, name: str) -> str:
        """The reason not to touch the file *name*; '' for none."""
        at = self.root
        for part in Path(self.folder, name).parts:
            at /= part
            if at.is_symlink():
                return LINKED
        return NESTED if self.shared and (self.path / ".git").exists() else ""

    def check(self, name: str) -> None:
        """Refuse to touch the file *name* where it is unsafe.

        Raises:
            NotKept: it is behind a symbolic link or in a nested repository.
        """
        if problem := self.problem(name):
            raise NotKept(self.path / name, problem)

    def notes(self) -> list[str]:
        """Names of the note files, sorted."""
        folder = self.path / NOTES
        if self.problem(NOTES) or not folder.is_dir():
            return []
        return sorted(f"{NOTES}/{one.name}" for one in folder.iterdir() if one.suffix == ".md" and one.name[0] != ".")

    def read(self, name: str) -> str:
        """Content of the file *name*; '' where it is missing or unsafe."""
        path = self.path / name
        return "" if self.problem(name) or not path.is_file() else path.read_bytes().decode("utf-8", "replace")

    def write(self, name: str, text: str) -> None:
        """Replace the content of the file *name* atomically.

        Raises:
            NotKept: it is unsafe, or the write failed.
        """
        self.check(name)
        for extra, content in _FOR_GIT.items() if self.shared else ():
            if not (self.path / extra).exists() and not self.problem(extra):
                write_file(self.path / extra, content)
        write_file(self.path / name, text, private=not self.shared)


class Journal(NamedTuple):
    """The folders of one source's journal.

    Attributes:
        private: beside the brain.
        shared: in the repository; None outside of one.
        elsewhere: the repository is not at hand, so missing notes may not be gone.
    """

    private: Place
    shared: Place | None = None
    elsewhere: bool = False

    @property
    def places(self) -> Iterator[Place]:
        """Both, the shared one first."""
        yield from (self.shared, self.private) if self.shared else (self.private,)

    def place(self, *, trusted: bool) -> Place:
        """The folder to write to; untrusted text never goes into the repository."""
        return self.shared if trusted and self.shared else self.private

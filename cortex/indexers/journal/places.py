"""The folders of a journal, and trust in the files of a repository's by what its default branch holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from cortex.errors import NotKept
from cortex.indexers.connectors import outcomes
from cortex.indexers.connectors.git_command import asked
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


_UPSTREAM: Final = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))


class Unmerged(NamedTuple):
    """Files and rows of the current branch that the default branch of `origin` does not have.

    Attributes:
        files: names of new or changed files.
        rows: keys of new rows, by file.
        own: digests of what this machine wrote, which is trusted on any branch.
        signer: the commit, as the author of what is untrusted.
    """

    files: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]] = {}
    own: frozenset[str] = frozenset()
    signer: str = ""

    def has_file(self, name: str, text: str) -> bool:
        """Whether the file *name* with this *text* is untrusted."""
        return name in self.files and digest(text) not in self.own

    def has_row(self, name: str, row: Mapping[str, Any]) -> bool:
        """Whether a *row* of the file *name* is untrusted."""
        return key(row) in self.rows.get(name, ())


def unmerged(place: Place, private: Place) -> Unmerged:
    """What HEAD has beyond the default branch of `origin`; nothing in a repository without a remote.

    Author names of commits are free to choose, so only branches count. Uncommitted files are this machine's own.

    Args:
        private: where the digests of own writes stand.
    """
    git = partial(asked, place.path, climb=True)
    if not place.shared or not place.path.is_dir() or not (head := git("rev-parse", "--verify", "--quiet", "HEAD")):
        return Unmerged()
    fetched = (git("for-each-ref", "--format=%(refname)", *_UPSTREAM) or "").split()
    upstream = next((ref for ref in _UPSTREAM if ref in fetched), "")
    if not upstream and not git("config", "--no-includes", "--get", "remote.origin.url"):
        return Unmerged()
    theirs = _blobs(git("ls-tree", "-r", "-z", upstream, "--", ".") if upstream else "")
    ours = _blobs(git("ls-tree", "-r", "-z", "HEAD", "--", "."))
    news = {name: blob for name, blob in ours.items() if theirs.get(name) != blob}
    own = frozenset(private.read(WRITTEN).split())
    rows = {}
    for name in {OUTCOMES, REVIEWS} & news.keys():
        known = _keys(git("cat-file", "blob", theirs[name])) if name in theirs else frozenset()
        rows[name] = _keys(git("cat-file", "blob", news[name])) - known - own
    return Unmerged(frozenset(news), rows, own, f"commit {head[:12]}")


def key(row: Mapping[str, Any]) -> str:
    """Identity of a row, independent of its spelling."""
    return digest(json.dumps(row, sort_keys=True))


def digest(text: str) -> str:
    """Identity of a text: 16 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _blobs(listed: str | None) -> dict[str, str]:
    """Object ids by name, from the output of `ls-tree -z`."""
    entries = (entry.partition("\t") for entry in (listed or "").split("\0") if entry)
    return {name: described.split()[2] for described, _, name in entries}


def _keys(text: str | None) -> frozenset[str]:
    found = []
    for line in (text or "").splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        found += [key(value)] if isinstance(value, dict) else []
    return frozenset(found)

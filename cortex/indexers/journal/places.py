"""The folders of a journal, and trust in the files of a repository's by what its default branch holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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
        files: names of new or changed files, untrusted unless their text is the machine's own.
        rows: keys of new rows, which are untrusted, by file.
        own: digests of what this machine wrote, which is trusted on any branch.
        signer: the commit, as the author of what is untrusted.
    """

    files: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]] = {}
    own: frozenset[str] = frozenset()
    signer: str = ""


def unmerged(place: Place, private: Place) -> Unmerged:
    """What HEAD has beyond the default branch of `origin`; nothing in a repository without a remote.

    Author names of commits are free to choose, so only branches count, and the reflog, which no clone brings along.
    Uncommitted files are this machine's own, and so is what a commit made here added to files that were known.

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
    known, own = set(theirs.items()), set(private.read(WRITTEN).split())

    def keys(blob: str) -> frozenset[str]:
        return _keys(git("cat-file", "blob", blob)) if blob else frozenset()

    for commit in _made_here(git, upstream) if theirs != ours else ():
        listed = git("diff-tree", "--root", "--no-commit-id", "-r", "-z", "--relative", commit, "--", ".")
        for name, before, after in _changed(listed):
            if not before or (name, before) in known:
                known.add((name, after))
            if name in (OUTCOMES, REVIEWS):
                own |= keys(after) - keys(before)
    news = {name: blob for name, blob in ours.items() if (name, blob) not in known}
    held = {OUTCOMES, REVIEWS} & news.keys()
    rows = {name: keys(news[name]) - keys(theirs.get(name, "")) - own for name in held}
    return Unmerged(frozenset(news), rows, frozenset(own), f"commit {head[:12]}")


def _made_here(git: Callable[..., str | None], upstream: str) -> list[str]:
    """The commits of HEAD beyond *upstream* that were made on this machine, the first made first.

    One that was amended is, where what it was before is.
    """
    since = set((git("rev-list", "HEAD", *([f"^{upstream}"] if upstream else [])) or "").split())
    made: list[str] = []
    before = ""
    for line in reversed((git("reflog", "show", "--format=%H %gs", "HEAD") or "").splitlines()):
        commit, _, did = line.partition(" ")
        if did.startswith(("commit: ", "commit (initial): ")) or (
            did.startswith("commit (amend): ") and before in made
        ):
            made.append(commit)
        before = commit
    return [commit for commit in made if commit in since]


def _changed(listed: str | None) -> Iterator[tuple[str, str, str]]:
    """Name, blob before and blob after of each file that `diff-tree -r -z` lists; '' for a blob that was not there."""
    parts = iter((listed or "").split("\0"))
    for described, name in zip(parts, parts, strict=False):
        _, _, before, after, _ = described.split()
        if after.strip("0"):
            yield name, before if before.strip("0") else "", after


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

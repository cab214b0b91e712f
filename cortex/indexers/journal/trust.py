"""Trust in the files of a repository's journal, by what its default branch holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from cortex.indexers.connectors.git_command import asked
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, WRITTEN, Place

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

"""What of a repository's journal nobody of the project stands behind yet, as git tells it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from cortex.indexers.connectors.git_command import asked
from cortex.indexers.journal.places import OUTCOMES, REVIEWS, WRITTEN, Place

_UPSTREAM: Final = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))


class Doubt(NamedTuple):
    """Files by name and rows by file that nobody stands behind, what was written here, and whose word it is."""

    files: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]] = {}
    own: frozenset[str] = frozenset()
    signer: str = ""

    def of_file(self, name: str, text: str) -> bool:
        """Whether nobody stands behind the file *name* with this *text*."""
        return name in self.files and digest(text) not in self.own

    def of_row(self, name: str, row: Mapping[str, Any]) -> bool:
        """Whether nobody stands behind a *row* of the file *name*."""
        return key(row) in self.rows.get(name, ())


def doubt(place: Place, private: Place) -> Doubt:
    """What came with commits that the project's own branch does not have, but for what was written on this machine.

    A file that no commit has yet was written here, too; without a remote there is but one branch to go by.

    Args:
        private: the place of the same journal that tells what was written here.
    """
    git = partial(asked, place.path, climb=True)
    if not place.shared or not place.path.is_dir() or not (head := git("rev-parse", "--verify", "--quiet", "HEAD")):
        return Doubt()
    fetched = (git("for-each-ref", "--format=%(refname)", *_UPSTREAM) or "").split()
    upstream = next((ref for ref in _UPSTREAM if ref in fetched), "")
    if not upstream and not git("config", "--no-includes", "--get", "remote.origin.url"):
        return Doubt()
    theirs = _blobs(git("ls-tree", "-r", "-z", upstream, "--", ".") if upstream else "")
    ours = _blobs(git("ls-tree", "-r", "-z", "HEAD", "--", "."))
    news = {name: blob for name, blob in ours.items() if theirs.get(name) != blob}
    own = frozenset(private.text(WRITTEN).split())
    rows = {}
    for name in {OUTCOMES, REVIEWS} & news.keys():
        known = _keys(git("cat-file", "blob", theirs[name])) if name in theirs else frozenset()
        rows[name] = _keys(git("cat-file", "blob", news[name])) - known - own
    return Doubt(frozenset(news), rows, own, f"commit {head[:12]}")


def key(row: Mapping[str, Any]) -> str:
    """What tells a row from others, however it is spelled."""
    return digest(json.dumps(row, sort_keys=True))


def digest(text: str) -> str:
    """16 hex digits that tell a text from others."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _blobs(listed: str | None) -> dict[str, str]:
    """Objects by name, of what `ls-tree` *listed*."""
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

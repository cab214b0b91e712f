"""Work trees of one repository: whichever somebody stands in, it is one project with one name, place and history."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.git_places import common_of, is_linked, repository_of

_COMMITTED = re.compile(r"(?!0+$)[0-9a-f]{40,64}")


class _Tree(NamedTuple):
    folder: Path
    head: str
    branch: str


def main_folder(root: Path) -> Path:
    """Where the repository whose top folder is *root* stands: its main work tree, or the repository if that is bare.

    Anything else is itself.
    """
    root = root.resolve()
    if not (root / ".git").is_file():  # a linked work tree's is a file, and so is a submodule's
        return root
    folders = ("--git-dir", "--git-common-dir")
    own, common = (asked(root, "rev-parse", "--path-format=absolute", folder) for folder in folders)
    if not own or not common or (own == common and asked(root, "rev-parse", "--is-bare-repository") != "true"):
        return root
    first = next((tree.folder for tree in _trees(root)), root)
    # Git knows a submodule's main work tree by its repository's folder.
    return Path(asked(first, "rev-parse", "--show-toplevel") or first).resolve()


def files_folder(root: Path) -> Path:
    """The one work tree whose files are those of the repository at *root*, whichever of its work trees that is.

    It is the main one; for a bare repository the one with the branch of its HEAD, else the one that was added first.
    """
    main = main_folder(root)
    if asked(main, "rev-parse", "--is-inside-work-tree") != "false":
        return main
    ours = common_of(repository_of(main) or main)
    linked = [
        tree
        for tree in _trees(main)
        if tree.folder != main and (its := repository_of(tree.folder))
        if common_of(its) == ours and is_linked(tree.folder, its)
    ]
    branch = asked(main, "symbolic-ref", "--quiet", "HEAD")
    on_it = [tree.folder for tree in linked if branch and tree.branch == branch]
    added = sorted(((tree.folder / ".git").stat().st_mtime_ns, tree.folder) for tree in linked)
    return next(iter((*on_it, *(folder for _, folder in added))), main)


def heads(root: Path) -> list[str]:
    """The commits that the work trees of a repository are at, the main one's first, each once."""
    main = asked(root, "rev-parse", "--verify", "--quiet", "main-worktree/HEAD^{commit}")
    others = sorted({tree.head for tree in _trees(root)} - {main, ""})
    if others:  # the commit of a work tree that somebody deleted may be gone
        held = asked(root, "rev-list", "--no-walk", "--ignore-missing", *others)
        others = [sha for sha in others if held is None or sha in held]
    return [main, *others] if main else others


def _trees(root: Path) -> Iterator[_Tree]:
    for entry in (asked(root, "worktree", "list", "--porcelain") or "").split("\n\n"):
        told = dict(line.partition(" ")[::2] for line in reversed(entry.splitlines()))
        if told.get("worktree"):
            head = told.get("HEAD", "")
            committed = head if _COMMITTED.fullmatch(head) else ""
            yield _Tree(Path(told["worktree"]), committed, told.get("branch", ""))

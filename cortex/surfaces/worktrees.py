"""Work trees of one repository: whichever somebody stands in, it is one project with one name and one place."""

from __future__ import annotations

from pathlib import Path

from cortex.indexers.connectors.git_command import asked


def main_folder(root: Path) -> Path:
    """The main work tree of the repository whose top folder is *root*, if that is a linked one; else *root* itself.

    A linked work tree of a bare repository has no main one: the repository's own folder is its place.
    """
    root = root.resolve()
    if not (root / ".git").is_file():  # a linked work tree's is a file, and so is a submodule's
        return root
    own, common = (
        asked(root, "rev-parse", "--path-format=absolute", which) for which in ("--git-dir", "--git-common-dir")
    )
    if not own or not common or own == common:
        return root
    listed = asked(root, "worktree", "list", "--porcelain") or ""
    first = listed.partition("\n")[0].removeprefix("worktree ")
    return Path(first).resolve() if first else root
